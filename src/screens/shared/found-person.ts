import { isTemporary, Problem } from '../../core/errors.js';
import { GENDERS, type Gender } from '../../core/genders.js';
import { MEASUREMENT_NAMES } from '../../core/measurements.js';
import { agesWithin } from '../../core/years-of-age.js';
import { completePerson } from '../../operations/complete-person.js';
import type { AnswerOf, Operation } from '../../operations/operation.js';
import { percentileLookup } from '../../operations/percentile-lookup.js';
import type { PersonToDraw } from '../../render/body-viewer.js';
import type { FreeAnswers } from './free-computations.js';
import { countryName } from './names.js';
import { type ChosenPopulation, exactAge, middleAge } from './populations.js';
import { codesOf } from './together.js';

/** Computes the answers of several operations in one turn of a thread. */
type Answers = Pick<FreeAnswers, 'answers'>;

/** Gender, exact age and country. `complete_person` describes one person of this kind. */
export interface Kind {
  readonly gender: Gender;
  readonly age: number;
  readonly country: string;
}

/** A known value of a person: a value in mm or kg, or a percentile among people of the same kind. */
export type Known =
  | { readonly measurement: string; readonly value: number }
  | { readonly measurement: string; readonly percentile: number };

/** The median person of a gender, age and country. */
export const MEDIAN: readonly [Known, Known] = [
  { measurement: 'Stature', percentile: 50 },
  { measurement: 'BodyMass', percentile: 50 },
];

/** A member of a population. */
export interface FoundPerson {
  /** Gender, age and country in words. */
  readonly who: string;
  /** Code of the country. */
  readonly country: string;
  readonly person: PersonToDraw;
}

/** Maximum number of countries of a population that are tried. If it has more, every nth country is tried. */
const COUNTRIES_MAX = 8;
/** Below this age, each year is tried. From this age on, sizes differ little, so only the middle age is tried. */
const GROWN_YEARS = 18;

/**
 * A member of a population with given values. Gender and age are chosen so that the first value is nearest to
 * the median, in the first country of the population. Then the country is chosen in the same way. If the
 * first value is a percentile, the first of each is taken. The other dimensions are the expected ones of
 * `complete_person`. If no person can have all values, only the first value counts. Lengths are rounded to
 * the millimetre.
 *
 * @returns undefined if the API refuses to describe such a person
 */
export async function foundPerson(
  population: ChosenPopulation,
  known: KnownValues,
  clothing: string,
  free: Answers,
  left?: AbortSignal,
): Promise<FoundPerson | undefined> {
  return (await foundPersons(population, [known], clothing, free, left))[0];
}

/** The known values of a person. The most important value comes first. */
export type KnownValues = readonly [Known, ...Known[]];

/** Members of a population, one for each list of values. The API is asked for all of them at once. */
export async function foundPersons(
  population: ChosenPopulation,
  known: readonly KnownValues[],
  clothing: string,
  free: Answers,
  left?: AbortSignal,
): Promise<readonly (FoundPerson | undefined)[]> {
  const ask = async <Asked extends Operation>(operation: Asked, bodies: readonly object[]) =>
    (await free.answers({ all: [operation, bodies] }, left)).all.map(unlessRefused);
  /** Known percentiles of the first values, by kind and by index of the person. */
  const found = new Map<string, number>();
  /** For each person, the kind for which the first value is nearest to the median. */
  const nearest = async (choices: readonly (readonly Kind[])[]): Promise<(Kind | undefined)[]> => {
    const isAsked = choices.map((kinds, at) => kinds.length > 1 && 'value' in first(at));
    const open = choices.flatMap((kinds, at) =>
      isAsked[at] === true
        ? kinds.map((kind) => ({ kind, at })).filter((one) => !found.has(keyOf(one)))
        : [],
    );
    const percentiles = await ask(
      percentileLookup,
      open.map(({ kind, at }) => ({ ...kind, ...first(at), clothing })),
    );
    for (const [index, one] of open.entries()) {
      found.set(keyOf(one), percentiles[index]?.percentile ?? Number.NaN);
    }
    return choices.map((kinds, at) => {
      if (isAsked[at] !== true) return kinds[0];
      let kind: Kind | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (const one of kinds) {
        const distance = Math.abs((found.get(keyOf({ kind: one, at })) as number) - 50);
        if (distance < least) [kind, least] = [one, distance];
      }
      return kind;
    });
  };
  const first = (at: number) => (known[at] as KnownValues)[0];
  const places = placesOf(population);
  const here = kindsOf(population, places[0] ?? '');
  const own = await nearest(known.map(() => here));
  const kinds = await nearest(
    own.map((kind) => (kind === undefined ? [] : places.map((country) => ({ ...kind, country })))),
  );
  const wholes: (Completed | undefined)[] = known.map(() => undefined);
  // If no person can have all values, the second request has only the first value.
  for (const values of [known, known.map(([one]) => [one])]) {
    const open = kinds.flatMap((kind, at) => {
      const isNew = values === known || (known[at]?.length ?? 0) > 1;
      return kind !== undefined && wholes[at] === undefined && isNew ? [{ kind, at }] : [];
    });
    const answered = await ask(
      completePerson,
      open.map(({ kind, at }) => ({ ...kind, known: values[at], clothing })),
    );
    for (const [index, { at }] of open.entries()) wholes[at] = answered[index];
  }
  return wholes.map((whole, at) => {
    const kind = kinds[at];
    if (whole === undefined || kind === undefined) return undefined;
    const person = personToDraw(kind, clothing, whole.measurements);
    return { who: wordsOf(kind), country: kind.country, person };
  });
}

const keyOf = ({ kind, at }: { kind: Kind; at: number }): string =>
  [at, kind.gender, kind.age, kind.country].join();

export type Completed = AnswerOf<typeof completePerson>;

/** A person with the dimensions of a `complete_person` answer, to be drawn. */
export function personToDraw(
  { gender, age }: Kind,
  clothing: string,
  measurements: Completed['measurements'],
): PersonToDraw {
  const values = new Map(measurements.map(({ measurement, expected }) => [measurement, expected]));
  const massKg = values.get('BodyMass');
  const valuesMm = Object.fromEntries(
    MEASUREMENT_NAMES.flatMap((name) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, Math.round(value)]];
    }),
  );
  return {
    gender,
    ageYears: age,
    valuesMm,
    // The mass of dressed people is not the mass of their bodies.
    ...(massKg === undefined || clothing !== 'nude' ? {} : { massKg: Number(massKg.toFixed(1)) }),
  };
}

/** The countries that are considered. */
function placesOf(population: ChosenPopulation): readonly string[] {
  const places = codesOf(population);
  const count = Math.min(places.length, COUNTRIES_MAX);
  return Array.from(
    { length: count },
    (_, i) => places[Math.floor((i * places.length) / count)] as string,
  );
}

/** Completed age under which children grow by more than their spread in a year. */
const INFANTS_UNTIL = 4;

/** Exact ages that are tried for a completed age. One is enough where the people of the whole year have it. */
function exactAges(completedAge: number): number[] {
  if (completedAge >= INFANTS_UNTIL) return [exactAge(completedAge)];
  return agesWithin(completedAge).map(({ ageYears }) => Math.round(100 * ageYears) / 100);
}

/** The genders and ages of a population that are tried, in one country. */
function kindsOf({ gender, ageMin, ageMax }: ChosenPopulation, country: string): readonly Kind[] {
  const young = Math.max(0, Math.min(GROWN_YEARS, ageMax + 1) - ageMin);
  const years = Array.from({ length: young }, (_, i) => ageMin + i);
  const ages = years.flatMap(exactAges);
  const grownMin = Math.max(ageMin, GROWN_YEARS);
  if (ageMax >= grownMin) ages.push(exactAge(middleAge({ ageMin: grownMin, ageMax })));
  return (gender === undefined ? GENDERS : [gender]).flatMap((one) =>
    ages.map((age) => ({ gender: one, age, country })),
  );
}

/** @throws Problem if it is temporary, for example from a busy service */
function unlessRefused<Answer extends object>(answer: Answer | Problem): Answer | undefined {
  if (!(answer instanceof Problem)) return answer;
  if (isTemporary(answer.code)) throw answer;
  return undefined;
}

/** Gender, age and country of a person in words, such as `a woman of 41 (Germany)`. */
export function wordsOf({ gender, age, country }: Kind): string {
  const [grown, young] = gender === 'Female' ? ['woman', 'girl'] : ['man', 'boy'];
  return `a ${age < GROWN_YEARS ? young : grown} of ${Math.floor(age)} (${countryName(country)})`;
}
