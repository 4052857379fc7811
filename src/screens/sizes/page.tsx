import { percent } from '../../site/labels.js';
import { shownUnit } from '../../site/lengths.js';
import type { ScreenPage } from '../shared/screen.js';
import { Choice, Field, PopulationFields } from '../shared/screen-page.js';
import { SIZES_ADDRESS, type SizesView, TARGET_RANGE } from './address.js';
import { type SizesData, sizesDataOf } from './data.js';
import { OWN_ID, productTitle, SIZED_PRODUCTS } from './products.js';
import { rangeNumbers, SizesTable } from './table.js';
import { answerText, targetText } from './texts.js';

/** The Sizes screen shows how many sizes of a product serve a share of the people, and which sizes. */
export const PAGE: ScreenPage<SizesView, SizesData> = {
  dataOf: (view, { free, model }, left) => sizesDataOf(view, free, model().artifactVersion, left),
  content: (view) => ({
    title: `${productTitle(view.product)}: how many sizes?`,
    sharedAs: SIZES_ADDRESS.title(view),
    description:
      'See how many sizes of a helmet, a glove, a shoe or any other product serve a share of people, and the size chart.',
    place: 'sizes',
    numbers: (data) => (
      <>
        <p class="first-answer">
          {answerText(view, data)} {targetText(view, data)}
        </p>
        <SizesTable {...{ view, data, unit: shownUnit(view.unit) }} />
      </>
    ),
    plain: {
      text: 'The pictures and measurements of your own need JavaScript. The numbers do not.',
      form: (
        <>
          <Choice
            name="product"
            label="Product"
            chosen={view.product}
            options={[
              ...SIZED_PRODUCTS.map(({ id }) => [id, productTitle(id)] as const),
              [OWN_ID, 'Own product'],
            ]}
          />
          <Field
            name="target"
            label={`Share to serve in percent, ${TARGET_RANGE.min} to ${TARGET_RANGE.max}`}
            value={view.targetPercent}
          />
          <PopulationFields populations={view.populations} />
        </>
      ),
    },
  }),
  /** The share that the sizes serve, and people of three sizes. */
  shared: (view, { chart, persons = [], artifactVersion }) => ({
    title: SIZES_ADDRESS.title(view),
    artifactVersion,
    people: persons.flatMap(({ pictures }) => pictures.slice(0, 1)),
    captions: persons.map(({ size }) => {
      const { ranges = [], share = 0 } = chart.sizes.find(({ name }) => name === size) ?? {};
      const unit = shownUnit(view.unit);
      return [
        `${size}: ${percent(share)}`,
        ...ranges.map(({ from, to }) => `${rangeNumbers(from, to, unit)} ${unit}`),
      ];
    }),
    headline: percent(chart.shareServed),
    facts: [
      `are served by ${chart.sizes.length} sizes`,
      ...chart.sizes.map(({ name, share }) => `${name}: ${percent(share)}`),
    ],
  }),
};
