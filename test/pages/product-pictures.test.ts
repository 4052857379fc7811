import { beforeAll, expect, it } from 'vitest';
import { DIMENSIONS } from '../../src/body/dimensions.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { achievedMm, BodyViewer } from '../../src/render/body-viewer.js';
import { drawnMm, missesOf } from '../../src/render/marks.js';
import { RUNS } from '../../src/render/runs.js';
import { PRODUCTS, viewsOfProduct } from '../../src/screens/fit/products.js';
import { foundPerson } from '../../src/screens/shared/found-person.js';
import { type FreeAnswers, freeAnswers } from '../../src/screens/shared/free-computations.js';
import { computerHere } from '../support/computer-here.js';
import { realArtifacts } from '../support/servers.js';

/**
 * `TRUE_MM`: largest difference between a picture and the body. `MARKED_FROM_MM`: from this difference to the
 * prediction on, the picture marks a dimension.
 */
const TRUE_MM = 1;
const MARKED_FROM_MM = 3;

/** Number of lines in a product's picture that the tape of the fit measures, too. */
function tapedLines(product: string): number {
  const rules = PRODUCTS.find(({ id }) => id === product)?.rules ?? [];
  const views = viewsOfProduct(product, 30);
  return [...new Set(rules.map(({ measurement }) => measurement))].filter(
    (name) =>
      name in DIMENSIONS && RUNS[name].along !== 'around' && views.includes(RUNS[name].view),
  ).length;
}

interface AskedPerson {
  readonly gender: Gender;
  readonly ageYears: number;
  readonly percentile: number;
}

const PEOPLE: readonly AskedPerson[] =
  process.env.MODE === 'all'
    ? GENDERS.flatMap((gender) =>
        [4, 8, 12, 30, 80].flatMap((ageYears) =>
          [5, 50, 95].map((percentile) => ({ gender, ageYears, percentile })),
        ),
      )
    : [
        { gender: 'Female', ageYears: 30, percentile: 50 },
        { gender: 'Male', ageYears: 8, percentile: 95 },
      ];

let free: FreeAnswers;
let viewer: BodyViewer;
beforeAll(async () => {
  const model = new PredictionModel(openArtifact(await realArtifacts()));
  viewer = new BodyViewer(model.bodies());
  free = freeAnswers({
    model: () => model,
    computer: computerHere(model),
    pictureSecrets: () => ['one'],
  });
});

it('has 21 products', () => {
  expect(PRODUCTS).toHaveLength(21);
});

it.each(PRODUCTS)('the picture of a $id has the dimensions of its people', async ({ id }) => {
  let compared = 0;
  for (const person of PEOPLE) compared += await checkPicture(id, person);
  expect(compared).toBe(PEOPLE.length * tapedLines(id));
});

/**
 * Checks the picture of a product with a person. Its lines must equal the body's dimensions, and each dimension that is
 * off must be marked.
 *
 * @returns number of lines compared
 */
async function checkPicture(product: string, person: AskedPerson): Promise<number> {
  const { gender, ageYears, percentile } = person;
  const { answers } = free;
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
  const { valuesMm } = found.person;
  const drawings = viewsOfProduct(product, 30).map(
    (view) => viewer.see(found.person, view).drawing,
  );
  const achieved = achievedMm(viewer.fit(found.person));
  let compared = 0;
  for (const name of names as MeasurementName[]) {
    const drawing = drawings.find(({ view }) => view === RUNS[name].view);
    const line = drawing && drawnMm(drawing, name);
    const taped = achieved[name];
    if (line !== undefined && taped !== undefined) {
      expect(Math.abs(line - taped), `${product} ${name}`).toBeLessThan(TRUE_MM);
      compared++;
    }
    const shown = taped ?? line;
    const asked = valuesMm[name];
    if (shown === undefined || asked === undefined || drawing === undefined) continue;
    const isMarked = missesOf(drawing, achieved, valuesMm, [name]).length > 0;
    expect(isMarked, `${product} ${name}`).toBe(Math.abs(shown - asked) > MARKED_FROM_MM);
  }
  return compared;
}
