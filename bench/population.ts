import { COUNTRY_CODES, type CountryCode } from '../src/core/countries.js';
import { GENDERS } from '../src/core/genders.js';
import { peopleIndex } from '../src/lookup/format.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { curveValue, zOfPercentile } from '../src/lookup/quantile-curve.js';
import { populationPercentiles } from '../src/operations/population-percentiles.js';
import { populationShare } from '../src/operations/population-share.js';
import { PredictionModel } from '../src/operations/prediction-model.js';
import { samplePeople } from '../src/operations/sample-people.js';
import { median } from './compare.js';
import type { Line } from './table.js';

// Operations on populations in this process, without a server.

/** A hundred cells: five countries, both genders, ten years of age. */
const HUNDRED_CELLS = {
  countries: ['DE', 'FR', 'JP', 'US', 'BR'],
  ageMin: 30,
  ageMax: 39,
} as const;
const MEASUREMENT = 'Stature';
/** The people of samples. */
export const ADULTS = { groups: [{ countries: ['DE', 'JP'], ageMin: 18, ageMax: 65 }] };

const EIGHT = [
  ...(['Stature', 'SittingHeight', 'PoplitealHeight', 'KneeHeight'] as const),
  ...(['SittingHipBreadth', 'HandLength', 'BodyMass', 'FootLength'] as const),
];
/** Limits that exclude a tenth of the people each. */
export const EIGHT_LIMITS = EIGHT.map((measurement) => ({
  measurement,
  minPercentile: 5,
  maxPercentile: 95,
}));

/** Median time in ms of an odd number of runs, after as many runs that do not count. */
function milliseconds(runs: number, run: () => unknown): number {
  const times = Array.from({ length: 2 * runs }, () => {
    const startedMs = performance.now();
    run();
    return performance.now() - startedMs;
  });
  return median(times.slice(runs));
}

/** Measures percentiles, shares and samples on an artifact. */
export function populationLines(artifactsDir: string): Line[] {
  const views = openArtifact(artifactsDir);
  const model = new PredictionModel(views);
  const sheet = (percentiles: number[]) =>
    populationPercentiles.run(
      { population: { groups: [plain(HUNDRED_CELLS)] }, measurements: [MEASUREMENT], percentiles },
      model,
    );
  const share = (groups: Parameters<typeof populationShare.run>[0]['population']['groups']) =>
    populationShare.run({ population: { groups }, limits: EIGHT_LIMITS }, model);
  const populated = COUNTRY_CODES.filter((_, country) => {
    return (views.population.people[peopleIndex(country, 0, 30)] ?? 0) > 0;
  });
  const fifty = populated
    .slice(0, 50)
    .map((code) => ({ countries: [code], ageMin: 30, ageMax: 30 }));
  const world = [{ countries: ['World'], ageMin: 0, ageMax: 120 }];
  const percentiles = [0.1, 1, 5, 50, 95, 99, 99.9];
  const exact = drawnPercentiles(model, percentiles);
  const errorMm = Math.max(
    ...(sheet(percentiles).measurements[0]?.values ?? []).map(({ value }, i) => {
      return Math.abs(value - (exact[i] as number));
    }),
  );
  return [
    {
      measure: '3 percentiles of 100 cells',
      value: milliseconds(21, () => sheet([5, 50, 95])),
      unit: 'ms',
      ceiling: 5,
    },
    { measure: 'difference from ten million draws', value: errorMm, unit: 'mm', ceiling: 0.1 },
    {
      measure: 'share within 8 limits, 50 groups of one country',
      value: milliseconds(5, () => share(fifty)),
      unit: 'ms',
      ceiling: 100,
    },
    {
      measure: 'share within 8 limits, World of all ages',
      value: milliseconds(1, () => share(world)),
      unit: 'ms',
      ceiling: 5000,
    },
    {
      measure: '10,000 people with all measurements',
      value: milliseconds(3, () => manyPeople(model)),
      unit: 'ms',
      ceiling: 1500,
    },
  ];
}

/** All measurements of 10,000 people. */
function manyPeople(model: PredictionModel): unknown {
  return samplePeople.run({ population: ADULTS, count: 10_000, seed: 1 }, model);
}

function plain({ countries, ...ages }: typeof HUNDRED_CELLS) {
  return { countries: [...countries], ...ages };
}

/** Draws of each cell: ten million for a hundred cells. */
const DRAWS = 100_000;
const BIN_MM = 0.005;
const [FROM_MM, TO_MM] = [1000, 2500];

/**
 * Percentiles of the hundred cells without the code of mixtures: values are drawn at even steps of
 * the cumulative share from the curves that `predict` answers with, counted by the head count of
 * their cell, and read off the sum.
 */
function drawnPercentiles(model: PredictionModel, percentiles: readonly number[]): number[] {
  const counts = new Float64Array((TO_MM - FROM_MM) / BIN_MM);
  const scores = Float64Array.from({ length: DRAWS }, (_, i) =>
    zOfPercentile((100 * (i + 0.5)) / DRAWS),
  );
  let people = 0;
  for (const country of HUNDRED_CELLS.countries) {
    for (const gender of GENDERS) {
      for (let age = HUNDRED_CELLS.ageMin; age <= HUNDRED_CELLS.ageMax; age++) {
        const count = headCount(model, country, GENDERS.indexOf(gender), age);
        const cell = { measurement: MEASUREMENT, gender, country, age: age + 0.5 } as const;
        const curve = model.curve({
          ...cell,
          clothing: 'nude',
          posture: 'standing_erect',
          unit: 'mm',
        });
        for (const z of scores) {
          const bin = Math.floor((curveValue(curve, z) - FROM_MM) / BIN_MM);
          counts[bin] = (counts[bin] as number) + count;
        }
        people += count * DRAWS;
      }
    }
  }
  return percentiles.map((percentile) => {
    let [sum, bin] = [0, 0];
    while (sum < (people * percentile) / 100) sum += counts[bin++] as number;
    return FROM_MM + (bin - 0.5) * BIN_MM;
  });
}

function headCount(model: PredictionModel, country: CountryCode, gender: number, age: number) {
  const { people } = model.people().bodies.views.population;
  return people[peopleIndex(COUNTRY_CODES.indexOf(country), gender, age)] ?? 0;
}
