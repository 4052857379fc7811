import { AGE_LIMITS } from '../../core/limits.js';
import type { ChosenPopulation } from './populations.js';

/** What an age is on every page, in words. */
export const AGES_TEXT = 'Ages are completed years: 8 is 8.0 to 8.99.';

/** The label of the age of one person. */
export const ONE_AGE_LABEL = 'Age in completed years, or exact such as 8.25';

/** Maximum age that counts for the middle age of a population, because few people are older. */
const OLD_YEARS = 90;

/** The completed age in the middle of a population: 54 for people of 18 to 120. */
export function middleAge({ ageMin, ageMax }: Pick<ChosenPopulation, 'ageMin' | 'ageMax'>): number {
  return Math.floor((ageMin + Math.min(ageMax, Math.max(ageMin, OLD_YEARS))) / 2);
}

/**
 * The exact age, as the API takes it, of a person of an age on a page. A whole number is a completed age: the person is
 * in the middle of the year. Others are exact. An age that the API does not know stays, so that the API refuses it as
 * it was given.
 */
export function exactAge(years: number): number {
  const isKnown = years >= AGE_LIMITS.minimum && years < AGE_LIMITS.maximum;
  return isKnown && Number.isInteger(years) ? years + 0.5 : years;
}
