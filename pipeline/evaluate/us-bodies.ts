import { GENDERS } from '../../src/core/genders.js';
import type { Market } from '../../src/population/people-model.js';
import type { Asked } from './asked.js';

/** Ages of the people for whom designs are made: completed years, each in the middle of a five-year group. */
export const DESIGN_AGES: readonly number[] = Array.from({ length: 9 }, (_, i) => 22 + 5 * i);

/** Cohorts and their weights, whose sum is 1. */
export type UsMarket = Pick<Market, 'cohorts' | 'weights'>;

/**
 * Men and women of some completed ages in the reference year, weighted by head count.
 *
 * @param ages completed years
 */
export function usMarket(asked: Asked, ages: readonly number[]): UsMarket {
  const parts = GENDERS.flatMap((gender, g) =>
    ages.map((age) => {
      const cohort = asked.cohortOf({ gender, country: 'US', ageYears: age + 0.5 });
      return { cohort, people: asked.peopleModel.people(cohort.country, g, age) };
    }),
  );
  const total = parts.reduce((sum, { people }) => sum + people, 0);
  return {
    cohorts: parts.map(({ cohort }) => cohort),
    weights: Float64Array.from(parts, ({ people }) => people / total),
  };
}
