import './sizes.css';
import type { VNode } from 'preact';
import { inWords } from '../../../site/labels.js';
import { formatLength, type ShownUnit, shownUnit } from '../../../site/lengths.js';
import { peopleSentences } from '../../shared/populations.js';
import { exportTabs } from '../../widgets/exports.js';
import { UnitChoice } from '../../widgets/fields.js';
import { ControlsSheet, Waiting } from '../../widgets/parts.js';
import type { ScreenPicture } from '../../widgets/save-file.js';
import { Tabs } from '../../widgets/tabs.js';
import { mountScreen, ScreenFrame, type ScreenState } from '../../widgets/view.js';
import { dimensionsOf, SIZES_ADDRESS, type SizesView } from '../address.js';
import type { SizesData } from '../data.js';
import { OWN_ID, productTitle, SIZED_PRODUCTS, sizedProductById } from '../products.js';
import { SizesTable, sizesTidy } from '../table.js';
import { answerText, DOTS_CAPTION, targetText } from '../texts.js';
import { Answer } from './answer.js';
import { Dimensions } from './dimensions.js';
import { Curve, Dots, Persons } from './pictures.js';

mountScreen('sizes', SIZES_ADDRESS, App);

/** The Sizes screen shows how many sizes serve a share of the people, and which sizes. */
export function App(screen: ScreenState<SizesView, SizesData>): VNode {
  const { view, data, stale, choose } = screen;
  const unit = shownUnit(view.unit);
  const products = [...SIZED_PRODUCTS.map(({ id }) => id), OWN_ID].map((id) => {
    const next = { ...view, product: id, dimensions: [], sizes: undefined };
    const title = id === OWN_ID ? 'Own choice' : productTitle(id);
    return [title, next, id === view.product] as const;
  });
  return (
    <ScreenFrame
      screen={screen}
      bar={{
        together: true,
        said: data === undefined ? '' : answerText(view, data),
        onChange: (populations) => choose({ populations, counts: [] }),
      }}
      links={['Products', products, true]}
    >
      {data === undefined ? null : (
        <Waiting busy={stale} class="panel sizes-people">
          <Persons {...{ data, unit }} />
        </Waiting>
      )}
      <div class="side-place">
        <div class="side column in-view">
          <Waiting busy={stale}>
            <Answer view={view} data={data} choose={choose} />
          </Waiting>
          <ControlsSheet class="sizes-controls">
            <Dimensions view={view} unit={unit} choose={choose} />
            <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
          </ControlsSheet>
        </div>
      </div>
      <div class="cards sizes-charts" aria-busy={stale}>
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
              ...takenTabs(view, data, unit),
            ]}
          />
        </div>
      )}
    </ScreenFrame>
  );
}

/** The size chart and the pictures as files, the report, and the call of the API. */
function takenTabs(view: SizesView, data: SizesData, unit: ShownUnit) {
  const picture = (label: string, selector: string, subtitle: string): ScreenPicture => ({
    ...{ label, what: [label.toLowerCase()] },
    svg: () => document.querySelector<SVGSVGElement>(selector),
    texts: () => ({
      title: SIZES_ADDRESS.title(view),
      subtitle: `${answerText(view, data)} ${subtitle}`,
      series: [],
    }),
  });
  return exportTabs({
    ...{ address: SIZES_ADDRESS, view, data, populations: view.populations },
    what: ['sizes', view.product, String(data.chart.sizes.length)],
    table: () => sizesTidy(view, data),
    pictures: [
      picture('Curve', '.sizes-curve', targetText(view, data)),
      picture('Sizes', '.sizes-dots', DOTS_CAPTION),
    ],
    calls: [['', data.call]],
    onPaper: (
      <>
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
      </>
    ),
  });
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
