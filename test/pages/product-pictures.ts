import { expect } from 'vitest';
import { DIMENSIONS } from '../../src/body/dimensions.js';
import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { drawnMm, missesOf } from '../../src/drawing/marks.js';
import { RUNS } from '../../src/drawing/runs.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { notesOf } from '../../src/pages/pictures/notes.js';
import { PRODUCTS } from '../../src/pages/screens/fit/products.js';
import { viewsOfProduct } from '../../src/pages/screens/fit/scenes.js';
import { foundPerson } from '../../src/pages/screens/shared/found-person.js';
import { type FreeAnswers, freeAnswers } from '../../src/pages/screens/shared/free-computations.js';
import { computerHere } from '../support/computer-here.js';
import { boxOfPath } from '../support/paths.js';

/**
 * `TRUE_MM`: largest difference between a picture and the body. `MARKED_FROM_MM`: from this difference to the
 * prediction on, the picture marks a dimension.
 */
const TRUE_MM = 1;
const MARKED_FROM_MM = 3;

/** Ids of the products with a picture. */
export const PRODUCT_IDS = PRODUCTS.map(({ id }) => id);

/** Number of lines in a product's picture that the tape of the fit measures, too. */
export function tapedLines(product: string): number {
  const rules = PRODUCTS.find(({ id }) => id === product)?.rules ?? [];
  const views = viewsOfProduct(product);
  return [...new Set(rules.map(({ measurement }) => measurement))].filter(
    (name) =>
      name in DIMENSIONS && RUNS[name].along !== 'around' && views.includes(RUNS[name].view),
  ).length;
}

/** Free answers from the artifacts of a folder. */
export function answersFrom(folder: string): FreeAnswers {
  const model = new PredictionModel(openArtifact(folder));
  return freeAnswers({ model: () => model, computer: computerHere(model) });
}

/**
 * Checks the picture of a product with a person. Its lines must equal the body's dimensions, and its outline the body.
 * The caption must mark each dimension that is off.
 *
 * @returns number of lines compared
 */
export async function checkPicture(
  product: string,
  person: { gender: Gender; ageYears: number; percentile: number },
  { answers, draw }: FreeAnswers,
): Promise<number> {
  const { gender, ageYears, percentile } = person;
  const rules = PRODUCTS.find(({ id }) => id === product)?.rules ?? [];
  const names = [...new Set(rules.map(({ measurement }) => measurement))];
  const clothing = PRODUCTS.find(({ id }) => id === product)?.clothing ?? 'nude';
  const population = {
    ...{ gender, countries: ['US'], ageMin: ageYears, ageMax: ageYears, clothing },
  };
  const [measurement = 'Stature'] = names;
  const found = await foundPerson(population, [{ measurement, percentile }], clothing, { answers });
  expect(found, `${product} ${JSON.stringify(person)}`).toBeDefined();
  if (found === undefined) return 0;
  const views = viewsOfProduct(product);
  const [drawn] = (await draw({ people: [found.person], views })) ?? [];
  if (drawn === undefined) throw new Error('nobody was drawn');
  for (const { outline, extent, shown } of drawn.drawings) {
    if (extent.some((mm, side) => mm !== shown[side])) continue;
    boxOfPath(outline).forEach((mm, side) => {
      expect(Math.abs(mm - (extent[side] as number))).toBeLessThan(TRUE_MM);
    });
  }
  const { valuesMm } = found.person;
  const misses = missesOf(drawn, valuesMm, names);
  const notes = notesOf(found.who, drawn, valuesMm, names).join(' ');
  let compared = 0;
  for (const name of names as MeasurementName[]) {
    const drawing = drawn.drawings.find(({ view }) => view === RUNS[name].view);
    const line = drawing && drawnMm(drawing, name);
    const taped = drawn.achievedMm[name];
    if (line !== undefined && taped !== undefined) {
      expect(Math.abs(line - taped), `${product} ${name}`).toBeLessThan(TRUE_MM);
      compared++;
    }
    const shown = taped ?? line;
    const asked = valuesMm[name];
    if (shown === undefined || asked === undefined) continue;
    const isMarked = misses.some((miss) => miss.measurement === name);
    expect(isMarked, `${product} ${name}`).toBe(Math.abs(shown - asked) > MARKED_FROM_MM);
  }
  expect(misses.length > 0).toBe(notes.includes('is off in'));
  return compared;
}
