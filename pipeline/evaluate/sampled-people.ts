import { range } from 'd3-array';
import { isOrdered, keptByMedians, quantityConstraints } from '../../src/population/constraints.js';
import { PeopleSource } from '../../src/population/people.js';
import { sum } from '../numerics/numbers.js';
import type { Asked } from './asked.js';
import { usMarket } from './us-bodies.js';

/** Findings about sampled people. */
export interface SampledPeople {
  readonly people: number;
  /** Number of people who break an identity, and number who break a constraint on a part and its whole. */
  readonly brokenIdentities: number;
  readonly brokenConstraints: number;
}

/** Number of people that are sampled. */
const SAMPLED = 1_000_000;
/** First and last completed ages of these people. */
const [LEAST_AGE, MOST_AGE] = [2, 90];
const SEED = 41;
/** An identity is broken if its sides differ by more than this, in mm, kg/m² or kg. */
const IDENTITY_TOLERANCE = 1e-6;

const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= IDENTITY_TOLERANCE;

/**
 * Samples people of the United States in the way of `sample_people`, and counts those who break an identity or a
 * constraint that the medians of their cohort meet. That their percentiles and correlations are those of the artifact is
 * tested by `built-numbers.test.ts`.
 */
export function scoreSampledPeople(asked: Asked): SampledPeople {
  const { peopleModel, joint } = asked;
  const { stature, bmi, mass, derived } = peopleModel;
  const ages = range(LEAST_AGE, MOST_AGE + 1);
  const source = new PeopleSource(joint, usMarket(asked, ages), [], SEED);
  const [curves, constraints] = [joint.curves(), quantityConstraints(peopleModel)];
  let [brokenIdentities, brokenConstraints] = [0, 0];
  for (let i = 0; i < SAMPLED; i++) {
    const { cohort, values } = source.person(i);
    curves.at(cohort);
    const ratio = joint.sizeRatio(cohort, curves);
    const isMass = isSame(values[mass], values[bmi] * (values[stature] / 1000) ** 2);
    const areSums = derived.every(({ quantity, terms }) => {
      const parts = terms.map(({ coefficient, of }) => coefficient * (of < 0 ? ratio : values[of]));
      return Number.isNaN(values[quantity]) || isSame(values[quantity], sum(parts));
    });
    if (!isMass || !areSums) brokenIdentities++;
    const kept = keptByMedians(constraints, curves);
    if (!isOrdered(kept, cohort.ageYears, values)) brokenConstraints++;
  }
  return { people: SAMPLED, brokenIdentities, brokenConstraints };
}
