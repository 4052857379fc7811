import { seriesColour } from '../../site/drawing-colours.js';
import { deviceHeightPx, pagePicture } from '../../site/pictures/addresses.js';
import { foundPersons, type KnownValues } from '../shared/found-person.js';
import type { FreeAnswers } from '../shared/free-computations.js';
import { clothingIn, FIT_PERCENTILES, FIT_PERSONS, type FitView, rulesOf } from './address.js';
import type { FitData, FitPopulation } from './data-types.js';
import { SCENES, sizesOf, viewsOfProduct } from './scenes.js';

/** The people in the picture. They are members of the first population. */
export async function personsOf(
  view: FitView,
  shown: readonly FitPopulation[],
  free: FreeAnswers,
  artifactVersion: string,
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
        pagePicture({ person, view: name, suit: seriesColour(0), heightPx }, artifactVersion),
      ),
      sizes: sizesOf(person.valuesMm),
    };
  });
}

/** Height of the person on a page, CSS pixels. */
export const PERSON_PX = 480;
