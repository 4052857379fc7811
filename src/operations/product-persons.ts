import { COUNTRY_CODES } from '../core/countries.js';
import { type Fault, fault, Problem, said } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { agesWithin } from '../core/years-of-age.js';
import { curveInverse, zOfPercentile } from '../lookup/cell.js';
import type { JointPeople } from '../population/joint.js';
import { type Cohort, valueInProfiles } from '../population/people-model.js';
import { givenValues, type KnownInput } from './known-values.js';
import { personOf } from './plausibility.js';
import {
  checkQuantity,
  countriesOf,
  dressOf,
  type PopulationInput,
  type Units,
} from './population-request.js';

/** Maximum number of countries of a group that are tried for a person. */
const COUNTRIES_MAX = 8;
/** From this age on, only the middle age of a group is tried, because sizes differ little. */
const GROWN_YEARS = 18;
/** Maximum age that counts for the middle, because few people are older. */
const OLD_YEARS = 90;
/** Percent of the range of `personOf`, which is not used here. */
const RANGE_Z = zOfPercentile(95);

/** A person of a request. */
export interface PersonInput {
  readonly known: readonly KnownInput[];
  readonly gender?: (typeof GENDERS)[number];
  readonly age?: number;
  readonly country?: string;
}

/** The gender, age and country that a person is taken to have, and the measurements in the clothing of the product. */
export interface JudgedPerson {
  readonly gender: string;
  readonly age: number;
  readonly country: string;
  /** Expected value in mm, by quantity. */
  readonly value: (quantity: number) => number;
}

/**
 * Judges the persons of a request, in their order.
 *
 * @throws Problem with the faults of all persons who are refused
 */
export function judgedPersons(
  persons: readonly PersonInput[],
  judge: (person: PersonInput, index: number) => JudgedPerson,
): readonly JudgedPerson[] {
  let refusal: Problem | undefined;
  const errors: Fault[] = [];
  const judged = persons.flatMap((person, index) => {
    try {
      return [judge(person, index)];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refusal ??= error;
      errors.push(...(error.extras.errors ?? [fault(`/persons/${index}`)`${error.sentence}`]));
      return [];
    }
  });
  if (refusal === undefined) return judged;
  const { code, sentence, extras } = refusal;
  const others = errors.length - (extras.errors?.length ?? 1);
  const all = others === 0 ? sentence : said`${sentence} (${others} more in errors)`;
  throw new Problem(code, all, { ...extras, errors });
}

/**
 * A person with the known values of a nude person who stands erect. What is missing is chosen within the population, so
 * that the known values are most usual.
 *
 * @param quantities the measurements that the product needs
 * @throws Problem `value_implausible`, `gender_not_supported`, `model_not_found`
 */
export function judgedPerson(
  person: PersonInput,
  index: number,
  population: PopulationInput,
  joint: JointPeople,
  units: Units,
  clothing: NonNullable<Parameters<typeof dressOf>[0]['clothing']>,
  quantities: readonly number[],
): JudgedPerson {
  const { peopleModel } = joint;
  const nude = joint.curves();
  const place = `/persons/${index}/known`;
  const asked = person.known.map(({ measurement }) => peopleModel.indexOf(measurement));
  const profile = dressOf({ clothing }, { cohorts: [] });
  let found: { cohort: Cohort; oddness: number } | undefined;
  let refusal: Problem | undefined;
  for (const cohort of cohortsFor(person, population, peopleModel.views.manifest.referenceYear)) {
    try {
      for (const quantity of asked) {
        checkQuantity(joint, { cohorts: [cohort] }, quantity, { clothing: 0, posture: 0 });
      }
      dressOf({ clothing }, { cohorts: [cohort] });
      nude.at(cohort);
      const oddness = givenValues(person.known, place, joint, nude, units).reduce(
        (sum, { quantity, value }) =>
          sum + curveInverse(nude.of(quantity) as Float64Array, value) ** 2,
        0,
      );
      if (found === undefined || oddness < found.oddness) found = { cohort, oddness };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // A value of one gender, or a value that nobody of this kind has.
      refusal ??= error;
    }
  }
  if (found === undefined) throw refusal ?? new Problem('validation_error', 'No person is known.');
  const { cohort } = found;
  for (const quantity of quantities) {
    checkQuantity(joint, { cohorts: [cohort] }, quantity, profile);
  }
  const dressed = joint.curves(profile);
  nude.at(cohort);
  dressed.at(cohort);
  const given = givenValues(person.known, place, joint, nude, units);
  const shown = (_: number, value: number): number => value;
  const of = { joint, cohort, curves: nude, units, shown };
  const whole = personOf(given, of, RANGE_Z).person;
  const values = new Map(
    quantities.map((quantity) => {
      const own = whole.of(quantity)?.expected ?? Number.NaN;
      return [quantity, valueInProfiles(nude, dressed, quantity, own)];
    }),
  );
  return {
    gender: GENDERS[cohort.gender] as string,
    age: cohort.ageYears,
    country: COUNTRY_CODES[cohort.country] as string,
    value: (quantity) => values.get(quantity) ?? Number.NaN,
  };
}

/** The kinds of people that a person may be, within the population. */
function cohortsFor(person: PersonInput, { groups }: PopulationInput, year: number): Cohort[] {
  const cohorts = new Map<string, Cohort>();
  for (const { countries, gender, ageMin, ageMax } of groups) {
    const places = person.country === undefined ? spread(countries) : [person.country];
    const genders =
      person.gender !== undefined ? [person.gender] : gender === undefined ? GENDERS : [gender];
    const ages = person.age === undefined ? agesOf(ageMin, ageMax) : [person.age];
    for (const country of places) {
      for (const one of genders) {
        for (const ageYears of ages) {
          const cohort = {
            ...{ country: COUNTRY_CODES.indexOf(country as never), gender: GENDERS.indexOf(one) },
            ...{ ageYears, year },
          };
          cohorts.set(JSON.stringify(cohort), cohort);
        }
      }
    }
  }
  return [...cohorts.values()];
}

function spread(countries: readonly string[]): readonly string[] {
  const places = countries.flatMap((name): readonly string[] => countriesOf(name) ?? []);
  const count = Math.min(places.length, COUNTRIES_MAX);
  return Array.from(
    { length: count },
    (_, i) => places[Math.floor((i * places.length) / count)] as string,
  );
}

/** Exact ages that are tried: those of each year of children, and the middle of the adults. */
function agesOf(ageMin: number, ageMax: number): readonly number[] {
  const ages: number[] = [];
  for (let age = ageMin; age < Math.min(GROWN_YEARS, ageMax + 1); age++) {
    ages.push(...(age < 4 ? agesWithin(age).map(({ ageYears }) => ageYears) : [age + 0.5]));
  }
  const from = Math.max(ageMin, GROWN_YEARS);
  if (ageMax >= from) {
    const middle = Math.floor((from + Math.min(ageMax, Math.max(from, OLD_YEARS))) / 2);
    ages.push(Math.min(AGE_LIMITS.maximum, middle + 0.5));
  }
  return ages;
}
