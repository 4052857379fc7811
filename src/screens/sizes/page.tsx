import type { VNode } from 'preact';
import { inWords, percent } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { PopulationFields, ScreenPage } from '../shared/screen-page.js';
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
      withoutScript={<WithoutScript view={view} first={first} />}
    />,
  );
}

/** The answer, its table and a form, for browsers without JavaScript. */
function WithoutScript(props: { view: SizesView; first: FirstData<SizesData> }): VNode {
  const { view, first } = props;
  return (
    <>
      {'problem' in first ? (
        <p class="notice danger">{first.problem.detail}</p>
      ) : (
        <>
          <p>
            {answerText(view, first.data)} {targetText(view, first.data)}
          </p>
          <Chart data={first.data} />
        </>
      )}
      <p>The pictures and dimensions of your own need JavaScript. The numbers do not.</p>
      <form method="get" action={SCREEN_PATHS.sizes} class="panel">
        <div class="form-row">
          <label for="product">Product</label>
          <select id="product" name="product">
            {[...SIZED_PRODUCTS, { id: OWN_ID, title: 'Own product' }].map(({ id, title }) => (
              <option key={id} value={id} selected={id === view.product}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <div class="form-row">
          <label for="target">
            Share to serve in percent, {TARGET_RANGE.min} to {TARGET_RANGE.max}
          </label>
          <input id="target" name="target" inputMode="decimal" value={view.targetPercent} />
        </div>
        <PopulationFields populations={view.populations} />
        <button type="submit" class="primary">
          Show
        </button>
      </form>
    </>
  );
}

function Chart({ data: { chart } }: { data: SizesData }): VNode {
  const names = chart.sizes[0]?.ranges.map(({ measurement }) => measurement) ?? [];
  return (
    <div class="table-scroll">
      <table>
        <caption>Size chart in mm</caption>
        <thead>
          <tr>
            <th scope="col">Size</th>
            {names.map((name) => (
              <th key={name} scope="col" class="number">
                {inWords(name)}
              </th>
            ))}
            <th scope="col" class="number">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {chart.sizes.map(({ name, ranges, share }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {ranges.map(({ measurement, from, to }) => (
                <td key={measurement} class="number">
                  {`${from.toFixed(1)}–${to.toFixed(1)}`}
                </td>
              ))}
              <td class="number">{percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
