import { Problem } from '../../core/errors.js';
import { completePerson } from '../../operations/complete-person.js';
import { predict } from '../../operations/predict.js';
import { seriesColour } from '../../site/drawing-colours.js';
import { deviceHeightPx } from '../../site/pictures/addresses.js';
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
import { clothingIn, FIT_PERCENTILES, FIT_PERSONS, type FitView, rulesOf } from './address.js';
import type { FitData, FitKnown, FitPopulation } from './data-types.js';
import type { JudgedKnown } from './design.js';
import type { KnownPerson } from './known-people.js';
import { SCENES, sizesOf, viewsOfProduct } from './products.js';

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
    const common = { person, suit: seriesColour(0), heightPx: deviceHeightPx(PERSON_PX) };
    const isDrawn = free.hasBodies() && SCENES[view.product] !== undefined;
    const pictures = (isDrawn ? viewsOfProduct(view.product, age) : []).map((name) =>
      free.addresses.page({ ...common, view: name, isOwn: true }),
    );
    const drawn = { who: wordsOf(kind), pictures, sizes: sizesOf(person.valuesMm) };
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

/** The people in the picture. They are members of the first population. */
export async function personsOf(
  view: FitView,
  shown: readonly FitPopulation[],
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<FitData['persons']> {
  const [population] = view.populations;
  const rules = rulesOf(view);
  const [rule] = rules;
  const curve = shown[0]?.curves?.find((one) => one.measurement === rule?.measurement);
  if (population === undefined || rule === undefined || curve === undefined) return undefined;
  if (!free.hasBodies() || SCENES[view.product] === undefined) return undefined;
  const clothing = clothingIn(view, population);
  const { measurement } = rule;
  const known = FIT_PERSONS.map((percentile): KnownValues => {
    return [{ measurement, value: curve.valuesMm[FIT_PERCENTILES.indexOf(percentile)] as number }];
  });
  const found = await foundPersons(population, known, clothing, free, left);
  const heightPx = deviceHeightPx(PERSON_PX);
  return found.map((one) => {
    if (one === undefined) return null;
    const { who, person } = one;
    return {
      who,
      pictures: viewsOfProduct(view.product, person.ageYears).map((name) =>
        free.addresses.page({ person, view: name, suit: seriesColour(0), heightPx }),
      ),
      sizes: sizesOf(person.valuesMm),
    };
  });
}

/** Height of the person on a page, CSS pixels. */
const PERSON_PX = 480;
