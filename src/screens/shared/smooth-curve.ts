import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';
import type { CoarseCurve } from '../dimension/data-types.js';

const standardCdf = cdf.factory(0, 1);
const standardQuantile = quantile.factory(0, 1);

/** Curves are drawn up to this number of standard deviations on both sides of the median. */
const DRAWN_Z = 2.9;
const DRAWN_STEPS = 96;

/** Range of percentiles with a finite z. The service refuses other percentiles in an address. */
const SHOWN_PERCENTILES = [0.01, 99.99] as const;

/** Standard normal z of a percentile. The percentile is first limited to 0.01 to 99.99. */
export function zOfPercentile(percentile: number): number {
  const [least, most] = SHOWN_PERCENTILES;
  return standardQuantile(Math.min(most, Math.max(least, percentile)) / 100);
}

/** A point of a density curve: a length, and the probability density at it, per unit of length. */
export interface DensityPoint {
  readonly value: number;
  readonly density: number;
}

/**
 * A smooth quantile function through coarse points, for drawing and dragging. Lengths are a cubic in z. The
 * least-squares fit hides the rounding of the points. Exact numbers come from the service.
 */
export class SmoothCurve {
  readonly #terms: Terms;
  readonly #z: readonly number[];
  /** Difference between each point and the fit. */
  readonly #residuals: readonly number[];

  constructor({ percentiles, values }: CoarseCurve) {
    const z = percentiles.map(zOfPercentile);
    const cubic = cubicThrough(z, values);
    const rises = Array.from({ length: 61 }, (_, i) => slope(cubic, (i - 30) / 10));
    this.#terms = rises.every((rise) => rise > 0) ? cubic : straight(z, values);
    this.#z = z;
    this.#residuals = values.map((value, index) => value - valueAtZ(this.#terms, z[index] ?? 0));
  }

  /** Length at a percentile. */
  valueAt(percentile: number): number {
    return this.#valueAtZ(zOfPercentile(percentile));
  }

  /** Percentile of a length; practically 0 or 100 beyond ± 6 standard deviations. */
  percentileOf(value: number): number {
    let low = -6;
    let high = 6;
    for (let round = 0; round < 40; round++) {
      const middle = (low + high) / 2;
      if (this.#valueAtZ(middle) < value) low = middle;
      else high = middle;
    }
    return standardCdf((low + high) / 2) * 100;
  }

  /** Points of the density curve, by increasing length. */
  density(): DensityPoint[] {
    return Array.from({ length: DRAWN_STEPS + 1 }, (_, step) => {
      const z = (step / DRAWN_STEPS) * 2 * DRAWN_Z - DRAWN_Z;
      return this.#pointAtZ(z);
    });
  }

  /** The value at z, on a curve that passes through the points. A drag must show their values. */
  #valueAtZ(z: number): number {
    const after = this.#z.findIndex((known) => known > z);
    const at = (index: number) => this.#residuals[index] ?? 0;
    if (after <= 0) return valueAtZ(this.#terms, z) + at(after === 0 ? 0 : this.#z.length - 1);
    const [from = 0, to = 1] = [this.#z[after - 1], this.#z[after]];
    const share = (z - from) / (to - from);
    return valueAtZ(this.#terms, z) + at(after - 1) + share * (at(after) - at(after - 1));
  }

  #pointAtZ(z: number): DensityPoint {
    const phi = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
    return { value: valueAtZ(this.#terms, z), density: phi / slope(this.#terms, z) };
  }
}

type Terms = readonly [number, number, number, number];

function valueAtZ([a, b, c, d]: Terms, z: number): number {
  return a + z * (b + z * (c + z * d));
}

function slope([, b, c, d]: Terms, z: number): number {
  return b + z * (2 * c + 3 * d * z);
}

/** A least-squares cubic. The z values are symmetric about 0, so even and odd terms are fitted separately. */
function cubicThrough(z: readonly number[], values: readonly number[]): Terms {
  const at = (index: number) => values[index] ?? 0;
  const mirrored = (index: number) => at(values.length - 1 - index);
  const even = values.map((value, index) => (value + mirrored(index)) / 2);
  const odd = values.map((value, index) => (value - mirrored(index)) / 2);
  const [a, c] = twoTerms(
    z.map(() => 1),
    z.map((x) => x * x),
    even,
  );
  const [b, d] = twoTerms(
    z,
    z.map((x) => x ** 3),
    odd,
  );
  return [a, b, c, d];
}

/** The straight line through both ends. It is used if no increasing cubic fits the points. */
function straight(z: readonly number[], values: readonly number[]): Terms {
  const [first = 0] = values;
  const last = values.at(-1) ?? first;
  const span = (z.at(-1) ?? 1) - (z[0] ?? -1);
  return [(first + last) / 2, Math.max((last - first) / span, 1e-6), 0, 0];
}

function twoTerms(f: readonly number[], g: readonly number[], y: readonly number[]) {
  const dot = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  const [ff, fg, gg, fy, gy] = [dot(f, f), dot(f, g), dot(g, g), dot(f, y), dot(g, y)];
  const det = ff * gg - fg * fg;
  return [(fy * gg - gy * fg) / det, (gy * ff - fy * fg) / det] as const;
}
