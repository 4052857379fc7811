import type { VNode } from 'preact';
import { piecesOf } from '../../../products/order.js';
import { inSentence } from '../../../site/in-sentence.js';
import { percent } from '../../../site/labels.js';
import { haveCommonPeople } from '../../shared/together.js';
import { NumberField } from '../../widgets/number-field.js';
import { readNumber } from '../../widgets/number-text.js';
import { Segments } from '../../widgets/segments.js';
import { ORDER_RANGE, SIZES_RANGE, type SizesView, TARGET_RANGE } from '../address.js';
import type { SizesData } from '../data-types.js';
import { productTitle } from '../products.js';
import { errorText, targetText } from '../texts.js';

interface AnswerProps {
  readonly view: SizesView;
  readonly data: SizesData | undefined;
  readonly choose: (change: Partial<SizesView>) => void;
}

const WEIGHT_LABELS = [
  ['heads', 'by head count'],
  ['equal', 'equally'],
] as const;

/** The wanted share, and the number of sizes that serves this share. */
export function Answer({ view, data, choose }: AnswerProps): VNode {
  const { targetPercent, product } = view;
  // People who belong to two populations count once, so there is no share of each.
  const isEach = view.populations.length > 1 && !haveCommonPeople(view.populations);
  const count = data?.chart.sizes.length ?? view.sizes ?? SIZES_RANGE.min;
  const { min, max } = SIZES_RANGE;
  return (
    <section class="panel sizes-answer" aria-label="Answer">
      <div class="sizes-question">
        <NumberField
          label={isEach ? 'Share of each to serve, %' : 'Share to serve, %'}
          value={targetPercent}
          shown={String(targetPercent)}
          read={(text) => readNumber(text, { what: 'The share', ...TARGET_RANGE, words: /%/ })}
          {...TARGET_RANGE}
          onCommit={(percents) => choose({ targetPercent: percents, sizes: undefined })}
        />
        <NumberField
          label="Number of sizes"
          value={count}
          shown={data === undefined && view.sizes === undefined ? '' : String(count)}
          read={(text) => {
            const found = readNumber(text, { what: 'The number of sizes', min, max });
            return 'fault' in found || Number.isInteger(found.number)
              ? found
              : { fault: 'Enter a whole number.' };
          }}
          {...SIZES_RANGE}
          onCommit={(sizes) => choose({ sizes: Math.round(sizes) })}
        />
        {view.sizes === undefined ? null : (
          <button type="button" onClick={() => choose({ sizes: undefined })}>
            Fewest sizes for {targetPercent} %
          </button>
        )}
        {isEach ? (
          <Segments
            legend="Populations count"
            options={WEIGHT_LABELS}
            chosen={view.weights}
            onChoose={(weights) => choose({ weights })}
          />
        ) : null}
      </div>
      <div aria-live="polite">
        {data === undefined ? null : (
          <>
            <p class="sizes-count">
              <strong data-sizes={count}>{count}</strong>{' '}
              {product === 'own' ? '' : `${inSentence(productTitle(product))} `}
              {count === 1 ? 'size serves' : 'sizes serve'}{' '}
              <strong data-share={data.chart.shareServed}>{percent(data.chart.shareServed)}</strong>{' '}
              of {data.label}.
            </p>
            {data.populations.length === 0 ? null : (
              <ul
                class="sizes-populations"
                aria-label="Share of each population that the sizes serve"
              >
                {data.populations.map(({ label, shareServed }, index) => (
                  <li key={label} class={`series-${index + 1}`}>
                    {label}: <strong data-group-share={shareServed}>{percent(shareServed)}</strong>
                  </li>
                ))}
              </ul>
            )}
            <p class="hint">
              {targetText(view, data)} Between the sizes are {percent(data.chart.betweenSizes)} of
              the people. Numerical error of the share: {errorText(data.chart.numericalError)}.
            </p>
            <div class="sizes-order">
              <NumberField
                label="People to order for"
                value={view.order}
                shown={String(view.order)}
                read={(text) => readNumber(text, { what: 'The number of people', ...ORDER_RANGE })}
                {...ORDER_RANGE}
                onCommit={(people) => choose({ order: Math.round(people) })}
              />
              <p>
                {view.order.toLocaleString('en')} {view.order === 1 ? 'person' : 'people'}:{' '}
                {piecesOf(
                  data.chart.sizes.map(({ orderShare }) => orderShare),
                  view.order,
                )
                  .map((n, s) => `${n.toLocaleString('en')} × ${data.chart.sizes[s]?.name}`)
                  .join(', ')}
                . Everybody gets the size that serves them best or lies nearest.
              </p>
            </div>
          </>
        )}
      </div>
    </section>
  );
}
