import { COUNTRY_CODES } from '../src/core/countries.js';
import { GENDERS } from '../src/core/genders.js';
import { curveValue, peopleIndex, zOfPercentile } from '../src/lookup/cell.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { populationPercentiles } from '../src/operations/population-percentiles.js';
import { populationShare } from '../src/operations/population-share.js';
import { PredictionModel } from '../src/operations/prediction-model.js';
import { reachEnvelope } from '../src/operations/reach-envelope.js';
import { reachShare } from '../src/operations/reach-share.js';
import { samplePeople } from '../src/operations/sample-people.js';
import { median } from './load.js';
import { ADULTS, EIGHT_LIMITS } from './requests.js';
import { ARTIFACTS_DIR } from './service.js';
import { atMost, type Figure } from './table.js';

/** A hundred cells: five countries, both genders, ten years of age. */
const HUNDRED_CELLS = {
  countries: ['DE', 'FR', 'JP', 'US', 'BR'] as const,
  ...{ ageMin: 30, ageMax: 39 },
};
const MEASUREMENT = 'Stature';

/** Median time in ms of an odd number of runs. As many runs before them do not count. */
function milliseconds(runs: number, run: () => unknown): number {
  const times = Array.from({ length: 2 * runs }, () => {
    const begunMs = performance.now();
    run();
    return performance.now() - begunMs;
  });
  return median(times.slice(runs));
}

/** Operations on populations in this process, without a server. */
export function* population(): Generator<Figure> {
  const views = openArtifact(ARTIFACTS_DIR);
  const model = new PredictionModel(views);
  const { people } = views.population;
  type Groups = Parameters<typeof populationShare.run>[0]['population']['groups'];
  const sheet = (percentiles: number[]) => {
    const groups: Groups = [{ ...HUNDRED_CELLS, countries: [...HUNDRED_CELLS.countries] }];
    const input = { population: { groups }, measurements: [MEASUREMENT], percentiles } as const;
    return populationPercentiles.run({ ...input, measurements: [MEASUREMENT] }, model);
  };
  const share = (groups: Groups) =>
    populationShare.run({ population: { groups }, limits: EIGHT_LIMITS }, model);
  yield atMost(
    5,
    '3 percentiles of 100 cells',
    milliseconds(21, () => sheet([5, 50, 95])),
    'ms',
  );
  const percentiles = [0.1, 1, 5, 50, 95, 99, 99.9];
  const exact = drawnPercentiles(model, people, percentiles);
  const values = sheet(percentiles).measurements[0]?.values ?? [];
  const errorsMm = values.map(({ value }, i) => Math.abs(value - (exact[i] as number)));
  yield atMost(0.1, 'difference from ten million draws', Math.max(...errorsMm), 'mm');
  const fifty = COUNTRY_CODES.filter((_, i) => (people[peopleIndex(i, 0, 30)] ?? 0) > 0)
    .slice(0, 50)
    .map((code) => ({ countries: [code], ageMin: 30, ageMax: 30 }));
  const fiftyMs = milliseconds(5, () => share(fifty));
  yield atMost(100, 'share within 8 limits, 50 groups of one country', fiftyMs, 'ms');
  const world = [{ countries: ['World'], ageMin: 0, ageMax: 120 }];
  const worldMs = milliseconds(1, () => share(world));
  yield atMost(5000, 'share within 8 limits, World of all ages', worldMs, 'ms');
  const sample = { population: ADULTS, count: 10_000, seed: 1 };
  const sampleMs = milliseconds(3, () => samplePeople.run(sample, model));
  yield atMost(1500, '10,000 people with all measurements', sampleMs, 'ms');
  const adults: Groups = [{ countries: ['World'], ageMin: 18, ageMax: 80 }];
  for (const [people, limitMs, groups] of [
    ['one country', 500, reachShare.example.population.groups],
    ['the World', 2000, adults],
  ] as const) {
    const population = { groups: [...groups] as Groups };
    const shareMs = milliseconds(5, () =>
      reachShare.run({ ...reachShare.example, population }, model),
    );
    yield atMost(limitMs, `reach, sight and room of ${people}, a seat that moves`, shareMs, 'ms');
    for (const [how, by, lean] of [
      ['', 'grip', 'none'],
      [', leaning with the trunk', 'grip', 'trunk'],
      [', with the foot', 'foot', 'none'],
    ] as const) {
      const asked = { ...reachEnvelope.example, by, lean, percentiles: [5, 50, 95], population };
      const envelopeMs = milliseconds(5, () => reachEnvelope.run(asked, model));
      yield atMost(limitMs, `reach envelope of ${people}${how}`, envelopeMs, 'ms');
    }
  }
}

/** Draws of each cell: ten million for a hundred cells. */
const DRAWS = 100_000;
const BIN_MM = 0.005;
const [FROM_MM, TO_MM] = [1000, 2500];

/**
 * Percentiles of the hundred cells, computed without the code for mixtures. Values are drawn from the curves of
 * `predict` at equal steps of the cumulative share. Each cell counts with its head count. The percentiles are read from
 * the sum.
 */
function drawnPercentiles(
  model: PredictionModel,
  people: ArrayLike<number>,
  percentiles: readonly number[],
): number[] {
  const counts = new Float64Array((TO_MM - FROM_MM) / BIN_MM);
  const scores = Float64Array.from({ length: DRAWS }, (_, i) =>
    zOfPercentile((100 * (i + 0.5)) / DRAWS),
  );
  const usual = { clothing: 'nude', posture: 'standing_erect', unit: 'mm' } as const;
  const { countries, ageMin, ageMax } = HUNDRED_CELLS;
  let total = 0;
  for (const country of countries) {
    for (const gender of GENDERS) {
      for (let age = ageMin; age <= ageMax; age++) {
        const cell = [COUNTRY_CODES.indexOf(country), GENDERS.indexOf(gender), age] as const;
        const count = people[peopleIndex(...cell)] ?? 0;
        const asked = { measurement: MEASUREMENT, gender, country, age: age + 0.5 } as const;
        const curve = model.curve({ ...asked, ...usual });
        for (const z of scores) {
          const bin = Math.floor((curveValue(curve, z) - FROM_MM) / BIN_MM);
          counts[bin] = (counts[bin] as number) + count;
        }
        total += count * DRAWS;
      }
    }
  }
  return percentiles.map((percentile) => {
    let [sum, bin] = [0, 0];
    while (sum < (total * percentile) / 100) sum += counts[bin++] as number;
    return FROM_MM + (bin - 0.5) * BIN_MM;
  });
}
