import { curveValue, normalDensity, zOfPercentile } from '../lookup/quantile-curve.js';

/**
 * A step of Newton's method shorter than this, as a normal score, is the last: its error is of the order
 * of z ÷ 2 × step², 0.00001 SD.
 */
const LAST_STEP_Z = 0.002;
const MOST_ROUNDS = 60;
/** An interval of values this short (mm, kg or kg/m²) has one value. */
const SHORTEST = 1e-6;

/** The share of people up to a value, and the density there. */
export interface Place {
  readonly value: number;
  readonly share: number;
  readonly density: number;
}

/**
 * Finds the values of percentiles in a weighted sum of distributions by Newton's method between bounds.
 * All places that were looked at are kept, because they bound the next percentile and guess its value.
 */
export class QuantileSearch {
  /** From the lowest value to the highest. */
  private readonly places: Place[] = [];
  private readonly found = new Map<number, number>();

  /**
   * @param curves quantile curves; every percentile lies between the values of some of them
   * @param look finds the place of a value
   */
  constructor(
    private readonly curves: readonly Float64Array[],
    private readonly look: (value: number) => Place,
  ) {}

  /** Value below which a percentile (0 to 100, both excluded) of the people lie. */
  value(percentile: number): number {
    const known = this.found.get(percentile);
    if (known !== undefined) return known;
    const value = this.find(percentile);
    this.found.set(percentile, value);
    return value;
  }

  private find(percentile: number): number {
    const target = percentile / 100;
    const z = zOfPercentile(percentile);
    const lastStep = LAST_STEP_Z * normalDensity(z);
    let { low, high, at } = this.bracket(z, target);
    for (let round = 0; round < MOST_ROUNDS && high - low > SHORTEST; round++) {
      const { share, density } = this.placeAt(at);
      if (share > target) high = at;
      else low = at;
      const step = density > 0 ? at - (share - target) / density : Number.NaN;
      if (Math.abs(share - target) < lastStep && step >= low && step <= high) return step;
      at = step > low && step < high ? step : (low + high) / 2;
    }
    return at;
  }

  /**
   * Bounds of a percentile's value, and a first guess. The bounds are the nearest places known from
   * earlier searches, or the extremes of the curves.
   */
  private bracket(z: number, target: number): { low: number; high: number; at: number } {
    const { places } = this;
    const next = places.findIndex(({ share }) => share > target);
    const above = next < 0 ? undefined : places[next];
    const below = next < 0 ? places.at(-1) : places[next - 1];
    if (below !== undefined && above !== undefined) {
      return { low: below.value, high: above.value, at: guess(below, above, z) };
    }
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let sum = 0;
    for (const curve of this.curves) {
      const value = curveValue(curve, z);
      low = Math.min(low, value);
      high = Math.max(high, value);
      sum += value;
    }
    low = Math.max(low, below?.value ?? low);
    high = Math.min(high, above?.value ?? high);
    return { low, high, at: Math.min(high, Math.max(low, sum / this.curves.length)) };
  }

  private placeAt(value: number): Place {
    const place = this.look(value);
    const after = this.places.findIndex((other) => other.value > value);
    this.places.splice(after < 0 ? this.places.length : after, 0, place);
    return place;
  }
}

/** The value at a normal score between two places: cubic in the score, with the slopes at both ends. */
function guess(below: Place, above: Place, z: number): number {
  const [from, to] = [zOfPercentile(100 * below.share), zOfPercentile(100 * above.share)];
  const width = to - from;
  const rise = above.value - below.value;
  if (!(width > 0 && width < Number.POSITIVE_INFINITY)) return below.value + rise / 2;
  const slope = ({ density }: Place, score: number) => (width * normalDensity(score)) / density;
  const [m0, m1] = [slope(below, from), slope(above, to)];
  const t = (z - from) / width;
  const cubic = t * (m0 + t * (3 * rise - 2 * m0 - m1 + t * (m0 + m1 - 2 * rise)));
  return below.value + (cubic > 0 && cubic < rise ? cubic : t * rise);
}
