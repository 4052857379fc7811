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

/** Cohorts and their weights. */
export interface WeightedCohorts {
  /** No two alike. */
  readonly cohorts: readonly Cohort[];
  /** The sum is 1. */
  readonly weights: Float64Array;
}

/** Who is in a group of a population. */
export interface MarketPart {
  /** Index in `Market.cohorts`. */
  readonly cohorts: Int32Array;
  /** Head count of each of them. */
  readonly counts: Float64Array;
  /** Head count of the group. */
  readonly people: number;
}

/** A group of a population, resolved. Identical groups have the same part. */
export interface ResolvedGroup {
  readonly part: MarketPart;
  /** Share of the population, 0 to 1. */
  readonly share: number;
}

/** A population as weighted cohorts. The weight of a cohort is its sum over all groups. */
export interface Market extends WeightedCohorts {
  readonly groups: readonly ResolvedGroup[];
  readonly people: number;
}

/** Head count of a country (index), gender (index) and completed age in the year of the counts. */
export type HeadCount = (country: number, gender: number, ageYears: number) => number;

const COUNTRY_INDICES = new Map(COUNTRY_CODES.map((code, index) => [code, index]));
const AGES = AGE_LIMITS.maximum + 1;

/**
 * Resolves groups to weighted cohorts. Within a group, cohorts weigh by head count. People of completed
 * age a are looked up at a + 0.5 years. Identical groups are resolved once.
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
  /** Index of a cohort plus one; 0 for one that is in no group yet. */
  const known = new Int32Array(COUNTRY_CODES.length * GENDERS.length * AGES);
  const cohortOf = (country: number, gender: number, age: number): number => {
    const at = (country * GENDERS.length + gender) * AGES + age;
    if (known[at] === 0) {
      const ageYears = Math.min(age + 0.5, AGE_LIMITS.maximum);
      known[at] = cohorts.push({ country, gender, ageYears, year });
    }
    return (known[at] as number) - 1;
  };
  const resolved = new Map<string, MarketPart>();
  const parts = groups.map(({ countries, gender, ageMin, ageMax }): MarketPart => {
    const codes = new Set(countries);
    const indices = Int32Array.from(codes, (code) => COUNTRY_INDICES.get(code) as number);
    const key = [indices.slice().sort().join(), gender, ageMin, ageMax].join('|');
    const same = resolved.get(key);
    if (same !== undefined) return same;
    const genders = gender === undefined ? [0, 1] : [GENDERS.indexOf(gender)];
    const most = indices.length * genders.length * (ageMax - ageMin + 1);
    const [members, counts] = [new Int32Array(most), new Float64Array(most)];
    let [length, people] = [0, 0];
    for (const country of indices) {
      for (const one of genders) {
        for (let age = ageMin; age <= ageMax; age++) {
          const count = headCount(country, one, age);
          if (!(count > 0)) continue;
          members[length] = cohortOf(country, one, age);
          counts[length++] = count;
          people += count;
        }
      }
    }
    const part = {
      cohorts: members.subarray(0, length),
      counts: counts.subarray(0, length),
      people,
    };
    resolved.set(key, part);
    return part;
  });
  const people = parts.reduce((sum, part) => sum + part.people, 0);
  if (people === 0 || parts.some((part) => part.people === 0)) return undefined;
  const given = groups.reduce((sum, { share = 0 }) => sum + share, 0);
  /** Share of the population of each part, over all groups that have it. */
  const shares = new Map<MarketPart, number>();
  const shown = parts.map((part, g): ResolvedGroup => {
    const asked = groups[g]?.share;
    const share = asked === undefined ? part.people / people : asked / given;
    shares.set(part, (shares.get(part) ?? 0) + share);
    return { part, share };
  });
  const weights = new Float64Array(cohorts.length);
  for (const [part, share] of shares) {
    const each = share / part.people;
    for (let i = 0; i < part.cohorts.length; i++) {
      const cohort = part.cohorts[i] as number;
      weights[cohort] = (weights[cohort] as number) + each * (part.counts[i] as number);
    }
  }
  return { cohorts, weights, groups: shown, people };
}

/** The sum over the people of a part of a number that each cohort has. */
export function sumOver({ cohorts, counts }: MarketPart, byCohort: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < cohorts.length; i++) {
    sum += (counts[i] as number) * (byCohort[cohorts[i] as number] as number);
  }
  return sum;
}

/** Of more cohorts than this, a sample stands for all while a search is under way. */
const MANY_COHORTS = 2000;

/**
 * A sample of very many cohorts: those at even steps of the cumulative weight (systematic sampling;
 * Cochran 1977, Sampling Techniques, chapter 8). Each stands for the same share of the people.
 *
 * @returns indices of the cohorts; undefined where they are not very many
 */
export function sampleCohorts({ weights }: WeightedCohorts): number[] | undefined {
  if (weights.length <= MANY_COHORTS) return undefined;
  const sampled: number[] = [];
  let reached = 0;
  weights.forEach((weight, c) => {
    reached += weight;
    while (sampled.length < MANY_COHORTS && (sampled.length + 0.5) / MANY_COHORTS <= reached) {
      sampled.push(c);
    }
  });
  return sampled;
}
