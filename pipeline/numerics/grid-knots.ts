import { Z_COUNT, Z_FIRST, Z_STEP } from '../../src/lookup/format.js';

/** Place of the median among `SCORES`. */
export const MIDDLE_KNOT = 7;
/** Scores of the grid up to about P1 and P99. */
export const SCORES: readonly number[] = Array.from(
  { length: 2 * MIDDLE_KNOT + 1 },
  (_, i) => (i - MIDDLE_KNOT) * Z_STEP,
);

/**
 * Quantiles of ln D at all scores of the grid, from those at `SCORES`. Beyond `SCORES`, ln D is a straight
 * line.
 */
export function allKnots(lnD: readonly number[]): number[] {
  const last = lnD.length - 1;
  const low = lnD[1] - lnD[0];
  const high = lnD[last] - lnD[last - 1];
  return Array.from({ length: Z_COUNT }, (_, i) => {
    const k = Math.round((Z_FIRST - SCORES[0]) / Z_STEP) + i;
    if (k < 0) return lnD[0] + k * low;
    return k > last ? lnD[last] + (k - last) * high : lnD[k];
  });
}
