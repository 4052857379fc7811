import { Problem } from '../../core/errors.js';
import { completePerson } from '../../operations/complete-person.js';
import { predict } from '../../operations/predict.js';
import { foundPerson } from '../shared/found-person.js';
import type { FreeAnswers } from '../shared/free-computations.js';
import { clothingIn, type FitView } from './address.js';
import type { FitMe } from './data-types.js';
import { boundsOf } from './needs.js';
import { productById } from './products.js';
import { sizeRange } from './proposal.js';

/** The fields of a `complete_person` answer that the page uses. */
interface Completed {
  readonly measurements: readonly { readonly measurement: string; readonly expected: number }[];
}

/** Clothing at a workplace, if the population has no clothing of its own. */
const AT_WORK = 'light_shoes';
/** Distance from the elbow down to a top for light standing work. A counter at its lowest has the same distance. */
const BELOW_ELBOW_MM = 50;

/**
 * The needs of one person with a stature: the sizes of the product, and the heights of a workplace. Gender,
 * age and country are chosen from the first population, so that the stature is as usual as possible. The
 * other dimensions are the expected ones.
 *
 * @param statureMm without shoes
 * @returns null if the API refuses to describe such a person
 */
export async function meOf(
  view: FitView,
  statureMm: number,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<FitMe | null> {
  const { answer } = free;
  const [population] = view.populations;
  if (population === undefined) return null;
  const stature = { measurement: 'Stature', value: statureMm };
  const found = await foundPerson(population, [stature], 'nude', free, left);
  if (found === undefined) return null;
  const { gender, ageYears: age } = found.person;
  const kind = { gender, age, country: found.country };
  const dressed = async (clothing: string): Promise<ReadonlyMap<string, number>> => {
    const median = { ...kind, measurement: 'Stature', percentile: 50 };
    const [bare, shod] = await Promise.all(
      ['nude', clothing].map((one) => answer(predict.name, { ...median, clothing: one }, left)),
    );
    const shoesMm = (shod as { value: number }).value - (bare as { value: number }).value;
    const known = [{ measurement: 'Stature', value: statureMm + shoesMm }];
    const whole = await answer(completePerson.name, { ...kind, known, clothing }, left);
    const { measurements } = whole as Completed;
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
    return { who: found.who, sizes, workplace: workplaceOf(atWork) };
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.code !== 'rate_limited')
      return null;
    throw error;
  }
}

function workplaceOf(mm: ReadonlyMap<string, number>): FitMe['workplace'] {
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
