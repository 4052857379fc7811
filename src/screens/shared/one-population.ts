import { membersOfSet } from '../../core/country-sets.js';
import { GENDERS } from '../../core/genders.js';
import { AGE_LIMITS, COUNTRIES_LIMITS } from '../../core/limits.js';
import { middleAge } from './ages.js';
import { type ChosenPopulation, clothingOf } from './populations.js';

/** The people of a population that the screen shows. */
export interface ShownPeople {
  readonly gender: string;
  /** Completed. */
  readonly age: number;
  /** The exact point belongs to the first country. The other countries are compared with it. */
  readonly countries: readonly string[];
  readonly clothing: string;
}

/** The populations of a view, and the people that the view shows of one population. */
export interface ShownPopulation extends ShownPeople {
  /** The populations of all screens. */
  readonly populations: readonly ChosenPopulation[];
  /** Number of the shown population, from 1. */
  readonly shown: number;
  /** A chosen length of the first country. */
  readonly value?: number | undefined;
}

/**
 * The people to show of a population: one gender, at most ten countries, and one age. They stay as near as
 * possible to the people shown before.
 */
export function shownPeople(
  population: ChosenPopulation,
  before: Pick<ShownPeople, 'gender' | 'age'>,
): ShownPeople {
  const { gender, countries, ageMin, ageMax } = population;
  const codes = countries.flatMap((place): readonly string[] => membersOfSet(place) ?? [place]);
  const isInside = before.age >= ageMin && before.age < ageMax + 1;
  return {
    gender: gender ?? before.gender,
    age: isInside ? before.age : middleAge({ ageMin, ageMax }),
    countries: [...new Set(codes)].slice(0, COUNTRIES_LIMITS.maxItems),
    clothing: clothingOf(population),
  };
}

/** Shows the population with this number: returns the change of the view. */
export function shownPopulation(
  view: ShownPopulation,
  populations: readonly ChosenPopulation[],
  number: number,
): Partial<ShownPopulation> {
  const shown = populations[number - 1] === undefined ? 1 : number;
  const people = shownPeople(populations[shown - 1] as ChosenPopulation, view);
  // The chosen length belongs to the first country.
  const isSame = people.countries[0] === view.countries[0];
  return { populations, shown, ...people, ...(isSame ? {} : { value: undefined }) };
}

/**
 * Applies a change of the shown people to their population, too. The ages of the population stay, because the
 * screen shows only one age. If the population has a single age, this age follows the change.
 */
export function withPopulation<Change extends Partial<ShownPopulation>>(
  { populations, shown }: Pick<ShownPopulation, 'populations' | 'shown'>,
  change: Change,
): Change {
  const was = populations[shown - 1];
  if (was === undefined) return change;
  const { gender, age, countries, clothing } = change;
  const moves = age !== undefined && age >= AGE_LIMITS.minimum && was.ageMin === was.ageMax;
  const next: ChosenPopulation = {
    ...was,
    ...(gender === undefined ? {} : { gender: GENDERS.find((name) => name === gender) }),
    ...(countries === undefined ? {} : { countries }),
    ...(clothing === undefined || clothing === clothingOf(was) ? {} : { clothing }),
    ...(moves ? { ageMin: Math.floor(age), ageMax: Math.floor(age) } : {}),
  };
  if (JSON.stringify(next) === JSON.stringify(was)) return change;
  // The changed population gets no name, because the old name stands for other people.
  const { name: _, ...unnamed } = next;
  return {
    ...change,
    populations: populations.map((one, at) => (at === shown - 1 ? unnamed : one)),
  };
}

/** A sentence that says which people of a population the screen shows. */
export function shownText({ populations, shown, gender, age, countries }: ShownPopulation): string {
  const population = populations[shown - 1];
  const who = gender === 'Male' ? 'males' : 'females';
  const codes = new Set(
    population?.countries.flatMap((place): readonly string[] => membersOfSet(place) ?? [place]),
  );
  const some =
    codes.size > countries.length ? ` of ${countries.length} of its ${codes.size} countries` : '';
  return `This screen shows one population, one gender and one age at a time: ${who} of ${age} years${some}.`;
}
