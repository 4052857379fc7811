import type { VNode } from 'preact';
import { body } from '../operations/body.js';
import type { Operation } from '../operations/operation.js';
import { predict } from '../operations/predict.js';
import { productFit } from '../operations/product-fit.js';
import { reachShare } from '../operations/reach-share.js';
import type { Price } from '../payments/provider.js';
import { TEST_CURRENCY } from '../payments/test-provider.js';

const LANGUAGE = 'en-GB';
/** Created at first use. Loading the data of a language would slow down every start. */
let integers: Intl.NumberFormat | undefined;
/** Currencies that are written without decimals, while Stripe counts hundredths (docs.stripe.com/currencies). */
const COUNTED_IN_HUNDREDTHS = new Set(['isk', 'ugx']);

/** A time in UTC, to the minute. */
export function Time({ atMs }: { readonly atMs: number }): VNode {
  const iso = new Date(atMs).toISOString();
  return (
    <time dateTime={iso}>
      <span class="whole">{iso.slice(0, 10)}</span>{' '}
      <span class="whole">{iso.slice(11, 16)} UTC</span>
    </time>
  );
}

/** A count with thousands separators. */
export function count(value: number): string {
  integers ??= new Intl.NumberFormat(LANGUAGE);
  return integers.format(value);
}

/** A number of calls, such as `1 call`. */
export function callsText(calls: number): string {
  return `${count(calls)} ${calls === 1 ? 'call' : 'calls'}`;
}

/** What typical jobs cost, in credits. */
export const JOBS: readonly (readonly [job: string, credits: number])[] = (
  [
    ['1,000 predictions of a percentile', predict, 1000],
    ['Sizes of a desk or another product', productFit, 1],
    ['A seat study: reach, sight and room', reachShare, 1],
    ['A body in three dimensions', body, 1],
  ] as readonly (readonly [string, Operation, number])[]
).map(([job, operation, calls]) => [job, calls * operation.cost(operation.example as never)]);

/** A change with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${count(value)}` : count(value).replace('-', '−');
}

/** An amount of money, such as `€9.00`. */
export function money({ amountMinor, currency }: Price): string {
  const format = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency });
  const { maximumFractionDigits: shown = 2 } = format.resolvedOptions();
  const digits = COUNTED_IN_HUNDREDTHS.has(currency) ? 2 : shown;
  const amount = amountMinor / 10 ** digits;
  if (currency === TEST_CURRENCY) return `${amount.toFixed(digits)} in test money`;
  return format.format(amount);
}
