import type { Drivers } from './us-drivers.js';

/**
 * A dimension given the drivers, on the log scale:
 * ln D = level + slopeStature (ln S − atLnStature) + slopeBmi (ln B − atLnBmi) + residual.
 */
export interface Given {
  readonly level: number;
  readonly slopeStature: number;
  readonly slopeBmi: number;
  readonly residualSd: number;
  /** Third central moment of the residual. */
  readonly residualThird: number;
}

/** Distribution of ln D in a population: mean, standard deviation and skewness. */
export interface Marginal {
  readonly mean: number;
  readonly sd: number;
  readonly skew: number;
}

/** Beyond this skewness the one-term expansion of the quantiles would stop rising within ± 4 SD. */
const LARGEST_SKEW = 0.6;

/** Spread and skew of ln D from the drivers' spread and the residual's; the mean is `level`. */
export function marginalOf(given: Given, drivers: Drivers): Marginal {
  const bs = given.slopeStature * drivers.lnStatureSd;
  const bb = given.slopeBmi * drivers.lnBmiSd;
  const variance = bs * bs + bb * bb + 2 * drivers.rho * bs * bb + given.residualSd ** 2;
  const sd = Math.sqrt(variance);
  const third = bb ** 3 * drivers.lnBmiSkew + given.residualThird;
  const skew = Math.min(LARGEST_SKEW, Math.max(-LARGEST_SKEW, third / sd ** 3));
  return { mean: given.level, sd, skew };
}

/**
 * ln D at standard normal z: the first term of the Cornish–Fisher expansion (Cornish and Fisher
 * 1938, Rev. Inst. Int. Stat. 5:307), scaled so that the variance stays sd² (E[(z² − 1)²] = 2).
 */
export function lnQuantile({ mean, sd, skew }: Marginal, z: number): number {
  const scale = sd / Math.sqrt(1 + (skew * skew) / 18);
  return mean + scale * (z + (skew * (z * z - 1)) / 6);
}

/** Median of ln D. */
export function lnMedian(marginal: Marginal): number {
  return lnQuantile(marginal, 0);
}

/** The same distribution moved so that its median is `medianMm`. */
export function withMedian(marginal: Marginal, medianMm: number): Marginal {
  return { ...marginal, mean: marginal.mean + Math.log(medianMm) - lnMedian(marginal) };
}

/** A mixture's parameters, `share` of the way from one distribution to another. */
export function blend(from: Marginal, to: Marginal, share: number): Marginal {
  const mix = (a: number, b: number) => a + share * (b - a);
  return {
    mean: mix(from.mean, to.mean),
    sd: mix(from.sd, to.sd),
    skew: mix(from.skew, to.skew),
  };
}
