import { type FirstAnswer, mountScreen, useScreen } from '../../widgets/use-screen.js';
import './body.css';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { shownUnit } from '../../../site/lengths.js';
import { AddressNotices } from '../../shared/screen-parts.js';
import { Notice } from '../../widgets/notice.js';
import { Waiting } from '../../widgets/parts.js';
import { PopulationBar } from '../../widgets/population-bar.js';
import { Tabs } from '../../widgets/tabs.js';
import { BODY_ADDRESS, type BodyView, pictureTitle } from '../address.js';
import type { BodyData } from '../data-types.js';
import { FormLinks } from '../form-links.js';
import { BodyCalls, BodyExports, Report } from './body-exports.js';
import { BodyControls } from './controls.js';
import { People } from './people.js';
import { RegionChoice } from './regions.js';
import { BodyTable } from './table.js';

mountScreen('body-screen', App);

/** The Body screen: populations to scale on one floor, and a table of their dimensions. */
export function App({ first }: { readonly first: FirstAnswer<BodyData> }): VNode {
  const screen = useScreen<BodyView, BodyData>(BODY_ADDRESS, first);
  const { view, problem, busy, stale, choose, retry } = screen;
  const unit = shownUnit(view.unit);
  const { data } = screen;
  const svg = useRef<SVGSVGElement>(null);
  return (
    <>
      <PopulationBar
        populations={view.populations}
        busy={busy}
        said={data === undefined ? '' : `Shown: ${pictureTitle(view)}.`}
        onChange={(populations) => choose({ populations })}
      />
      <AddressNotices notices={screen.notices} />
      <FormLinks view={view} />
      <Waiting busy={stale} class="body-picture">
        <Notice problem={problem} hasNumbers={data !== undefined} onRetry={retry} />
        {data === undefined ? null : (
          <>
            <People view={view} unit={unit} data={data} choose={choose} svg={svg} />
            <RegionChoice view={view} choose={choose} />
          </>
        )}
      </Waiting>
      <BodyControls view={view} unit={unit} choose={choose} />
      {data === undefined ? null : (
        <Tabs
          label="Numbers of the people"
          tabs={[
            [
              'Dimensions',
              <Waiting key="dimensions" busy={stale} class="body-table">
                <BodyTable view={view} unit={unit} data={data} choose={choose} />
              </Waiting>,
            ],
            [
              'Export',
              <>
                <BodyExports view={view} data={data} svg={() => svg.current} />
                <Report view={view} data={data} />
              </>,
            ],
            ['API', <BodyCalls key="calls" data={data} stale={stale} />],
          ]}
        />
      )}
    </>
  );
}
