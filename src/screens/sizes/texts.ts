import { numberText } from '../../core/number-text.js';
import { piecesOf } from '../../core/safe-rounding.js';
import { inSentence } from '../../site/in-sentence.js';
import { inWords, percent } from '../../site/labels.js';
import { countsOf, type SizesView } from './address.js';
import type { SizesData } from './data.js';
import { productTitle } from './products.js';

/** The error of a share, such as `± 0.3 %`. The text does not wrap. */
export function errorText(error: number): string {
  return `±\u00a0${numberText(Number((error * 100).toPrecision(1)), 5)} %`;
}

/** The shares of several populations, such as `Women, IN, 18–65: 95.1 %; Women, DE, 18–65: 75 %.`; else empty. */
export function sharesText({ populations }: SizesData): string {
  if (populations.length === 0) return '';
  const shares = populations.map(({ label, shareServed }) => `${label}: ${percent(shareServed)}`);
  return ` ${shares.join('; ')}.`;
}

/** The answer in one sentence, such as `5 helmet sizes serve 91.5 % of Women, US, 18–65.` */
export function answerText(view: SizesView, data: SizesData): string {
  const { chart, label } = data;
  const product = inSentence(productTitle(view.product));
  const { length } = chart.sizes;
  const sizes = `${length} ${product} ${length === 1 ? 'size serves' : 'sizes serve'}`;
  return `${sizes} ${percent(chart.shareServed)} of ${label}.${sharesText(data)}`;
}

/** A sentence about the number of sizes that the wanted share needs. */
export function targetText(view: SizesView, { least, curve, populations }: SizesData): string {
  const { targetPercent, sizes } = view;
  const most = curve.at(-1);
  const of = populations.length === 0 ? '' : ' of each population';
  if (least === undefined) {
    return `${most?.sizes} sizes, the most that can be placed, serve less than ${targetPercent} %${of}. Let one size serve a wider range, or leave a measurement out.`;
  }
  const enough = `The least number of sizes for ${targetPercent} %${of} is ${least}.`;
  return sizes === undefined || sizes === least ? enough : `You chose ${sizes} sizes. ${enough}`;
}

/** The pieces of each size of an order, and their sum. */
export function orderOf(
  view: SizesView,
  { chart }: SizesData,
): { readonly total: number; readonly pieces: readonly number[] } {
  const total = countsOf(view)?.reduce((sum, count) => sum + count, 0) ?? view.order;
  const shares = chart.sizes.map(({ orderShare }) => orderShare);
  return { total, pieces: piecesOf(shares, total) };
}

/** Which size has which number. */
export const numberedText = ({ dimensions: [first] }: Pick<SizesData, 'dimensions'>): string =>
  first === undefined ? '' : `Sizes are numbered by ${inSentence(inWords(first.measurement))}.`;

/** How to read the dots. */
export const DOTS_CAPTION =
  'Each dot is one of 300 people drawn at random, as many of each population. A box is what one size serves; rings are people whom no size serves.';
