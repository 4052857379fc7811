import { mean, median } from '../../numerics/numbers.js';

/**
 * SD of the true gap of genders among countries, in ln: 6 mm of the height at 5 years. Assumed, because the tables
 * cannot tell it: the scatter of their gaps is smaller than their standard errors (0.009 and 0.012 for adults).
 */
export const TRUE_GAP_SD = 0.0055;

/** MAD × this is the SD of a normal distribution. */
const SD_OF_MAD = 1.4826;

/** The genders of a country: mean of both ln statures, and ln of men’s over women’s stature. */
export interface Genders {
  readonly lnMean: number;
  readonly gap: number;
}

/** Gaps of genders among countries: the line of the gap on the mean, and a robust SD about it. */
export interface WorldGap {
  readonly expected: (lnMean: number) => number;
  readonly sd: number;
}

/**
 * Line and spread of the gaps of all countries. Taller people have larger gaps, also in ln.
 *
 * @param slope of the gap on the mean; least squares by default
 */
export function worldGap(countries: readonly Genders[], slope = slopeOf(countries)): WorldGap {
  const xMean = mean(countries.map(({ lnMean }) => lnMean));
  const middle = median(countries.map(({ gap }) => gap));
  const expected = (lnMean: number) => middle + slope * (lnMean - xMean);
  const rests = countries.map(({ lnMean, gap }) => Math.abs(gap - expected(lnMean)));
  return { expected, sd: SD_OF_MAD * median(rests) };
}

function slopeOf(countries: readonly Genders[]): number {
  const [xMean, yMean] = [
    mean(countries.map((one) => one.lnMean)),
    mean(countries.map((one) => one.gap)),
  ];
  const xy = mean(countries.map(({ lnMean, gap }) => (lnMean - xMean) * (gap - yMean)));
  return xy / mean(countries.map(({ lnMean }) => (lnMean - xMean) ** 2));
}

/**
 * The part of a country's departure from the world's gap that is an error: the best linear unbiased prediction, given
 * the true variance and that of the errors.
 */
export function gapError(
  { lnMean, gap }: Genders,
  { expected }: WorldGap,
  errorVariance: number,
  trueVariance = TRUE_GAP_SD ** 2,
): number {
  return ((gap - expected(lnMean)) * errorVariance) / (trueVariance + errorVariance);
}
