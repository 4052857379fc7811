import { percent } from '../../site/labels.js';
import type { SizesView } from './address.js';
import type { SizesData } from './data-types.js';
import { productTitle } from './products.js';

/** The error of a share, such as `± 0.3 %`. The text does not wrap. */
export function errorText(error: number): string {
  return `±\u00a0${(error * 100).toLocaleString('en', { maximumSignificantDigits: 1 })} %`;
}

/** The answer in one sentence, such as `5 helmet sizes serve 91.5 % of Women US 18–65.` */
export function answerText(view: SizesView, { chart, label }: SizesData): string {
  const product = productTitle(view.product).toLowerCase().replace('t-shirt', 'T-shirt');
  return `${chart.sizes.length} ${product} sizes serve ${percent(chart.shareServed)} of ${label}.`;
}

/** A sentence about the number of sizes that the wanted share needs. */
export function targetText({ targetPercent, sizes }: SizesView, { least, curve }: SizesData) {
  const most = curve.at(-1);
  if (least === undefined) {
    return `${most?.sizes} sizes, the most that can be placed, serve less than ${targetPercent} %. Let one size serve a wider range, or leave a dimension out.`;
  }
  const enough = `The least number of sizes for ${targetPercent} % is ${least}.`;
  return sizes === undefined || sizes === least ? enough : `You chose ${sizes} sizes. ${enough}`;
}

/** How to read the dots. */
export const DOTS_CAPTION =
  'Each dot is one of 300 people drawn at random. A box is what one size serves; grey dots are people whom no size serves.';
