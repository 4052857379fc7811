import type { VNode } from 'preact';
import { percent } from '../../../site/labels.js';
import { NumberField } from '../../widgets/number-field.js';
import { readNumber } from '../../widgets/number-text.js';
import { SIZES_RANGE, type SizesView, TARGET_RANGE } from '../address.js';
import type { SizesData } from '../data-types.js';
import { productTitle } from '../products.js';
import { errorText, targetText } from '../texts.js';

interface AnswerProps {
  readonly view: SizesView;
  readonly data: SizesData | undefined;
  readonly choose: (change: Partial<SizesView>) => void;
}

/** The wanted share, and the number of sizes that serves this share. */
export function Answer({ view, data, choose }: AnswerProps): VNode {
  const { targetPercent, product } = view;
  const count = data?.chart.sizes.length ?? view.sizes ?? SIZES_RANGE.min;
  const { min, max } = SIZES_RANGE;
  return (
    <section class="panel sizes-answer" aria-label="Answer">
      <div class="sizes-question">
        <NumberField
          label="Share to serve, %"
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
      <div aria-live="polite">
        {data === undefined ? null : (
          <>
            <p class="sizes-count">
              <strong data-sizes={count}>{count}</strong>{' '}
              {product === 'own' ? 'sizes' : `${wordOf(product)} sizes`} serve{' '}
              <strong data-share={data.chart.shareServed}>{percent(data.chart.shareServed)}</strong>{' '}
              of {data.label}.
            </p>
            <p class="hint">
              {targetText(view, data)} Between the sizes are {percent(data.chart.betweenSizes)} of
              the people. Numerical error of the share: {errorText(data.chart.numericalError)}.
            </p>
          </>
        )}
      </div>
    </section>
  );
}

function wordOf(product: string): string {
  const title = productTitle(product);
  return title.startsWith('T-') ? title : title.toLowerCase();
}
