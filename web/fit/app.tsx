import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { isTemporary } from '../../src/core/errors.js';
import {
  FIT_ADDRESS,
  type FitView,
  fitQuery,
  pairOf,
  viewOfProduct,
} from '../../src/pages/screens/fit/address.js';
import type { FitData } from '../../src/pages/screens/fit/data-types.js';
import { BOX_ID, PRODUCTS } from '../../src/pages/screens/fit/products.js';
import { SCREEN_PATHS } from '../../src/pages/screens/paths.js';
import { AddressNotices } from '../../src/pages/screens/shared/screen-parts.js';
import { ControlsSheet } from '../widgets/controls-sheet.js';
import { UnitChoice } from '../widgets/length-field.js';
import { shownUnit } from '../widgets/lengths.js';
import { Notice } from '../widgets/notice.js';
import { PopulationBar } from '../widgets/population-bar.js';
import { type FirstAnswer, useScreen } from '../widgets/use-screen.js';
import { FitCalls, type FitPictureName } from './fit-exports.js';
import { Limits } from './limits.js';
import { PairPlot } from './pair-plot.js';
import { Picture } from './picture.js';
import { Headline, Results } from './results.js';
import { Sizes } from './sizes.js';

/** The Fit screen: a product with its sizes, and the share of people that it fits. */
export function App({ first }: { readonly first: FirstAnswer<FitData> }): VNode {
  const screen = useScreen<FitView, FitData>(FIT_ADDRESS, first);
  const { view, problem, busy, choose, slide, hold, retry } = screen;
  const unit = shownUnit(view.unit);
  const data = problem === undefined || isTemporary(problem.code) ? screen.data : undefined;
  const pair = pairOf(view);
  const pictures = useRef<HTMLDivElement>(null);
  const svg = (which: FitPictureName) =>
    pictures.current?.querySelector<SVGSVGElement>(which === 'pair' ? '.pair .plot' : '.scene');
  const parts = { view, unit, data, choose, slide, hold };
  return (
    <>
      <PopulationBar
        populations={view.populations}
        busy={busy}
        together={true}
        onChange={(populations) => choose({ populations })}
      />
      <AddressNotices notices={screen.notices} />
      <nav class="fit-products" aria-label="Products">
        {[...PRODUCTS, { id: BOX_ID, title: 'Box' }].map(({ id, title }) => {
          const next = viewOfProduct(id, { populations: view.populations, unit: view.unit });
          return (
            <a
              key={id}
              href={`${SCREEN_PATHS.fit}?${fitQuery(next)}`}
              aria-current={id === view.product ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                choose({ ...next, pair: undefined });
              }}
            >
              {title}
            </a>
          );
        })}
      </nav>
      <div ref={pictures} class="fit-picture" aria-busy={busy}>
        {problem === undefined ? null : <Notice problem={problem} onRetry={retry} />}
        <div aria-live="polite">{data === undefined ? null : <Headline data={data} />}</div>
        {view.product === BOX_ID ? null : <Picture {...parts} />}
        {pair === undefined || data === undefined ? null : <PairPlot {...parts} pair={pair} />}
      </div>
      <ControlsSheet label="Sizes" class="fit-controls">
        <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
        {view.product === BOX_ID ? <Limits {...parts} /> : <Sizes {...parts} />}
      </ControlsSheet>
      <div class="fit-results" aria-busy={busy}>
        {data === undefined ? null : <Results {...parts} data={data} svg={svg} />}
      </div>
      {data === undefined ? null : <FitCalls data={data} />}
    </>
  );
}
