import { Z_COUNT } from '../lookup/format.js';
import {
  curveInverse,
  curveSlope,
  curveValue,
  normalDensity,
  percentileOfZ,
} from '../lookup/quantile-curve.js';
import type { Bodies, Dress } from './bodies.js';
import { boxPoint } from './box-probability.js';
import { type Limit, scoreLimits } from './limits.js';
import type { Market } from './market.js';
import type { Distribution } from './mixture.js';
import { type Place, QuantileSearch } from './quantile-search.js';
import { Factors, shifts, T_QUANTILE } from './share.js';

/** Independent repetitions; their spread is the numerical error. */
const REPETITIONS = 8;
/** Points of a repetition. */
const POINTS = 2048;
const SEED = 30_011;
/** How far conditions move a percentile, as a score; beyond the scores of everybody. */
const EXTREME_Z = 9;

/**
 * The people of a population who meet conditions, as weighted points of a lattice inside the conditions
 * (Genz 1992, J. Comput. Graph. Stat. 1:141, as in `boxProbability`). A point stands for people of one
 * cohort with given scores in the conditions; the scores of another quantity are normal among them.
 */
export class ConditionedPeople {
  /** Index among the conditions' cohorts of each point; points of a cohort stand together. */
  private readonly cohortOf = new Int32Array(REPETITIONS * POINTS);
  private readonly weights = new Float64Array(REPETITIONS * POINTS);
  /** Independent normal scores of each point, one for each quantity of the conditions. */
  private readonly scores: Float64Array;
  private readonly quantities: readonly number[];

  constructor(
    private readonly bodies: Bodies,
    private readonly market: Pick<Market, 'cohorts' | 'weights'>,
    keep: readonly Limit[],
  ) {
    const { quantities, low, high } = scoreLimits(bodies, market, keep);
    this.quantities = quantities;
    const n = quantities.length;
    this.scores = new Float64Array(REPETITIONS * POINTS * n);
    const factors = new Factors(bodies, quantities);
    const random = shifts(SEED);
    const shift = new Float64Array(n);
    for (let r = 0; r < REPETITIONS; r++) {
      for (let i = 0; i < n; i++) shift[i] = random();
      // Cohorts stand at even steps of the cumulative weight (systematic sampling), which all
      // repetitions together make shorter.
      const start = (r + random()) / REPETITIONS;
      let [c, reached] = [0, market.weights[0] as number];
      for (let k = 0; k < POINTS; k++) {
        while (reached < (k + start) / POINTS && c + 1 < market.cohorts.length) {
          reached += market.weights[++c] as number;
        }
        const factor = factors.of(market.cohorts[c] as Market['cohorts'][number]);
        const at = r * POINTS + k;
        this.cohortOf[at] = c;
        this.weights[at] = boxPoint(
          factor,
          low.subarray(c * n, c * n + n),
          high.subarray(c * n, c * n + n),
          k + 1,
          shift,
          this.scores.subarray(at * n, at * n + n),
        );
      }
    }
  }

  /**
   * The distribution of a quantity among these people.
   *
   * @throws Error for a quantity without a model in a cohort
   */
  of(quantity: number, dress: Dress): Distribution {
    const { bodies, market, cohortOf, weights, scores } = this;
    const n = this.quantities.length;
    const factors = new Factors(bodies, [...this.quantities, quantity]);
    const cells = new Map<number, number>();
    const curves: Float64Array[] = [];
    const points = cohortOf.length;
    const [cellOf, means, sds] = [
      new Int32Array(points),
      new Float64Array(points),
      new Float64Array(points),
    ];
    for (let at = 0; at < points; at++) {
      const c = cohortOf[at] as number;
      const cohort = market.cohorts[c] as Market['cohorts'][number];
      let cell = cells.get(c);
      if (cell === undefined) {
        cell = curves.length;
        cells.set(c, cell);
        const knots = new Float64Array(Z_COUNT);
        if (!bodies.fill(quantity, cohort, dress, knots)) {
          throw new Error(`no model of ${bodies.names[quantity]} in a cohort`);
        }
        curves.push(knots);
      }
      const factor = factors.of(cohort);
      const row = n * (n + 1);
      let mean = 0;
      for (let j = 0; j < n; j++) {
        mean += (factor[row + j] as number) * (scores[at * n + j] as number);
      }
      cellOf[at] = cell;
      means[at] = mean;
      sds[at] = factor[row + n] as number;
    }
    return new ConditionedMixture({ curves, cellOf, weights, means, sds });
  }
}

/** Points of people: each is a normal distribution of scores in a cell. */
interface Points {
  /** Quantile curves of the cells. */
  readonly curves: readonly Float64Array[];
  readonly cellOf: Int32Array;
  readonly weights: Float64Array;
  readonly means: Float64Array;
  readonly sds: Float64Array;
}

/** The weighted sum of the distributions of points. */
class ConditionedMixture implements Distribution {
  /** Scores of a value in the cells, and the slopes of their curves there. */
  private readonly z: Float64Array;
  private readonly slopes: Float64Array;
  private readonly total: number;
  private readonly search: QuantileSearch;

  constructor(private readonly points: Points) {
    this.z = new Float64Array(points.curves.length);
    this.slopes = new Float64Array(points.curves.length);
    this.total = points.weights.reduce((sum, weight) => sum + weight, 0);
    this.search = new QuantileSearch(points.curves, (value) => this.placeAt(value), EXTREME_Z);
  }

  share(value: number): number {
    return this.placeAt(value).share;
  }

  value(percentile: number): number {
    return this.search.value(percentile);
  }

  /** Mean and standard deviation: by the rule of Gauss and Hermite for each point. */
  moments(): { mean: number; sd: number } {
    const { points } = this;
    const { curves, cellOf, weights, means, sds } = points;
    let [mean, square] = [0, 0];
    for (let at = 0; at < weights.length; at++) {
      const curve = curves[cellOf[at] as number] as Float64Array;
      for (const [score, share] of QUADRATURE) {
        const z = (means[at] as number) + score * (sds[at] as number);
        const value = curveValue(curve, z);
        const weight = ((weights[at] as number) * share) / this.total;
        mean += weight * value;
        square += weight * value * value;
      }
    }
    return { mean, sd: Math.sqrt(Math.max(0, square - mean * mean)) };
  }

  /** Half width of the 95 % interval of a percentile's value, from the spread of the repetitions. */
  error(percentile: number): number {
    const { density } = this.placeAt(this.value(percentile));
    const { cellOf, weights, means, sds } = this.points;
    const shares = Array.from({ length: REPETITIONS }, (_, r) => {
      let [sum, total] = [0, 0];
      for (let at = r * POINTS; at < (r + 1) * POINTS; at++) {
        const z = this.z[cellOf[at] as number] as number;
        const weight = weights[at] as number;
        sum += (weight * percentileOfZ((z - (means[at] as number)) / (sds[at] as number))) / 100;
        total += weight;
      }
      return total > 0 ? sum / total : 0;
    });
    const mean = shares.reduce((sum, share) => sum + share, 0) / REPETITIONS;
    const variance =
      shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (REPETITIONS - 1);
    return density > 0 ? (T_QUANTILE * Math.sqrt(variance / REPETITIONS)) / density : 0;
  }

  private placeAt(value: number): Place {
    const { z, slopes, points, total } = this;
    const { curves, cellOf, weights, means, sds } = points;
    curves.forEach((curve, cell) => {
      z[cell] = curveInverse(curve, value);
      slopes[cell] = curveSlope(curve, z[cell] as number);
    });
    let [share, density] = [0, 0];
    for (let at = 0; at < weights.length; at++) {
      const cell = cellOf[at] as number;
      const sd = sds[at] as number;
      const place = ((z[cell] as number) - (means[at] as number)) / sd;
      const weight = weights[at] as number;
      share += (weight * percentileOfZ(place)) / 100;
      const slope = (slopes[cell] as number) * sd;
      if (slope > 0) density += (weight * normalDensity(place)) / slope;
    }
    return { value, share: share / total, density: density / total };
  }
}

/** Scores and shares of the Gauss–Hermite rule with five points (Abramowitz and Stegun 1964, 25.10). */
const QUADRATURE: readonly (readonly [number, number])[] = [
  [-2.85697, 0.011257],
  [-1.355626, 0.222076],
  [0, 0.533333],
  [1.355626, 0.222076],
  [2.85697, 0.011257],
];
