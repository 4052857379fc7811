import { Z_COUNT, Z_FIRST, Z_STEP } from '../lookup/format.js';
import { curveInverse, curveSlope, normalDensity } from '../lookup/quantile-curve.js';
import { fastPhi } from './fast-normal.js';
import type { JoinedCurves } from './joined-curves.js';
import { type Place, QuantileSearch } from './quantile-search.js';
import { meanOf, REPETITIONS } from './repetitions.js';

/** Weight of each knot in an integral over the normal scores: φ(z), normalised. */
const KNOT_WEIGHTS = Float64Array.from({ length: Z_COUNT }, (_, i) =>
  normalDensity(Z_FIRST + i * Z_STEP),
);
const KNOT_SUM = KNOT_WEIGHTS.reduce((sum, weight) => sum + weight, 0);

/**
 * The distribution of one quantity in a mixture of cells: the weighted sum of the cells' distributions
 * (not a mean of their percentiles). Percentiles are exact to 0.0001 SD of the curves given.
 */
export class Mixture {
  private readonly curves: readonly Float64Array[];
  private readonly weights: Float64Array;
  private readonly search: QuantileSearch;

  constructor(private readonly cells: JoinedCurves) {
    const { knots, weights } = cells;
    this.weights = weights;
    this.curves = Array.from({ length: weights.length }, (_, i) =>
      knots.subarray(i * Z_COUNT, (i + 1) * Z_COUNT),
    );
    this.search = new QuantileSearch(this.curves, (value) => this.placeAt(value));
  }

  /** Number of curves. */
  get size(): number {
    return this.curves.length;
  }

  /** Share of people up to a value, 0 to 1. */
  share(value: number): number {
    let sum = 0;
    for (let i = 0; i < this.curves.length; i++) {
      const z = curveInverse(this.curves[i] as Float64Array, value);
      sum += (this.weights[i] as number) * fastPhi(z);
    }
    return sum;
  }

  /** Value below which a percentile (0 to 100, both excluded) of the people lie. */
  value(percentile: number): number {
    return this.search.value(percentile);
  }

  /**
   * Half width of the 95 % interval of a percentile's value, from the spread of the repetitions; 0 without
   * repetitions.
   */
  error(percentile: number): number {
    const { repetitions } = this.cells;
    if (repetitions === undefined) return 0;
    const value = this.value(percentile);
    const shares = new Float64Array(REPETITIONS);
    let density = 0;
    for (let i = 0; i < this.curves.length; i++) {
      const curve = this.curves[i] as Float64Array;
      const z = curveInverse(curve, value);
      const slope = curveSlope(curve, z);
      const there = slope > 0 ? normalDensity(z) / slope : 0;
      density += (this.weights[i] as number) * there;
      const knot = Math.round(Math.min(Z_COUNT - 1, Math.max(0, (z - Z_FIRST) / Z_STEP)));
      repetitions.addTo(shares, i, fastPhi(z), there, knot);
    }
    return density > 0 ? meanOf(shares).error / density : 0;
  }

  /** Mean and standard deviation. */
  moments(): { mean: number; sd: number } {
    let [mean, square] = [0, 0];
    for (let i = 0; i < this.curves.length; i++) {
      const curve = this.curves[i] as Float64Array;
      let [first, second] = [0, 0];
      for (let k = 0; k < Z_COUNT; k++) {
        const value = curve[k] as number;
        first += (KNOT_WEIGHTS[k] as number) * value;
        second += (KNOT_WEIGHTS[k] as number) * value * value;
      }
      mean += ((this.weights[i] as number) * first) / KNOT_SUM;
      square += ((this.weights[i] as number) * second) / KNOT_SUM;
    }
    return { mean, sd: Math.sqrt(Math.max(0, square - mean * mean)) };
  }

  private placeAt(value: number): Place {
    let [share, density] = [0, 0];
    for (let i = 0; i < this.curves.length; i++) {
      const curve = this.curves[i] as Float64Array;
      const z = curveInverse(curve, value);
      const weight = this.weights[i] as number;
      share += weight * fastPhi(z);
      const slope = curveSlope(curve, z);
      if (slope > 0) density += (weight * normalDensity(z)) / slope;
    }
    return { value, share, density };
  }
}
