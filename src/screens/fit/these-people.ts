import { Problem } from '../../core/errors.js';
import { completePerson } from '../../operations/complete-person.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { predict } from '../../operations/predict.js';
import {
  type Completed,
  foundPerson,
  foundPersons,
  type Kind,
  type KnownValues,
  personToDraw,
  wordsOf,
} from '../shared/found-person.js';
import { allAnswered, type FreeAnswers } from '../shared/free-computations.js';
import type { ChosenPopulation } from '../shared/populations.js';
import { clothingIn, FIT_PERCENTILES, type FitView, gendersOf, rulesOf } from './address.js';
import type { FitCurve, FitData, FitKnown, FitPerson, FitPopulation } from './data-types.js';
import type { JudgedKnown } from './design.js';
import type { KnownPerson } from './known-people.js';
import { type Look, picturesOf } from './pictures.js';
import { decidesSize, FIT_PERSONS, type FitPersonName, productById, sizesOf } from './products.js';
import { curvesOf, curvesRequest, refuseTemporary } from './requests.js';

/** Clothing at a workplace, if the population has no clothing of its own. */
const AT_WORK = 'light_shoes';
/** Distance from the elbow down to a top for light standing work. A counter at its lowest has the same distance. */
const BELOW_ELBOW_MM = 50;

/**
 * A known person at the product, and the heights of a workplace. Gender, age and country that are not known are those
 * that `product_fit` took, or they are chosen within all populations. The other dimensions are the expected ones.
 *
 * @param judged null if the service refuses to describe such a person, undefined if nobody judged the person
 * @returns null if the API refuses to describe such a person
 */
export async function knownOf(
  view: FitView,
  known: KnownPerson,
  judged: JudgedKnown | null | undefined,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<FitKnown | null> {
  const [first] = view.populations;
  if (first === undefined || judged === null) return null;
  const { statureMm, massKg } = known;
  const mass = massKg === undefined ? [] : [{ measurement: 'BodyMass', value: massKg }];
  const values: OwnValues = [{ measurement: 'Stature', value: statureMm }, ...mass];
  const kind = judged ?? (await kindIn(view.populations, known, values, free, left));
  if (kind === undefined) return null;
  const { gender, age, country } = kind;
  const clothing = clothingIn(view, first);
  try {
    const own = await dressed({ gender, age, country }, values, clothing, free, left);
    const atWork =
      clothing === 'nude'
        ? await dressed({ gender, age, country }, values, AT_WORK, free, left)
        : own;
    const person = { ...personToDraw(kind, clothing, own), massKg };
    const drawn = drawnOf(view, { who: wordsOf(kind), person, series: 0, isOwn: true }, free);
    return { ...known, sizes: judged?.sizes ?? [], workplace: workplaceOf(atWork), drawn };
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.code !== 'rate_limited')
      return null;
    throw error;
  }
}

/** The known stature of a person, and the mass if it is known. */
type OwnValues = readonly [OwnValue, ...OwnValue[]];
type OwnValue = Extract<KnownValues[number], { readonly value: number }>;

/** The gender, age and country of a known person, chosen within all populations. */
async function kindIn(
  populations: readonly ChosenPopulation[],
  { gender, ageYears }: KnownPerson,
  values: OwnValues,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<Kind | undefined> {
  const genders = new Set(populations.map((one) => one.gender));
  const population = {
    gender: gender ?? (genders.size === 1 ? populations[0]?.gender : undefined),
    countries: [...new Set(populations.flatMap(({ countries }) => countries))],
    ageMin: ageYears ?? Math.min(...populations.map(({ ageMin }) => ageMin)),
    ageMax: ageYears ?? Math.max(...populations.map(({ ageMax }) => ageMax)),
  };
  const found = await foundPerson(population, values, 'nude', free, left);
  if (found === undefined) return undefined;
  return { gender: found.person.gender, age: found.person.ageYears, country: found.country };
}

/** The expected dimensions of a person in clothing. The known stature is without shoes. */
async function dressed(
  kind: Kind,
  [{ value: statureMm }, ...others]: OwnValues,
  clothing: string,
  { answer, answers }: FreeAnswers,
  left?: AbortSignal,
): Promise<Completed['measurements']> {
  const median = { ...kind, measurement: 'Stature', percentile: 50 };
  const bodies = ['nude', clothing].map((one) => ({ ...median, clothing: one }));
  const { statures } = await answers({ statures: [predict, bodies] }, left);
  const [bare = 0, shod = 0] = allAnswered(statures).map(({ value }) => value);
  const shoesMm = shod - bare;
  const stature = { measurement: 'Stature', value: statureMm + shoesMm };
  const body = { ...kind, known: [stature, ...others], clothing };
  return (await answer(completePerson, body, left)).measurements;
}

function workplaceOf(measurements: Completed['measurements']): FitKnown['workplace'] {
  const of = (name: string) =>
    measurements.find(({ measurement }) => measurement === name)?.expected ?? Number.NaN;
  const seat = of('PoplitealHeight');
  return [
    ['Seat height', seat],
    ['Desk height, sitting: at the elbow', seat + of('SittingElbowHeight')],
    ['Eye height, sitting: upper edge of the monitor', seat + of('SittingEyeHeight')],
    ['Desk height, standing: 50 mm below the elbow', of('ElbowHeight') - BELOW_ELBOW_MM],
    ['Eye height, standing: upper edge of the monitor', of('EyeHeight')],
  ].map(([label, valueMm]) => ({ label: label as string, valueMm: Math.round(valueMm as number) }));
}

interface Shown extends Look {
  readonly who: string;
}

/** A person as the picture of a view's product shows them. */
function drawnOf(view: FitView, { who, person, ...look }: Shown, free: FreeAnswers): FitPerson {
  const sizes = sizesOf(person.valuesMm);
  const pictures = free.hasBodies()
    ? picturesOf(view, sizes, { person, ...look }, free.addresses)
    : [];
  return { who, pictures, sizes };
}

/** The people in the picture: those for whom the sizes are just right, or nearly so, and a median one. */
export async function personsOf(
  view: FitView,
  shown: readonly FitPopulation[],
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<FitData['persons']> {
  if (!free.hasBodies() || productById(view.product) === undefined) return undefined;
  const people = await drawnPopulations(view, shown, free, left);
  const wanted = FIT_PERSONS.flatMap((name) => wantedOf(view, people, name) ?? []);
  const persons: Partial<Record<FitPersonName, FitPerson>> = {};
  for (const { series, population } of people) {
    const own = wanted.filter((one) => one.series === series);
    const lists = own.map(({ known }) => known);
    if (own.length === 0) continue;
    const found = await foundPersons(population, lists, clothingIn(view, population), free, left);
    for (const [index, { name }] of own.entries()) {
      const one = found[index];
      if (one !== undefined) persons[name] = drawnOf(view, { ...one, series }, free);
    }
  }
  return persons;
}

/** A population of whom the picture may show people. */
interface DrawnPopulation {
  /** Index of the population in the view. */
  readonly series: number;
  readonly population: ChosenPopulation;
  readonly curves: readonly FitCurve[];
}

/** The people of the view who have the chosen gender; all people, if none is chosen or nobody has it. */
async function drawnPopulations(
  view: FitView,
  shown: readonly FitPopulation[],
  { answers }: FreeAnswers,
  left?: AbortSignal,
): Promise<readonly DrawnPopulation[]> {
  const all = view.populations.map((population, series): DrawnPopulation => {
    return { series, population, curves: shown[series]?.curves ?? [] };
  });
  const gender = view.drawnGender;
  if (gender === undefined || !gendersOf(view).includes(gender)) return all;
  const own = all
    .map((one) => ({
      ...one,
      population: { ...one.population, gender: one.population.gender ?? gender },
    }))
    .filter(({ population }) => population.gender === gender);
  const bodies = own.map(({ population }) => curvesRequest(view, population));
  const { sheets } = await answers({ sheets: [populationPercentiles, bodies] }, left);
  refuseTemporary(...sheets);
  return own.map((one, index) => {
    const sheet = sheets[index];
    const isRefused = sheet === undefined || sheet instanceof Problem;
    return { ...one, curves: isRefused ? [] : curvesOf(sheet) };
  });
}

/** Percentiles whose mean is the farthest from the median that a person has: the API describes P1 to P99 of one age. */
const FARTHEST = { smallest: [1, 5], median: [50, 50], largest: [95, 99] } as const;

/**
 * The known value of a person in the picture, and the index of the population that the person is from. The smallest and
 * the largest are those for whom the first size that they decide is just right.
 */
function wantedOf(view: FitView, people: readonly DrawnPopulation[], name: FitPersonName) {
  const product = productById(view.product);
  const rules = rulesOf(view);
  const kind = name === 'largest' ? 'room' : 'reach';
  const decided = rules.find(
    (one) => product && one.kind === kind && decidesSize(product, one.size) === name,
  );
  const rule = decided ?? rules[0];
  if (rule === undefined) return undefined;
  const { measurement, size, clearanceMm, factor } = rule;
  const curves = people.flatMap(({ curves, series }) => {
    const curve = curves.find((one) => one.measurement === measurement);
    return curve === undefined
      ? []
      : [
          {
            series,
            at: (percent: (typeof FIT_PERCENTILES)[number]) =>
              curve.valuesMm[FIT_PERCENTILES.indexOf(percent)] as number,
          },
        ];
  });
  const sorted = name === 'median' ? curves : curves.toSorted((a, b) => a.at(50) - b.at(50));
  const curve = sorted.at(name === 'largest' ? -1 : 0);
  if (curve === undefined) return undefined;
  const [one, other] = FARTHEST[name].map(curve.at) as [number, number];
  const ends = [curve.at(50), (one + other) / 2];
  const sizeMm = view.sizesMm[size];
  const right =
    decided === undefined || sizeMm === undefined
      ? curve.at(name === 'largest' ? 95 : 5)
      : (sizeMm - clearanceMm) / factor;
  const nearest = Math.max(Math.min(...ends), Math.min(Math.max(...ends), right));
  const value = Math.round(10 * nearest) / 10;
  return { name, series: curve.series, known: [{ measurement, value }] as KnownValues };
}
