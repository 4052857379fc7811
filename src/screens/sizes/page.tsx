import type { VNode } from 'preact';
import { inWords, percent } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import type { ShareContent } from '../../site/share-card.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import {
  Choice,
  Field,
  PopulationFields,
  ScreenPage,
  WithoutScript,
} from '../shared/screen-page.js';
import { DataTable } from '../shared/screen-parts.js';
import { SIZES_ADDRESS, type SizesView, sizesTitle, TARGET_RANGE } from './address.js';
import type { SizesData } from './data-types.js';
import { OWN_ID, productTitle, SIZED_PRODUCTS } from './products.js';
import { answerText, targetText } from './texts.js';

/** The Sizes screen as HTML text, with the data of its first view. */
export function sizesPage(
  view: SizesView,
  first: FirstData<SizesData>,
  context: PageContext,
): string {
  return renderPage(
    <ScreenPage
      {...{ view, first, context }}
      screen="sizes"
      address={SIZES_ADDRESS}
      title={`${productTitle(view.product)}: how many sizes?`}
      heading="How many sizes?"
      sharedAs={sizesTitle(view)}
      description="See how many sizes of a helmet, a glove, a shoe or any other product serve a share of people, and the size chart."
      place="sizes"
      numbers={(data) => (
        <>
          <p class="first-answer">
            {answerText(view, data)} {targetText(view, data)}
          </p>
          <Chart data={data} />
        </>
      )}
      withoutScript={<Plain view={view} />}
    />,
  );
}

/** A form, for browsers without JavaScript. */
function Plain({ view }: { view: SizesView }): VNode {
  return (
    <WithoutScript
      screen="sizes"
      text="The pictures and dimensions of your own need JavaScript. The numbers do not."
    >
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
    </WithoutScript>
  );
}

function Chart({ data: { chart } }: { data: SizesData }): VNode {
  const names = chart.sizes[0]?.ranges.map(({ measurement }) => inWords(measurement)) ?? [];
  return (
    <DataTable
      caption="Size chart in mm"
      head={['Size', ...names, 'Share']}
      rows={chart.sizes.map(({ name, ranges, share }) => [
        name,
        ...ranges.map(({ from, to }) => `${from.toFixed(1)}–${to.toFixed(1)}`),
        percent(share),
      ])}
    />
  );
}

/** The share image of the Sizes screen: the share that the sizes serve, and people of three sizes. */
export function sharedSizes(view: SizesView, data: SizesData): ShareContent {
  const { chart, persons = [] } = data;
  return {
    title: sizesTitle(view),
    artifactVersion: data.artifactVersion,
    people: persons.flatMap(({ pictures }) => pictures.slice(0, 1)),
    headline: percent(chart.shareServed),
    facts: [
      `are served by ${chart.sizes.length} sizes`,
      ...chart.sizes.map(({ name, share }) => `${name}: ${percent(share)}`),
    ],
  };
}
