import { type FirstAnswer, mountScreen, useScreen } from '../../widgets/use-screen.js';
import './sizes.css';
import type { VNode } from 'preact';
import { inWords } from '../../../site/labels.js';
import { formatLength, type ShownUnit, shownUnit } from '../../../site/lengths.js';
import { addressOf } from '../../shared/address-fields.js';
import { peopleSentences } from '../../shared/populations.js';
import { AddressNotices } from '../../shared/screen-parts.js';
import { ControlsSheet } from '../../widgets/controls-sheet.js';
import { Calls, ReportPanel } from '../../widgets/exports.js';
import { UnitChoice } from '../../widgets/fields.js';
import { Notice } from '../../widgets/notice.js';
import { Waiting } from '../../widgets/parts.js';
import { PopulationBar } from '../../widgets/population-bar.js';
import { Tabs } from '../../widgets/tabs.js';
import { ViewLinks } from '../../widgets/view-links.js';
import { dimensionsOf, SIZES_ADDRESS, type SizesView, sizesTitle } from '../address.js';
import type { SizesData } from '../data-types.js';
import { OWN_ID, productTitle, SIZED_PRODUCTS, sizedProductById } from '../products.js';
import { answerText } from '../texts.js';
import { Answer } from './answer.js';
import { Dimensions } from './dimensions.js';
import { Curve, Dots, Persons } from './pictures.js';
import { SizesExports, SizesTable } from './table.js';

mountScreen('sizes', App);

/** The Sizes screen shows how many sizes serve a share of the people, and which sizes. */
export function App({ first }: { readonly first: FirstAnswer<SizesData> }): VNode {
  const screen = useScreen<SizesView, SizesData>(SIZES_ADDRESS, first);
  const { view, problem, busy, stale, choose, retry } = screen;
  const unit = shownUnit(view.unit);
  const { data } = screen;
  return (
    <>
      <PopulationBar
        populations={view.populations}
        busy={busy}
        together={true}
        said={data === undefined ? '' : answerText(view, data)}
        onChange={(populations) => choose({ populations, counts: [] })}
      />
      <AddressNotices notices={screen.notices} />
      <ViewLinks
        label="Products"
        links={[...SIZED_PRODUCTS.map(({ id }) => id), OWN_ID].map((id) => {
          const next = { ...view, product: id, dimensions: [], sizes: undefined };
          return {
            title: id === OWN_ID ? 'Own choice' : productTitle(id),
            ...{ href: addressOf(SIZES_ADDRESS, next), isCurrent: id === view.product },
            onChoose: () => choose(next),
          };
        })}
      />
      <Notice problem={problem} hasNumbers={data !== undefined} onRetry={retry} />
      {data === undefined ? null : (
        <Waiting busy={stale} class="sizes-people">
          <Persons data={data} />
        </Waiting>
      )}
      <div class="side-place">
        <div class="side column in-view">
          <Waiting busy={stale}>
            <Answer view={view} data={data} choose={choose} />
          </Waiting>
          <ControlsSheet label="Dimensions and unit" class="sizes-controls">
            <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
            <Dimensions view={view} unit={unit} choose={choose} />
          </ControlsSheet>
        </div>
      </div>
      <div class="sizes-charts" aria-busy={stale}>
        {data === undefined ? null : (
          <>
            <Curve {...{ view, data, choose }} />
            <Dots {...{ data, unit }} />
          </>
        )}
      </div>
      {data === undefined ? null : (
        <div class="sizes-results" aria-busy={stale}>
          <Tabs
            label="More about the sizes"
            tabs={[
              ['Size chart', <SizesTable key="chart" {...{ view, data, unit }} />],
              [
                'Export',
                <>
                  <SizesExports {...{ view, data }} />
                  <Report {...{ view, data, unit }} />
                </>,
              ],
              ['API', <Calls key="calls" call={data.call} />],
            ]}
          />
        </div>
      )}
    </>
  );
}

interface ReportProps {
  readonly view: SizesView;
  readonly data: SizesData;
  readonly unit: ShownUnit;
}

/** The printed page's text on the people and the width of a size, and how to print and cite the page. */
function Report({ view, data, unit }: ReportProps): VNode {
  return (
    <ReportPanel title={sizesTitle(view)} path={addressOf(SIZES_ADDRESS, view)} data={data}>
      <p class="on-paper">
        {peopleSentences(view.populations)} Share to serve: {view.targetPercent} %.
      </p>
      <ul class="on-paper">
        {dimensionsOf(view).map((dimension) => (
          <li key={dimension.measurement}>
            {inWords(dimension.measurement)}: one size serves a range of{' '}
            {formatLength(dimension.toleranceMm, unit)}. {basisOf(view, dimension)}.
          </li>
        ))}
      </ul>
    </ReportPanel>
  );
}

/** The source of a size's width. */
function basisOf(
  { product }: SizesView,
  { measurement, toleranceMm }: { measurement: string; toleranceMm: number },
): string {
  const known = sizedProductById(product)?.chart.measurements.find(
    (one) => one.measurement === measurement && one.tolerance === toleranceMm,
  );
  return known?.basis ?? 'Chosen by the user';
}
