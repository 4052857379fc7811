import { notesOf } from '../../pictures/notes.js';
import { foundPersons, type KnownValues } from '../shared/found-person.js';
import type { FreeAnswers } from '../shared/free-computations.js';
import { drawnOrBusy } from '../shared/free-computations.js';
import { clothingIn, FIT_PERCENTILES, FIT_PERSONS, type FitView, rulesOf } from './address.js';
import type { FitData, FitPopulation } from './data-types.js';
import { viewsOfProduct } from './scenes.js';

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
  const views = viewsOfProduct(view.product);
  if (!free.hasBodies() || views.length === 0) return undefined;
  const clothing = clothingIn(view, population);
  const { measurement } = rule;
  const known = FIT_PERSONS.map((percentile): KnownValues => {
    return [{ measurement, value: curve.valuesMm[FIT_PERCENTILES.indexOf(percentile)] as number }];
  });
  const found = await foundPersons(population, known, clothing, free, left);
  const people = found.flatMap((one) => (one === undefined ? [] : [one.person]));
  const drawn = await drawnOrBusy(free.draw({ people, views }));
  if (drawn === undefined || drawn === 'busy') return drawn;
  const names = rules.map((one) => one.measurement);
  let next = 0;
  return found.map((one) => {
    const own = one === undefined ? undefined : drawn[next++];
    if (one === undefined || own === undefined) return null;
    const { valuesMm } = one.person;
    return {
      who: one.who,
      drawings: own.drawings.map(({ regions: _, ...drawing }) => drawing),
      statureMm: own.achievedMm.Stature ?? 0,
      notes: notesOf(one.who, own, valuesMm, names),
    };
  });
}
