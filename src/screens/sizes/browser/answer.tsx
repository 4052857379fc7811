import type { VNode } from 'preact';
import { numberText } from '../../../core/number-text.js';
import { inSentence } from '../../../site/in-sentence.js';
import { percent } from '../../../site/labels.js';
import { populationLabel } from '../../shared/populations.js';
import { predictionErrorText } from '../../shared/prediction-error.js';
import { NumberField, readNumber } from '../../widgets/fields.js';
import { countsOf, ORDER_RANGE, SIZES_RANGE, type SizesView, TARGET_RANGE } from '../address.js';
import type { SizesData } from '../data.js';
import { productTitle } from '../products.js';
import { orderOf, targetText } from '../texts.js';

interface AnswerProps {
  readonly view: SizesView;
  readonly data: SizesData | undefined;
  readonly choose: (change: Partial<SizesView>) => void;
}

/** The wanted share, and the number of sizes that serves this share. */
export function Answer({ view, data, choose }: AnswerProps): VNode {
  const { targetPercent, product } = view;
  const isEach = countsOf(view) !== undefined;
  const share = data?.chart.shareServed ?? 0;
  const count = data?.chart.sizes.length ?? view.sizes ?? SIZES_RANGE.min;
  const { min, max } = SIZES_RANGE;
  return (
    <section class="panel sizes-answer" aria-label="Answer">
      <div class="row sizes-question">
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
      </div>
      <div>
        {data === undefined ? null : (
          <>
            <p class="sizes-count">
              <strong data-sizes={count}>{count}</strong>{' '}
              {product === 'own' ? '' : `${inSentence(productTitle(product))} `}
              {count === 1 ? 'size serves' : 'sizes serve'}{' '}
              <strong data-share={share}>{percent(share)}</strong> of {data.label}.
            </p>
            {data.populations.length === 0 ? null : (
              <ul class="row legend" aria-label="Share of each population that the sizes serve">
                {data.populations.map(({ label, shareServed }, index) => (
                  <li key={label}>
                    <span class={`swatch series-${index + 1}`} aria-hidden="true" /> {label}:{' '}
                    <strong data-group-share={shareServed}>{percent(shareServed)}</strong>
                  </li>
                ))}
              </ul>
            )}
            <p class="hint">
              {targetText(view, data)} {predictionErrorText({ ...data.chart, share })}
            </p>
            <Order {...{ view, data, choose }} />
          </>
        )}
      </div>
    </section>
  );
}

/** How many people an order is for, and its pieces of each size. */
function Order({ view, data, choose }: AnswerProps & { readonly data: SizesData }): VNode {
  const counts = countsOf(view);
  const { total } = orderOf(view, data);
  const field = (label: string, value: number, onCommit: (people: number) => void) => (
    <NumberField
      key={label}
      {...{ label, value, ...ORDER_RANGE }}
      shown={String(value)}
      read={(text) => readNumber(text, { what: 'The number of people', ...ORDER_RANGE })}
      onCommit={(people) => onCommit(Math.round(people))}
    />
  );
  return (
    <div class="row sizes-order">
      {counts === undefined
        ? field('People to order for', view.order, (order) => choose({ order }))
        : counts.map((count, index) =>
            field(`${labelOf(view, index)} to order for`, count, (people) =>
              choose({ counts: counts.map((one, i) => (i === index ? people : one)) }),
            ),
          )}
      <p>
        The size chart has the pieces of each size for {numberText(total)}{' '}
        {total === 1 ? 'person' : 'people'}. Everybody gets the size that serves them best or lies
        nearest.
      </p>
    </div>
  );
}

function labelOf({ populations }: SizesView, index: number): string {
  const population = populations[index];
  return population === undefined ? '' : populationLabel(population);
}
