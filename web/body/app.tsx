import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { isTemporary } from '../../src/core/errors.js';
import {
  type BodyView,
  bodyDataQuery,
  bodyQuery,
  pictureTitle,
  readBodyView,
} from '../../src/pages/screens/body/address.js';
import type { BodyData } from '../../src/pages/screens/body/data-types.js';
import { SCREEN_PATHS } from '../../src/pages/screens/paths.js';
import { shownUnit } from '../widgets/lengths.js';
import { Notice } from '../widgets/notice.js';
import { type FirstAnswer, type ScreenAddress, useScreen } from '../widgets/use-screen.js';
import { BodyCalls, BodyExports } from './body-exports.js';
import { BodyControls } from './controls.js';
import { People } from './people.js';
import { RegionChoice } from './regions.js';
import { BodyTable } from './table.js';

const ADDRESS: ScreenAddress<BodyView> = {
  path: SCREEN_PATHS.body,
  read: readBodyView,
  query: bodyQuery,
  dataQuery: bodyDataQuery,
  title: pictureTitle,
};

/** The Body screen: populations to scale on one floor, and a table of their dimensions. */
export function App({ first }: { readonly first: FirstAnswer<BodyData> }): VNode {
  const screen = useScreen<BodyView, BodyData>(ADDRESS, first);
  const { view, problem, busy, choose, retry } = screen;
  const unit = shownUnit(view.unit);
  const data = problem === undefined || isTemporary(problem.code) ? screen.data : undefined;
  const svg = useRef<SVGSVGElement>(null);
  return (
    <>
      <div class="body-picture" aria-busy={busy}>
        {problem === undefined ? null : <Notice problem={problem} onRetry={retry} />}
        {data === undefined ? null : (
          <>
            <People view={view} unit={unit} data={data} choose={choose} svg={svg} />
            <RegionChoice view={view} choose={choose} />
          </>
        )}
      </div>
      <BodyControls view={view} unit={unit} choose={choose} />
      {data === undefined ? null : (
        <>
          <div class="body-table" aria-busy={busy}>
            <BodyTable view={view} unit={unit} data={data} choose={choose} />
            <BodyExports view={view} data={data} svg={() => svg.current} />
          </div>
          <BodyCalls data={data} />
        </>
      )}
    </>
  );
}
