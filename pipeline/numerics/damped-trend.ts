import { mean } from './numbers.js';

/** A series in even steps, oldest first. */
export type EvenSeries = readonly number[];

/** A damped trend for many series: its factor, and its errors in the back-test. */
export interface DampedTrend {
  /** Share of the change that is left after each step, 0 to 1. */
  readonly phi: number;
  /** Root mean square error of the back-test, by steps ahead; the first entry is 0 steps ahead. */
  readonly errors: readonly number[];
}

/** Factors tried by `fitTrend`. */
const FACTORS = Array.from({ length: 21 }, (_, i) => i / 20);

/** φ + φ² + … over `steps` steps, also for parts of a step. */
function dampedSteps(steps: number, phi: number): number {
  if (phi === 1) return steps;
  return (phi * (1 - phi ** steps)) / (1 - phi);
}

/**
 * Continues a series by a damped trend: last value + last change × (φ + φ² + … + φ^steps). With φ = 0
 * nothing changes; with φ = 1 the last change goes on for ever. The formula is that of Gardner & McKenzie
 * 1985, "Forecasting trends in time series", Management Science 31:1237. Both smoothing weights are 1,
 * because the series are smooth estimates already.
 *
 * @param steps steps after the last value; fractions are allowed
 * @throws Error for a series of fewer than two values
 */
export function projected(series: EvenSeries, steps: number, phi: number): number {
  const [before, last] = series.slice(-2);
  if (before === undefined || last === undefined) throw new Error('a trend needs two values');
  return last + (last - before) * dampedSteps(steps, phi);
}

/** A cut series: the last change before the cut, and how far the series then went. */
interface Cut {
  readonly change: number;
  readonly went: number;
}

/** Every cut that leaves two values before it and `steps` values after it. */
function cutsOf(all: readonly EvenSeries[], steps: number): Cut[] {
  return all.flatMap((series) => {
    const cuts: Cut[] = [];
    for (let last = 1; last + steps < series.length; last++) {
      const [before, at] = [series[last - 1], series[last]];
      cuts.push({ change: at - before, went: series[last + steps] - at });
    }
    return cuts;
  });
}

/**
 * Fits the damping factor that all series share. Every series is cut at every possible point and projected
 * `steps` steps ahead. The result is the factor with the smallest mean absolute error.
 *
 * @param all series in the same unit
 * @param steps how far ahead the factor must serve
 * @throws Error when no series is longer than `steps` + 1
 */
export function fitTrend(all: readonly EvenSeries[], steps: number): DampedTrend {
  const cuts = cutsOf(all, steps);
  if (cuts.length === 0) throw new Error(`no series reaches ${steps} steps ahead`);
  let best = { phi: 0, error: Number.POSITIVE_INFINITY };
  for (const phi of FACTORS) {
    const gone = dampedSteps(steps, phi);
    const error = mean(cuts.map(({ change, went }) => Math.abs(change * gone - went)));
    if (error < best.error) best = { phi, error };
  }
  const { phi } = best;
  const rootMeanSquare = (ahead: number) => {
    const gone = dampedSteps(ahead, phi);
    return Math.sqrt(mean(cutsOf(all, ahead).map((c) => (c.change * gone - c.went) ** 2)));
  };
  const errors = Array.from({ length: steps + 1 }, (_, i) => (i === 0 ? 0 : rootMeanSquare(i)));
  return { phi, errors };
}

/**
 * Standard error of a projection, from the back-test. It is linear between the steps of the back-test.
 * Beyond them, it grows as in the last step.
 */
export function projectionError({ errors }: DampedTrend, steps: number): number {
  if (steps <= 0) return 0;
  const from = Math.min(Math.floor(steps), errors.length - 2);
  const [low, high] = [errors[from], errors[from + 1]];
  return low + (steps - from) * (high - low);
}
