import { Z_COUNT, Z_FIRST, Z_STEP } from '../lookup/format.js';
import {
  curveInverse,
  curveSlope,
  normalDensity,
  percentileOfZ,
} from '../lookup/quantile-curve.js';
import { type Place, QuantileSearch } from './quantile-search.js';

/** Weight of each knot in an integral over the normal scores: φ(z), normalised. */
const KNOT_WEIGHTS = Float64Array.from({ length: Z_COUNT }, (_, i) =>
  normalDensity(Z_FIRST + i * Z_STEP),
);
const KNOT_SUM = KNOT_WEIGHTS.reduce((sum, weight) => sum + weight, 0);

/** The distribution of one quantity among people. */
export interface Distribution {
  /** Value below which a percentile (0 to 100, both excluded) of the people lie. */
  value(percentile: number): number;
  /** Share of the people up to a value, 0 to 1. */
  share(value: number): number;
  moments(): { mean: number; sd: number };
  /** Half width of the 95 % interval of a percentile's value; 0 for an exact one. */
  error(percentile: number): number;
}

/**
 * The distribution of one quantity in a mixture of cells: the weighted sum of the cells' distributions
 * (not a mean of their percentiles).
 */
export class Mixture implements Distribution {
  private readonly curves: readonly Float64Array[];
  private readonly search: QuantileSearch;

  /**
   * @param knots quantile curves of the cells, `Z_COUNT` values for each cell
   * @param weights weights of the cells, with the sum 1
   */
  constructor(
    knots: Float64Array,
    private readonly weights: Float64Array,
  ) {
    this.curves = Array.from({ length: weights.length }, (_, i) =>
      knots.subarray(i * Z_COUNT, (i + 1) * Z_COUNT),
    );
    this.search = new QuantileSearch(this.curves, (value) => this.placeAt(value));
  }

  /** Share of people up to a value, 0 to 1. */
  share(value: number): number {
    let sum = 0;
    for (let i = 0; i < this.curves.length; i++) {
      const z = curveInverse(this.curves[i] as Float64Array, value);
      sum += (this.weights[i] as number) * percentileOfZ(z);
    }
    return sum / 100;
  }

  value(percentile: number): number {
    return this.search.value(percentile);
  }

  /** Percentiles are exact to 0.0001 SD. */
  error(): number {
    return 0;
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
      share += (weight * percentileOfZ(z)) / 100;
      const slope = curveSlope(curve, z);
      if (slope > 0) density += (weight * normalDensity(z)) / slope;
    }
    return { value, share, density };
  }
}
