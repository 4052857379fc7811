import { Problem } from '../../core/errors.js';
import { MEASUREMENT_NAMES } from '../../core/measurements.js';
import { completePerson } from '../../operations/complete-person.js';
import { predict } from '../../operations/predict.js';
import { seriesColour } from '../../site/drawing-colours.js';
import { deviceHeightPx } from '../../site/pictures/addresses.js';
import { foundPerson, foundPersons, type KnownValues } from '../shared/found-person.js';
import type { FreeAnswers } from '../shared/free-computations.js';
import { clothingIn, FIT_PERCENTILES, FIT_PERSONS, type FitView, rulesOf } from './address.js';
import type { FitData, FitKnown, FitPopulation } from './data-types.js';
import type { KnownPerson } from './known-people.js';
import { productById, SCENES, sizesOf, viewsOfProduct } from './products.js';
import { boundsOf, sizeRange } from './proposal.js';

/** The fields of a `complete_person` answer that the page uses. */
interface Completed {
  readonly measurements: readonly { readonly measurement: string; readonly expected: number }[];
}

/** Clothing at a workplace, if the population has no clothing of its own. */
const AT_WORK = 'light_shoes';
/** Distance from the elbow down to a top for light standing work. A counter at its lowest has the same distance. */
const BELOW_ELBOW_MM = 50;

/**
 * The needs of one known person: the sizes of the product, and the heights of a workplace. What is not known of gender,
 * age and country is chosen within the populations, so that the stature is as usual as possible. The other dimensions
 * are the expected ones.
 *
 * @returns null if the API refuses to describe such a person
 */
export async function needsOfKnown(
  view: FitView,
  known: KnownPerson,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<FitKnown | null> {
  const { answer, answers } = free;
  const [first] = view.populations;
  if (first === undefined) return null;
  const { statureMm, massKg, ageYears } = known;
  const genders = new Set(view.populations.map((one) => one.gender));
  const population = {
    ...first,
    gender: known.gender ?? (genders.size === 1 ? first.gender : undefined),
    countries: [...new Set(view.populations.flatMap(({ countries }) => countries))],
    ageMin: ageYears ?? Math.min(...view.populations.map(({ ageMin }) => ageMin)),
    ageMax: ageYears ?? Math.max(...view.populations.map(({ ageMax }) => ageMax)),
  };
  const mass = massKg === undefined ? [] : [{ measurement: 'BodyMass', value: massKg }];
  const values: KnownValues = [{ measurement: 'Stature', value: statureMm }, ...mass];
  const found = await foundPerson(population, values, 'nude', free, left);
  if (found === undefined) return null;
  const { gender, ageYears: age } = found.person;
  const kind = { gender, age, country: found.country };
  const dressed = async (clothing: string): Promise<ReadonlyMap<string, number>> => {
    const median = { ...kind, measurement: 'Stature', percentile: 50 };
    const [bare, shod] = await answers(
      ['nude', clothing].map((one) => ({
        operation: predict.name,
        body: { ...median, clothing: one },
      })),
      left,
    );
    if (bare instanceof Problem) throw bare;
    if (shod instanceof Problem) throw shod;
    const shoesMm = (shod as { value: number }).value - (bare as { value: number }).value;
    const stature = { measurement: 'Stature', value: statureMm + shoesMm };
    const asked = { ...kind, known: [stature, ...mass], clothing };
    const { measurements } = (await answer(completePerson.name, asked, left)) as Completed;
    return new Map(measurements.map(({ measurement, expected }) => [measurement, expected]));
  };
  try {
    const clothing = clothingIn(view, population);
    const own = await dressed(clothing);
    const atWork = clothing === 'nude' ? await dressed(AT_WORK) : own;
    const ranges = [...own].map(([measurement, mm]) => ({ measurement, min: mm, max: mm }));
    const sizes =
      productById(view.product) === undefined
        ? []
        : boundsOf(view).map(({ id, label, rules }) => {
            return { id, label, ...sizeRange(rules, ranges) };
          });
    const valuesMm = Object.fromEntries(
      MEASUREMENT_NAMES.flatMap((name) => {
        const mm = own.get(name);
        return mm === undefined ? [] : [[name, Math.round(mm)]];
      }),
    );
    const person = { gender, ageYears: age, valuesMm, massKg };
    const common = { person, suit: seriesColour(0), heightPx: deviceHeightPx(PERSON_PX) };
    const isDrawn = free.hasBodies() && SCENES[view.product] !== undefined;
    const pictures = (isDrawn ? viewsOfProduct(view.product, age) : []).map((name) =>
      free.addresses.page({ ...common, view: name, isOwn: true }),
    );
    const drawn = { who: found.who, pictures, sizes: sizesOf(valuesMm) };
    return { ...known, sizes, workplace: workplaceOf(atWork), drawn };
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.code !== 'rate_limited')
      return null;
    throw error;
  }
}

function workplaceOf(mm: ReadonlyMap<string, number>): FitKnown['workplace'] {
  const of = (name: string) => mm.get(name) ?? Number.NaN;
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
