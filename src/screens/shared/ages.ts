import { AGE_LIMITS } from '../../core/limits.js';
import type { ChosenPopulation } from './populations.js';

/** What an age is on every page, in words. */
export const AGES_TEXT = 'Ages are completed years: 8 is 8.0 to 8.99.';

/** Maximum age that counts for the middle age of a population, because few people are older. */
const OLD_YEARS = 90;

/** The completed age in the middle of a population: 54 for people of 18 to 120. */
export function middleAge({ ageMin, ageMax }: Pick<ChosenPopulation, 'ageMin' | 'ageMax'>): number {
  return Math.floor((ageMin + Math.min(ageMax, Math.max(ageMin, OLD_YEARS))) / 2);
}

/**
 * The exact age, as the API takes it, of a person of a completed age: the middle of the year. An age that the API does
 * not know stays, so that the API refuses it as it was given.
 */
export function exactAge(completedYears: number): number {
  const isKnown = completedYears >= AGE_LIMITS.minimum && completedYears < AGE_LIMITS.maximum;
  return isKnown ? completedYears + 0.5 : completedYears;
}

/** The completed age of an age in an address. Calls `say` if the address has a fraction of a year. */
export function completedAge(years: number, say: (notice: string) => void): number {
  if (!Number.isFinite(years) || Number.isInteger(years)) return years;
  const completed = Math.floor(years);
  say(
    `The address gives ${years} as the age. Ages on pages are completed years, so shown is: ${completed}. The API takes exact ages.`,
  );
  return completed;
}

/** The fault of a typed age with a fraction of a year; undefined for a whole number. */
export function fractionFault(years: number): string | undefined {
  if (Number.isInteger(years)) return undefined;
  return `Enter whole years: the age of ${years} years is ${Math.floor(years)} completed years.`;
}
