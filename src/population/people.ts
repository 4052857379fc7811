import { createHash } from 'node:crypto';
import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { Cohort, CohortCurves } from './bodies.js';
import type { JointBodies } from './joint.js';
import type { Market } from './market.js';
import { isOrdered, orderedPairs } from './orders.js';

const phiInverse = quantile.factory(0, 1);

/** A condition that people must meet, in mm, kg/m² or kg, nude and erect. */
export interface Condition {
  readonly quantity: number;
  readonly min: number;
  readonly max: number;
}

/** Bodies drawn for one person at most, until one keeps the orders. */
const BODIES_MAX = 1000;
/** People drawn for one person at most, until one meets the conditions; a thousandth of the people do. */
const PEOPLE_MAX = 100_000;
/** Least probability of a score. */
const LEAST = 1e-12;

/** A person drawn from a population. */
export interface Person {
  readonly cohort: Cohort;
  /** Values of all quantities, nude and erect; the memory is used again for the next person. */
  readonly values: Float64Array;
}

/**
 * Draws people from a population. Person i depends on the artifact, the population, the seed and i
 * alone: each has random numbers of its own, from a hash of the seed and i.
 */
export class PeopleSource {
  private readonly cumulative: Float64Array;
  private readonly pairs: readonly (readonly [number, number])[];
  private readonly values: Float64Array;
  private readonly curves: CohortCurves;

  constructor(
    private readonly joint: JointBodies,
    private readonly market: Pick<Market, 'cohorts' | 'weights'>,
    private readonly keep: readonly Condition[],
    private readonly seed: number,
  ) {
    let sum = 0;
    this.cumulative = market.weights.map((weight) => {
      sum += weight;
      return sum;
    });
    this.pairs = orderedPairs(joint.bodies);
    this.values = new Float64Array(joint.bodies.names.length);
    this.curves = joint.curves();
  }

  /**
   * Person i of the population, 0 to 2³² − 1.
   *
   * @throws Error when no body meets the conditions and the orders
   */
  person(i: number): Person {
    const { joint, market, keep, values, curves } = this;
    const uniform = randomNumbers(this.seed, i);
    for (let drawn = 0; drawn < PEOPLE_MAX; drawn++) {
      const cohort = market.cohorts[this.cohortAt(uniform())] as Cohort;
      const basis = joint.basis(cohort);
      const n = basis.free.length;
      curves.at(cohort);
      // An order that the medians break is none of these people.
      const pairs = this.pairs.filter(([above, below]) => {
        return !(curves.middle(above).median < curves.middle(below).median);
      });
      let ordered = false;
      for (let body = 0; body < BODIES_MAX && !ordered; body++) {
        const independent = Float64Array.from({ length: n }, () =>
          phiInverse(Math.max(LEAST, uniform())),
        );
        joint.values(cohort, basis, curves, timesFactor(basis.factor, independent), values);
        ordered = isOrdered(pairs, values);
      }
      if (!ordered) throw new Error('no body keeps the orders of parts and wholes');
      if (keep.every(({ quantity, min, max }) => within(values[quantity], min, max))) {
        return { cohort, values };
      }
    }
    throw new Error('nobody meets the conditions of the population');
  }

  /** The cohort at a place of the cumulative weights, by bisection. */
  private cohortAt(place: number): number {
    const { cumulative } = this;
    const target = place * (cumulative.at(-1) as number);
    let [low, high] = [0, cumulative.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] as number) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function within(value: number | undefined, min: number, max: number): boolean {
  return value !== undefined && value >= min && value <= max;
}

/** Factor × vector: scores that correlate. */
function timesFactor(factor: Float64Array, vector: Float64Array): Float64Array {
  const n = vector.length;
  const product = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j <= i; j++) sum += (factor[i * n + j] as number) * (vector[j] as number);
    product[i] = sum;
  }
  return product;
}

/** Uniform random numbers of one person, 0 included, 1 excluded. */
function randomNumbers(seed: number, i: number): () => number {
  const hash = createHash('sha256').update(`${seed}/${i}`).digest();
  const state = [0, 4, 8, 12].map((at) => hash.readInt32LE(at));
  const generator = xoroshiro128plusFromState(state);
  return () => uniformFloat64(generator);
}
