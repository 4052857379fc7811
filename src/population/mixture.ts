import { Z_COUNT, Z_FIRST, Z_STEP } from '../lookup/format.js';
import {
  curveInverse,
  curveSlope,
  curveValue,
  normalDensity,
  percentileOfZ,
  zOfPercentile,
} from '../lookup/quantile-curve.js';

/** Weight of each knot in an integral over the normal scores: φ(z), normalised. */
const KNOT_WEIGHTS = Float64Array.from({ length: Z_COUNT }, (_, i) =>
  normalDensity(Z_FIRST + i * Z_STEP),
);
const KNOT_SUM = KNOT_WEIGHTS.reduce((sum, weight) => sum + weight, 0);

/** Percentiles are met this closely, in the unit of the quantity (mm, kg or kg/m²). */
const TOLERANCE = 1e-4;
const MOST_ROUNDS = 60;

/**
 * The distribution of one quantity in a mixture of cells: the weighted sum of the cells' distributions
 * (not a mean of their percentiles).
 */
export class Mixture {
  private readonly curves: readonly Float64Array[];

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

  /** Value below which a percentile (0 to 100, both excluded) of the people lie. */
  value(percentile: number): number {
    const z = zOfPercentile(percentile);
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const curve of this.curves) {
      const value = curveValue(curve, z);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    const target = percentile / 100;
    let at = (low + high) / 2;
    for (let round = 0; round < MOST_ROUNDS && high - low > TOLERANCE; round++) {
      const { share, density } = this.shareAndDensity(at);
      if (share > target) high = at;
      else low = at;
      const step = density > 0 ? at - (share - target) / density : Number.NaN;
      const next = step > low && step < high ? step : (low + high) / 2;
      if (Math.abs(next - at) < TOLERANCE) return next;
      at = next;
    }
    return at;
  }

  /** Percentiles are exact to 0.0001 of the unit. */
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

  private shareAndDensity(value: number): { share: number; density: number } {
    let [share, density] = [0, 0];
    for (let i = 0; i < this.curves.length; i++) {
      const curve = this.curves[i] as Float64Array;
      const z = curveInverse(curve, value);
      const weight = this.weights[i] as number;
      share += (weight * percentileOfZ(z)) / 100;
      const slope = curveSlope(curve, z);
      if (slope > 0) density += (weight * normalDensity(z)) / slope;
    }
    return { share, density };
  }
}
