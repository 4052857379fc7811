import { curveValue } from '../lookup/cell.js';
import { squareDistance } from './box-probability.js';
import {
  isOrdered,
  keptByMedians,
  type QuantityConstraint,
  quantityConstraints,
} from './constraints.js';
import type { JointBodies } from './joint.js';
import type { Limit } from './limits.js';
import type { Cohort, CohortCurves, Profiles } from './people-model.js';
import { completePerson, type Known } from './person.js';

/** The people for whom cases stand. */
interface CasePeople {
  readonly joint: JointBodies;
  /** Conditions that the cases meet. */
  readonly keep: readonly Limit[];
}

/** A person on the boundary of the share of people to accommodate. */
export interface BoundaryCase {
  readonly cohort: Cohort;
  /** Values of all quantities in the requested clothing and posture; NaN if there is no model. */
  readonly values: Float64Array;
  /** The intended scores of the chosen quantities in the whole population. */
  readonly scores: Float64Array;
}

/** Number of bisections on the way from a person to the centre of the cohort. */
const BISECTIONS = 8;
/** Normal score of the most unusual person of a cohort. One person in 10,000 is as unusual. */
const MOST_UNUSUAL_Z = 3.7;

/** Makes complete people from the scores of a few quantities in a population. */
export class CaseMaker {
  private readonly nude: CohortCurves;
  private readonly dressed: CohortCurves;
  private readonly constraints: readonly QuantityConstraint[];

  /** @param curves quantile curve of each chosen quantity in the population, nude and erect */
  constructor(
    private readonly people: CasePeople,
    private readonly quantities: readonly number[],
    private readonly profiles: Profiles,
    private readonly curves: readonly Float64Array[],
  ) {
    const { joint } = people;
    this.nude = joint.curves();
    this.dressed = joint.curves(profiles);
    this.constraints = quantityConstraints(joint.peopleModel);
  }

  /**
   * The most probable person of a cohort at a distance from the centre of the population. If parts of the person would
   * be larger than their wholes, or if fewer than one in 10,000 people of the cohort would be as unusual, the person is
   * moved towards the medians of the cohort.
   *
   * @param direction scores at distance 1
   */
  make(cohort: Cohort, direction: Float64Array, distance: number): BoundaryCase {
    const scores = direction.map((score) => distance * score);
    const aimed = this.complete(cohort, scores, 1);
    const { values } = aimed.exists ? aimed : this.nearest(cohort, scores);
    if (this.profiles.clothing !== 0 || this.profiles.posture !== 0) {
      this.dressed.at(cohort);
      this.people.joint.applyProfiles(this.nude, this.dressed, values, [...values.keys()]);
    }
    return { cohort, values, scores };
  }

  /** The possible person nearest to some scores, on the way to the medians of the cohort; found by bisection. */
  private nearest(cohort: Cohort, scores: Float64Array) {
    let nearest = this.complete(cohort, scores, 0);
    let [low, high] = [0, 1];
    for (let round = 0; round < BISECTIONS; round++) {
      const middle = (low + high) / 2;
      const made = this.complete(cohort, scores, middle);
      if (made.exists) [nearest, low] = [made, middle];
      else high = middle;
    }
    return nearest;
  }

  /** The nude and erect person who meets the conditions, and whether such a person is possible. */
  private complete(cohort: Cohort, scores: Float64Array, shrink: number) {
    this.nude.at(cohort);
    const chosen = this.quantities.map((quantity, j): Known => {
      const aim = curveValue(this.curves[j], scores[j]);
      const median = this.nude.value(quantity, 0);
      return { quantity, value: median + shrink * (aim - median) };
    });
    const first = this.person(cohort, chosen);
    const broken = this.people.keep.flatMap(({ quantity, min, max }): Known[] => {
      const value = first.values[quantity];
      if (this.quantities.includes(quantity) || (value >= min && value <= max)) return [];
      return [{ quantity, value: Math.min(max, Math.max(min, value)) }];
    });
    return broken.length === 0 ? first : this.person(cohort, [...chosen, ...broken]);
  }

  private person(cohort: Cohort, known: readonly Known[]) {
    const { joint } = this.people;
    const { scores } = completePerson(joint, cohort, this.nude, known, 0);
    const basis = joint.basis(cohort);
    const values = new Float64Array(joint.peopleModel.names.length);
    joint.values(cohort, basis, this.nude, scores, values);
    const unusual = squareDistance(basis.factor, scores) > mostUnusual(known.length);
    const constraints = keptByMedians(this.constraints, this.nude);
    const exists = !unusual && isOrdered(constraints, cohort.ageYears, values);
    return { values, exists };
  }
}

/** Chi-square quantile for the degrees of freedom (Wilson and Hilferty 1931, PNAS 17:684). */
function mostUnusual(freedom: number): number {
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + MOST_UNUSUAL_Z * Math.sqrt(spread)) ** 3;
}
