import { percent } from '../../site/labels.js';

/** A share with those if all medians were off by their error. */
interface ShareOff {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** Shares below this are shown as 0.0 %. */
export const SHOWN_FROM = 0.0005;

/**
 * How far the error of the predicted medians could move a share. If limits have both ends, larger people and smaller
 * people both fit worse. The share could then only be lower, so there is no range around it.
 */
export function predictionErrorText({ share, low, high }: ShareOff): string {
  if (high - low < SHOWN_FROM) return 'Uncertain by less than 0.1 %.';
  if (high - share < SHOWN_FROM) {
    return `At least ${percent(low)}, if people are larger or smaller than predicted.`;
  }
  return `Range: ${sharesText(low, high)}, because predicted medians are not exact.`;
}

const sharesText = (low: number, high: number): string =>
  `${percent(low).replace(/\s%$/, '')}–${percent(high)}`;

/** A share, and how far errors of medians could move it: `31.0 % (4.4–71.2 %)`. */
export function boundedShare({ share, low, high }: ShareOff): string {
  return high - low < SHOWN_FROM ? percent(share) : `${percent(share)} (${sharesText(low, high)})`;
}

/** The assumption behind `predictionErrorText`. */
export const PREDICTION_ERROR_BASIS =
  'The share as it is, and if all medians were off by their 90 % error, to one side or to the other. The spread of the people is taken as predicted.';
