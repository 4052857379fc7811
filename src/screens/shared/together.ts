import { COUNTRY_SETS, membersOfSet } from '../../core/country-sets.js';
import { GENDERS, type Gender } from '../../core/genders.js';
import { type ChosenPopulation, haveCommonAges, populationBody } from './populations.js';

/** Why there are no numbers for populations that wear different clothing. */
export const SAME_CLOTHING =
  'Numbers for all populations together need the same clothing in every population. Change one of them.';

/** A group of people in the form of the operations. */
export interface Group {
  readonly countries: string[];
  readonly gender?: Gender;
  readonly ageMin: number;
  readonly ageMax: number;
}

type Ages = readonly [youngest: number, oldest: number];

/** Whether somebody belongs to two of the populations. */
export function haveCommonPeople(populations: readonly ChosenPopulation[]): boolean {
  const codes = populations.map((one) => new Set(codesOf(one)));
  return populations.some((one, index) =>
    populations.slice(0, index).some((other, before) => {
      if (!haveCommonAges(one, other)) return false;
      return [...(codes[index] ?? [])].some((code) => codes[before]?.has(code));
    }),
  );
}

/**
 * The people of all populations as groups that have no people in common, so everybody counts once. If the
 * populations have no people in common, each is one group.
 */
export function groupsTogether(populations: readonly ChosenPopulation[]): readonly Group[] {
  if (!haveCommonPeople(populations)) {
    return populations.flatMap((one) => populationBody(one).groups);
  }
  const codes = new Map(populations.map((one) => [one, new Set(codesOf(one))]));
  /** Countries by the ages of their women and men. The key is JSON. */
  const alike = new Map<string, string[]>();
  for (const code of new Set(populations.flatMap(codesOf))) {
    const ages = GENDERS.map((gender) =>
      union(
        populations
          .filter((one) => one.gender === undefined || one.gender === gender)
          .filter((one) => codes.get(one)?.has(code))
          .map(({ ageMin, ageMax }) => [ageMin, ageMax] as const),
      ),
    );
    const key = JSON.stringify(ages);
    alike.set(key, [...(alike.get(key) ?? []), code]);
  }
  return [...alike].flatMap(([key, codes]) => {
    const countries = named(codes);
    const [first = [], second = []] = JSON.parse(key) as [Ages[], Ages[]];
    const groupsOf = (ages: readonly Ages[], gender?: Gender) =>
      ages.map(([ageMin, ageMax]) => ({
        countries,
        ...(gender === undefined ? {} : { gender }),
        ...{ ageMin, ageMax },
      }));
    if (JSON.stringify(first) === JSON.stringify(second)) return groupsOf(first);
    return [...groupsOf(first, GENDERS[0]), ...groupsOf(second, GENDERS[1])];
  });
}

/** Codes of the countries of a population, also of those in its sets of countries. */
export function codesOf({ countries }: Pick<ChosenPopulation, 'countries'>): readonly string[] {
  return countries.flatMap((place): readonly string[] => membersOfSet(place) ?? [place]);
}

/** Completed ages without overlaps. Adjoining ranges become one range. */
function union(ranges: readonly Ages[]): readonly Ages[] {
  const merged: Ages[] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last === undefined || from > last[1] + 1) merged.push([from, to]);
    else merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return merged;
}

/** The name of the country set, if the countries are exactly this set. It is shorter than the codes. */
function named(codes: string[]): string[] {
  const key = codes.toSorted().join();
  const set = Object.entries(COUNTRY_SETS).find(([, all]) => all.toSorted().join() === key);
  return codes.length > 1 && set !== undefined ? [set[0]] : codes;
}
