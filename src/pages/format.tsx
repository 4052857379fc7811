import type { VNode } from 'preact';
import { body } from '../operations/body.js';
import type { Operation } from '../operations/operation.js';
import { populationShare } from '../operations/population-share.js';
import { predict } from '../operations/predict.js';
import { productFit } from '../operations/product-fit.js';
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

/** How many calls of some operations a number of credits buys. */
export function boughtText(credits: number): string {
  const calls = (operation: Operation) =>
    count(Math.floor(credits / operation.cost(operation.example as never)));
  return `${calls(predict)} predictions, ${calls(populationShare)} shares of a population, ${calls(productFit)} sets of sizes of a product, or ${calls(body)} bodies in three dimensions`;
}

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
