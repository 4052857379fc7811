import { GENDERS, type Gender } from '../../src/core/genders.js';
import { curveInverse, curveValue, percentileOfZ, zOfPercentile } from '../../src/lookup/cell.js';
import {
  isOrdered,
  keptByMedians,
  type QuantityConstraint,
  quantityConstraints,
} from '../../src/population/constraints.js';
import { PeopleSource } from '../../src/population/people.js';
import type { Cohort, CohortCurves } from '../../src/population/people-model.js';
import { mean } from '../numerics/numbers.js';
import { groupBy, round4, share } from './metrics.js';
import { type UsMarket, type UsPeople, usCohort, usMarket } from './us-bodies.js';

/** Percentiles of the marginals that are compared. */
export const SAMPLED_PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const;
const SCORES = SAMPLED_PERCENTILES.map(zOfPercentile);

/** Error of one percentile of one quantity: sampled people − grid, in SD of the quantity. */
export interface SampledMarginal {
  readonly gender: Gender;
  readonly quantity: string;
  /** A sum, difference or product of other quantities of the person. */
  readonly sum: boolean;
  readonly percentile: number;
  readonly errorSd: number;
}

/** Correlations of scores of one gender: sampled people compared with the artifact. */
export interface SampledCorrelations {
  readonly gender: Gender;
  /** Number of pairs. A pair of an alias and its dimension does not count. */
  readonly pairs: number;
  /** Root mean square of the differences over all pairs (`rms`), and over pairs of two free quantities (`freeRms`). */
  readonly rms: number;
  readonly freeRms: number;
}

/** Largest allowed errors of the percentiles of sampled people, in SD: of most quantities, and of sums of parts. */
const ASKED_MARGINAL_SD = 0.03;
const ASKED_SAMPLED_SUM_SD = 0.05;

/** Whether a percentile of sampled people is near enough to the grid’s percentile. */
export const isNear = ({ sum, errorSd }: SampledMarginal): boolean =>
  Math.abs(errorSd) <= (sum ? ASKED_SAMPLED_SUM_SD : ASKED_MARGINAL_SD);

/** Errors of the percentiles of one gender: of sums of parts, or of all other quantities. */
export interface SampledErrors {
  readonly gender: Gender;
  readonly sum: boolean;
  readonly percentiles: number;
  /** Mean and largest of the absolute errors, in SD. */
  readonly meanSd: number;
  readonly largestSd: number;
  /** Share of the percentiles whose error is within the allowed error. */
  readonly within: number;
}

/** Findings about sampled people. The figures have four decimals, as in `docs/accuracy-summary.json`. */
export interface SampledPeople {
  readonly people: number;
  /** Number of people who break an identity, and number who break a constraint on a part and its whole. */
  readonly brokenIdentities: number;
  readonly brokenConstraints: number;
  readonly errors: readonly SampledErrors[];
  /** The percentiles whose error exceeds the allowed error. */
  readonly missed: readonly SampledMarginal[];
  readonly correlations: readonly SampledCorrelations[];
}

/** Number of people that are sampled. */
export const SAMPLED = 1_000_000;
/** Completed age, in the reference year, of the men and women whose marginals are compared. */
export const SAMPLED_AGE = 40;
/** Share of the people whose ages spread from `LEAST_AGE` to `MOST_AGE`. */
const OF_ALL_AGES = 0.05;
const LEAST_AGE = 2;
const MOST_AGE = 90;
/** Number of people of each gender whose correlations are computed. */
export const CORRELATED_MOST = 50_000;
const SEED = 41;
/** An identity is broken if its sides differ by more than this, in mm, kg/m² or kg. */
const IDENTITY_TOLERANCE = 1e-6;

/** Counts people who break identities and constraints. */
class CoherenceCount {
  people = 0;
  identities = 0;
  orders = 0;
  private readonly curves: CohortCurves;
  private cohort: Cohort | undefined;
  /** Constraints that the medians of the cohort meet. */
  private kept: readonly QuantityConstraint[] = [];

  constructor(private readonly us: UsPeople) {
    this.curves = us.joint.curves();
  }

  private turnTo(cohort: Cohort): void {
    if (cohort === this.cohort) return;
    this.cohort = cohort;
    this.curves.at(cohort);
    this.kept = keptByMedians(quantityConstraints(this.us.peopleModel), this.curves);
  }

  add(cohort: Cohort, values: Float64Array): void {
    const { peopleModel, joint } = this.us;
    this.people += 1;
    this.turnTo(cohort);
    const ratio = joint.sizeRatio(cohort, this.curves);
    const statureM = (values[peopleModel.stature] as number) / 1000;
    const mass = (values[peopleModel.bmi] as number) * statureM * statureM;
    const holds = peopleModel.derived.every(({ quantity, terms }) => {
      const value = values[quantity] as number;
      if (Number.isNaN(value)) return true;
      const sum = terms.reduce((total, { coefficient, of }) => {
        return total + coefficient * (of < 0 ? ratio : (values[of] as number));
      }, 0);
      return Math.abs(sum - value) <= IDENTITY_TOLERANCE;
    });
    const weighed = Math.abs(mass - (values[peopleModel.mass] as number)) <= IDENTITY_TOLERANCE;
    if (!holds || !weighed) this.identities += 1;
    if (!isOrdered(this.kept, cohort.ageYears, values)) this.orders += 1;
  }
}

/** Counts the people of one cohort below the grid’s percentiles, and sums the products of their scores. */
export class MarginalCount {
  private people = 0;
  private readonly curves: CohortCurves;
  /** Quantities with a model. */
  readonly quantities: readonly number[];
  private readonly knots: readonly Float64Array[];
  private readonly limits: readonly Float64Array[];
  private readonly below: readonly Float64Array[];
  private readonly scores: Float64Array;
  private readonly products: Float64Array;
  private correlated = 0;

  constructor(
    private readonly us: UsPeople,
    cohort: Cohort,
  ) {
    this.curves = us.joint.curves();
    this.curves.at(cohort);
    const all = us.peopleModel.names.map((_, quantity) => quantity);
    this.quantities = all.filter((quantity) => this.curves.of(quantity) !== undefined);
    this.knots = this.quantities.map((quantity) => this.curves.of(quantity) as Float64Array);
    this.limits = this.knots.map((knots) =>
      Float64Array.from(SCORES, (score) => curveValue(knots, score)),
    );
    this.below = this.knots.map(() => new Float64Array(SCORES.length));
    const n = this.quantities.length;
    // The scores of a person, followed by a 1. The products with the 1 add up to the sums of the scores.
    this.scores = new Float64Array(n + 1).fill(1);
    this.products = new Float64Array((n + 1) * (n + 1));
  }

  /** @param scored whether the person counts for the correlations */
  add(values: Float64Array, scored: boolean): void {
    this.people += 1;
    const { quantities, limits, below, scores, products } = this;
    for (let i = 0; i < quantities.length; i++) {
      const value = values[quantities[i] as number] as number;
      const [limit, count] = [limits[i], below[i]] as [Float64Array, Float64Array];
      for (let p = limit.length - 1; p >= 0 && value <= (limit[p] as number); p--) {
        count[p] = (count[p] as number) + 1;
      }
    }
    if (!scored) return;
    this.correlated += 1;
    for (let i = 0; i < quantities.length; i++) {
      const value = values[quantities[i] as number] as number;
      scores[i] = curveInverse(this.knots[i] as Float64Array, value);
    }
    const width = scores.length;
    for (let i = 0; i < width; i++) {
      const score = scores[i] as number;
      const row = i * width;
      for (let j = 0; j <= i; j++) {
        products[row + j] = (products[row + j] as number) + score * (scores[j] as number);
      }
    }
  }

  /**
   * Percentiles of the people − those of the grid. The people’s percentile is read from the grid’s curve. If a share p′
   * of the people is below the grid’s percentile p, it is the value at the score 2 z(p) − z(p′). This is exact to the
   * first order of p′ − p.
   */
  marginals(gender: Gender): SampledMarginal[] {
    const { peopleModel } = this.us;
    const isSum = (quantity: number): boolean =>
      quantity === peopleModel.mass ||
      quantity === this.us.joint.deepest ||
      (this.us.joint.derivedOf.get(quantity)?.length ?? 0) > 1;
    const n = this.people;
    return this.quantities.flatMap((quantity, i) => {
      const knots = this.knots[i] as Float64Array;
      const { sd } = this.curves.middle(quantity);
      return SAMPLED_PERCENTILES.map((percentile, p): SampledMarginal => {
        const z = SCORES[p] as number;
        const count = (this.below[i] as Float64Array)[p] as number;
        const share = Math.min(n - 0.5, Math.max(0.5, count)) / n;
        const found = curveValue(knots, 2 * z - zOfPercentile(100 * share));
        return {
          ...{ gender, quantity: peopleModel.names[quantity] as string, percentile },
          sum: isSum(quantity),
          errorSd: (found - curveValue(knots, z)) / sd,
        };
      });
    });
  }

  /** Correlations of the sampled scores − those of the artifact. */
  correlations(gender: Gender, cohort: Cohort): SampledCorrelations {
    const { peopleModel, joint } = this.us;
    const { products, correlated, quantities } = this;
    const n = quantities.length;
    const width = n + 1;
    const meanOf = (i: number): number => (products[n * width + i] as number) / correlated;
    const covariance = (i: number, j: number): number =>
      (products[i * width + j] as number) / correlated - meanOf(i) * meanOf(j);
    const isFree = (quantity: number): boolean =>
      quantity !== peopleModel.mass && quantity !== joint.deepest && !joint.derivedOf.has(quantity);
    const [all, free] = [new SquareMean(), new SquareMean()];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [quantities[i] as number, quantities[j] as number];
        const expected = peopleModel.rho(cohort.gender, cohort.ageYears, a, b);
        // Two names of one dimension, and a dimension and its sum with a constant, count as one quantity.
        if (expected > 0.9999) continue;
        const found = covariance(i, j) / Math.sqrt(covariance(i, i) * covariance(j, j));
        all.add(found - expected);
        if (isFree(a) && isFree(b)) free.add(found - expected);
      }
    }
    return { gender, pairs: all.count, rms: all.root(), freeRms: free.root() };
  }
}

/** Root of a mean of squares. */
class SquareMean {
  count = 0;
  private sum = 0;

  add(value: number): void {
    this.count += 1;
    this.sum += value * value;
  }

  root(): number {
    return Math.sqrt(this.sum / this.count);
  }
}

/** Largest error of a percentile that chance exceeds in only 1 of 10,000 cases, in SD of a normal quantity. */
export function chanceSd(percentile: number, people: number): number {
  const z = zOfPercentile(percentile);
  const density = Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
  const p = percentileOfZ(z) / 100;
  return (3.89 * Math.sqrt((p * (1 - p)) / people)) / density;
}

/**
 * Samples people of the United States in the way of `sample_people`, and compares them with the cells of the artifact.
 * Identities and constraints are checked for everybody; marginals and correlations among men and women of one age.
 *
 * @param total number of people
 */
export function scoreSampledPeople(us: UsPeople, total: number = SAMPLED): SampledPeople {
  const coherence = new CoherenceCount(us);
  const ofAllAges = Math.round(OF_ALL_AGES * total);
  const ages = Array.from({ length: MOST_AGE - LEAST_AGE + 1 }, (_, i) => LEAST_AGE + i);
  const draw = (
    market: UsMarket,
    seed: number,
    people: number,
    seen: (values: Float64Array, i: number) => void,
  ): void => {
    const source = new PeopleSource(us.joint, market, [], seed);
    for (let i = 0; i < people; i++) {
      const { cohort, values } = source.person(i);
      coherence.add(cohort, values);
      seen(values, i);
    }
  };
  draw(usMarket(us, ages), SEED, ofAllAges, () => undefined);
  const each = Math.round((total - ofAllAges) / GENDERS.length);
  const counted = GENDERS.map((gender, g) => {
    const cohort = usCohort(gender, SAMPLED_AGE);
    const count = new MarginalCount(us, cohort);
    const market = { cohorts: [cohort], weights: Float64Array.of(1) };
    draw(market, SEED + 1 + g, each, (values, i) => count.add(values, i < CORRELATED_MOST));
    return {
      marginals: count.marginals(gender),
      correlations: count.correlations(gender, cohort),
    };
  });
  const marginals = counted.flatMap((one) => one.marginals);
  return {
    people: coherence.people,
    brokenIdentities: coherence.identities,
    brokenConstraints: coherence.orders,
    errors: summarise(marginals),
    missed: marginals
      .filter((marginal) => !isNear(marginal))
      .map((marginal) => ({ ...marginal, errorSd: round4(marginal.errorSd) })),
    correlations: counted.map(({ correlations: { rms, freeRms, ...one } }) => ({
      ...one,
      rms: round4(rms),
      freeRms: round4(freeRms),
    })),
  };
}

/** Errors by gender and kind of quantity. */
export function summarise(marginals: readonly SampledMarginal[]): SampledErrors[] {
  return groupBy(marginals, ({ gender, sum }) => `${gender} ${sum}`).map(([, group]) => {
    const [{ gender, sum }] = group as [SampledMarginal];
    const errors = group.map(({ errorSd }) => Math.abs(errorSd));
    return {
      ...{ gender, sum, percentiles: group.length },
      meanSd: round4(mean(errors)),
      largestSd: round4(Math.max(...errors)),
      within: round4(share(group, isNear)),
    };
  });
}
