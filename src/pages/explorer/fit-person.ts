import type { ChosenPopulation } from '../../core/chosen-populations.js';
import { COUNTRIES } from '../../core/countries.js';
import { membersOfSet } from '../../core/country-sets.js';
import { isTemporary, Problem } from '../../core/errors.js';
import { GENDERS, type Gender } from '../../core/genders.js';
import { POSE_MEASUREMENTS } from '../../figure/pose-dimensions.js';
import { completePerson } from '../../operations/complete-person.js';
import { percentileLookup } from '../../operations/percentile-lookup.js';
import type { FitPerson } from './fit-data-types.js';
import type { FreeComputations } from './free-computations.js';

type Answer = FreeComputations['answer'];

/** A kind of people, of whom `complete_person` describes one. */
interface Kind {
  readonly gender: Gender;
  readonly age: number;
  readonly country: string;
}

/** Countries of a population that are considered; of more, some are taken at equal distances. */
const COUNTRIES_MAX = 8;
/** Below this age, each year is considered. From it on, sizes differ little, and the middle age is taken. */
const GROWN_YEARS = 18;

/**
 * A member of a population with a given value of one dimension. Gender and age are those for which the value is
 * nearest to the median in the first country of the population; then the country is chosen in the same way. The
 * other dimensions are the expected ones of `complete_person`.
 *
 * @param valueMm the value in mm, in the clothing
 * @returns undefined if the API refuses to describe such a person
 */
export async function fitPersonOf(
  population: ChosenPopulation,
  measurement: string,
  valueMm: number,
  clothing: string,
  answer: Answer,
  left?: AbortSignal,
): Promise<FitPerson | undefined> {
  const nearest = async (kinds: readonly Kind[]): Promise<Kind | undefined> => {
    let kind: Kind | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const one of kinds) {
      const asked = { ...one, measurement, value: valueMm, clothing };
      const found = await unlessRefused(answer(percentileLookup.name, asked, left));
      if (found === undefined) continue;
      const distance = Math.abs((found as { percentile: number }).percentile - 50);
      if (distance < least) [kind, least] = [one, distance];
    }
    return kind;
  };
  const places = placesOf(population);
  const [first = ''] = places;
  const here = await nearest(kindsOf(population, first));
  const kind = here && (await nearest(places.map((country) => ({ ...here, country }))));
  if (kind === undefined) return undefined;
  const known = [{ measurement, value: valueMm }];
  const asked = { ...kind, known, wanted: [...POSE_MEASUREMENTS], clothing };
  const found = await unlessRefused(answer(completePerson.name, asked, left));
  if (found === undefined) return undefined;
  const { measurements } = found as { measurements: { expected: number }[] };
  return { who: wordsOf(kind), poseMm: measurements.map(({ expected }) => Math.round(expected)) };
}

/** The countries that are considered. */
function placesOf({ countries }: ChosenPopulation): readonly string[] {
  const places = countries.flatMap((place): readonly string[] => membersOfSet(place) ?? [place]);
  const count = Math.min(places.length, COUNTRIES_MAX);
  return Array.from(
    { length: count },
    (_, i) => places[Math.floor((i * places.length) / count)] as string,
  );
}

/** The genders and ages of a population, in one country. */
function kindsOf({ gender, ageMin, ageMax }: ChosenPopulation, country: string): readonly Kind[] {
  const young = Math.max(0, Math.min(GROWN_YEARS, ageMax + 1) - ageMin);
  const ages = Array.from({ length: young }, (_, i) => ageMin + i);
  const grownMin = Math.max(ageMin, GROWN_YEARS);
  if (ageMax >= grownMin) ages.push(Math.floor((grownMin + ageMax) / 2));
  return (gender === undefined ? GENDERS : [gender]).flatMap((one) =>
    ages.map((age) => ({ gender: one, age, country })),
  );
}

async function unlessRefused(answer: Promise<object>): Promise<object | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Problem && !isTemporary(error.code)) return undefined;
    throw error;
  }
}

function wordsOf({ gender, age, country }: Kind): string {
  const [grown, young] = gender === 'Female' ? ['woman', 'girl'] : ['man', 'boy'];
  const name = COUNTRIES.find(({ code }) => code === country)?.name ?? country;
  return `a ${age < GROWN_YEARS ? young : grown} of ${age} (${name})`;
}
