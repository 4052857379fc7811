import { normalDensity, percentileOfZ } from '../../src/lookup/cell.js';
import { lnQuantileOf, type Marginal, scoreOf } from './marginal.js';

/** A coefficient times a dimension with a distribution of ln D. */
export interface WeightedMarginal {
  readonly coefficient: number;
  readonly marginal: Marginal;
}

/** Scores of the second part over which the trapezoidal rule runs. */
const LAST_SCORE = 4.5;
const SCORE_STEP = 0.45;
const NODES = Array.from(
  { length: Math.round((2 * LAST_SCORE) / SCORE_STEP) + 1 },
  (_, i) => i * SCORE_STEP - LAST_SCORE,
);
const WEIGHTS = NODES.map((z) => SCORE_STEP * normalDensity(z));
const ROUNDS = 2;

/**
 * Quantiles in mm of a sum of two skewed dimensions with correlated normal scores. The probability of a
 * smaller sum is integrated over the score y of the second part. Given y, the first score is N(ρ y, 1 −
 * ρ²). Two steps of Newton's method then lead from the guess to the value of each probability.
 *
 * @param first part with a positive coefficient
 * @param scores standard normal scores of the quantiles, with first guesses in mm
 */
export function pairQuantiles(
  first: WeightedMarginal,
  second: WeightedMarginal,
  rho: number,
  scores: readonly number[],
  guessesMm: readonly number[],
): number[] {
  const lnSecond = lnQuantileOf(second.marginal);
  const secondMm = NODES.map((y) => second.coefficient * Math.exp(lnSecond(y)));
  const score = scoreOf(first.marginal);
  const spread = Math.sqrt(1 - rho * rho);
  const below = (mm: number) => {
    let [probability, density] = [0, 0];
    for (let i = 0; i < NODES.length; i++) {
      const left = (mm - secondMm[i]) / first.coefficient;
      if (left <= 0) continue;
      const { z, slope } = score(Math.log(left));
      const at = (z - rho * NODES[i]) / spread;
      probability += (WEIGHTS[i] * percentileOfZ(at)) / 100;
      density += (WEIGHTS[i] * normalDensity(at)) / (spread * slope * left);
    }
    return { probability, density: density / first.coefficient };
  };
  return scores.map((z, i) => {
    const wanted = percentileOfZ(z) / 100;
    let mm = guessesMm[i];
    for (let round = 0; round < ROUNDS; round++) {
      const { probability, density } = below(mm);
      if (density <= 0) break;
      const step = (wanted - probability) / density;
      mm += step;
    }
    return mm;
  });
}
