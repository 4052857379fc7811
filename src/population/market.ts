import { COUNTRY_CODES, type CountryCode } from '../core/countries.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import type { Cohort } from './bodies.js';

/** A group of a population, with its countries resolved. */
export interface MarketGroup {
  readonly countries: readonly CountryCode[];
  /** Both where absent. */
  readonly gender?: Gender | undefined;
  /** Completed years, both included. */
  readonly ageMin: number;
  readonly ageMax: number;
  /** Share of the group in the population, 0 to 1; by head count where absent. */
  readonly share?: number | undefined;
}

/** The people of one cohort in one group. */
export interface MarketPart {
  readonly group: number;
  /** Index in `Market.cohorts`. */
  readonly cohort: number;
  /** Share of the population, 0 to 1. */
  readonly weight: number;
  /** Head count. */
  readonly people: number;
}

/** A population as weighted cohorts. */
export interface Market {
  /** The distinct cohorts. */
  readonly cohorts: readonly Cohort[];
  /** Weight of each cohort over all groups; the sum is 1. */
  readonly weights: Float64Array;
  readonly parts: readonly MarketPart[];
  /** Head count and share of each group. */
  readonly groups: readonly { readonly people: number; readonly share: number }[];
  readonly people: number;
}

/** Head count of a country (index), gender (index) and completed age in the year of the counts. */
export type HeadCount = (country: number, gender: number, ageYears: number) => number;

/**
 * Resolves groups to weighted cohorts. Within a group, cohorts weigh by head count. People of completed
 * age a are looked up at a + 0.5 years.
 *
 * @param year year of the bodies
 * @returns undefined where nobody is in a group
 */
export function resolveMarket(
  groups: readonly MarketGroup[],
  year: number,
  headCount: HeadCount,
): Market | undefined {
  const cohorts: Cohort[] = [];
  const indices = new Map<number, number>();
  const counted = groups.map((group) => {
    const genders = group.gender === undefined ? GENDERS : [group.gender];
    const parts: { cohort: number; people: number }[] = [];
    for (const code of new Set(group.countries)) {
      const country = COUNTRY_CODES.indexOf(code);
      for (const name of genders) {
        const gender = GENDERS.indexOf(name);
        for (let age = group.ageMin; age <= group.ageMax; age++) {
          const people = headCount(country, gender, age);
          if (!(people > 0)) continue;
          const key = (country * GENDERS.length + gender) * (AGE_LIMITS.maximum + 1) + age;
          let cohort = indices.get(key);
          if (cohort === undefined) {
            cohort = cohorts.length;
            indices.set(key, cohort);
            const ageYears = Math.min(age + 0.5, AGE_LIMITS.maximum);
            cohorts.push({ country, gender, ageYears, year });
          }
          parts.push({ cohort, people });
        }
      }
    }
    return { parts, people: parts.reduce((sum, { people }) => sum + people, 0) };
  });
  const people = counted.reduce((sum, group) => sum + group.people, 0);
  if (people === 0 || counted.some((group) => group.people === 0)) return undefined;
  const given = groups.reduce((sum, { share = 0 }) => sum + share, 0);
  const shares = counted.map((group, g) => {
    const share = groups[g]?.share;
    return share === undefined ? group.people / people : share / given;
  });
  const weights = new Float64Array(cohorts.length);
  const parts = counted.flatMap((group, g) =>
    group.parts.map(({ cohort, people: count }): MarketPart => {
      const weight = ((shares[g] as number) * count) / group.people;
      weights[cohort] = (weights[cohort] as number) + weight;
      return { group: g, cohort, weight, people: count };
    }),
  );
  const shown = counted.map((group, g) => ({ people: group.people, share: shares[g] as number }));
  return { cohorts, weights, parts, groups: shown, people };
}

/** Of more cohorts than this, a sample stands for all while a search is under way. */
const MANY_COHORTS = 2000;

/**
 * The cohorts of a population, or a sample of them where they are very many: those at even steps of the
 * cumulative weight (systematic sampling; Cochran 1977, Sampling Techniques, chapter 8).
 */
export function sampleCohorts(
  market: Pick<Market, 'cohorts' | 'weights'>,
): Pick<Market, 'cohorts' | 'weights'> {
  const { cohorts, weights } = market;
  if (cohorts.length <= MANY_COHORTS) return market;
  const sampled: Cohort[] = [];
  let reached = 0;
  cohorts.forEach((cohort, c) => {
    reached += weights[c] as number;
    while (sampled.length < MANY_COHORTS && (sampled.length + 0.5) / MANY_COHORTS <= reached) {
      sampled.push(cohort);
    }
  });
  const equal = new Float64Array(sampled.length).fill(1 / sampled.length);
  return { cohorts: sampled, weights: equal };
}
