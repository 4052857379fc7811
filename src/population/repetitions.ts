/** Independent repetitions of a computation; their spread is its numerical error. */
export const REPETITIONS = 8;

/** 97.5th percentile of Student's t with 7 degrees of freedom (Abramowitz and Stegun 1964, 26.7). */
const T_QUANTILE = 2.365;

/** Mean of the results of `REPETITIONS` repetitions, and the half width of its 95 % interval. */
export function meanOf(results: Float64Array): { mean: number; error: number } {
  const mean = results.reduce((sum, result) => sum + result, 0) / REPETITIONS;
  const squares = results.reduce((sum, result) => sum + (result - mean) ** 2, 0);
  return { mean, error: T_QUANTILE * Math.sqrt(squares / (REPETITIONS - 1) / REPETITIONS) };
}

/** Numbers between 0 and 1 that are the same in every run (Park and Miller 1988, Comm. ACM 31:1192). */
export function shifts(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
