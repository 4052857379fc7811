import { BODY_MEASUREMENTS } from '../src/operations/fields.js';

// The requests that attackers send, each as large as its route allows.

/** A request of the API. */
export interface Sent {
  readonly path: string;
  readonly body: string;
}

/** All measurements of both genders: the other one is refused for a population of men and women. */
const ALL = BODY_MEASUREMENTS.filter((name) => name !== 'FemaleChestCircumferenceBelowBreasts');
const PERCENTILES = Array.from({ length: 20 }, (_, i) => 2 + 5 * i);
const ADULTS = { countries: ['World'], ageMin: 20, ageMax: 90 };
const NARROW = [{ measurement: 'Stature', min: 1750, max: 1780 }];
const FIVE_KEPT = [
  { measurement: 'Stature', min: 1500, max: 1900 },
  { measurement: 'BodyMass', min: 45, max: 110 },
  { measurement: 'SittingHeight', min: 780, max: 980 },
  { measurement: 'KneeHeight', min: 430, max: 600 },
  { measurement: 'SittingHipBreadth', min: 300, max: 450 },
];
const SIX = [
  { measurement: 'Stature', tolerance: 60 },
  { measurement: 'WaistCircumferenceAbdominal', tolerance: 60 },
  { measurement: 'ChestCircumferenceArmpit', tolerance: 60 },
  { measurement: 'SittingHeight', tolerance: 40 },
  { measurement: 'KneeHeight', tolerance: 30 },
  { measurement: 'HandLength', tolerance: 15 },
];
const TWELVE = [
  ...['Stature', 'SittingHeight', 'KneeHeight', 'PoplitealHeight', 'SittingHipBreadth'],
  ...['HandLength', 'FootLength', 'BodyMass', 'ButtockKneeLength', 'SittingEyeHeight'],
  ...['SittingElbowHeight', 'ChestBreadth'],
];
const FIFTY_WORLDS = Array.from({ length: 50 }, () => ADULTS);

const sent = (path: string, body: object): Sent => ({ path, body: JSON.stringify(body) });
const chart = (population: object, measurements: readonly object[] = SIX) =>
  sent('/v1/population/sizes', { population, measurements, sizes: 30 });
/** A tolerance that is wider than the statures of a population is refused. */
const SIX_NARROW = [{ measurement: 'Stature', tolerance: 15 }, ...SIX.slice(1)];
const sheet = (population: object, measurements: readonly string[]) =>
  sent('/v1/population/percentiles', { population, measurements, percentiles: PERCENTILES });

/** What a paying customer asks while others attack. */
export const VICTIM = {
  share: sent('/v1/population/share', {
    population: { groups: [{ countries: ['DE'], ageMin: 18, ageMax: 65 }] },
    limits: ['Stature', 'SittingHeight', 'PoplitealHeight', 'KneeHeight'].map((measurement) => ({
      measurement,
      minPercentile: 5,
      maxPercentile: 95,
    })),
  }),
  predict: sent('/v1/predict', {
    measurement: 'Stature',
    gender: 'Female',
    age: 30,
    percentile: 50,
    country: 'NL',
  }),
};

/** The requests of item 3 whose work was measured. */
export const LARGEST: Readonly<Record<string, Sent>> = {
  'percentiles of 149 × 20, five keep': sheet({ groups: [ADULTS], keep: FIVE_KEPT }, ALL),
  'percentiles of 149 × 20': sheet({ groups: [ADULTS] }, ALL),
  'percentiles of 10 × 20': sheet({ groups: [ADULTS] }, TWELVE.slice(0, 10)),
  'sizes of 6 × 30, narrow keep': chart({ groups: [ADULTS], keep: NARROW }, SIX_NARROW),
  'sizes of 6 × 30, 50 groups of World': chart({ groups: FIFTY_WORLDS }),
  'ranges of 12 with keep': sent('/v1/population/ranges', {
    population: { groups: [ADULTS], keep: NARROW },
    targetShare: 0.9,
    dimensions: TWELVE.map((measurement) => ({ measurement, side: 'both' })),
  }),
  'share of one limit, 50 groups of World': sent('/v1/population/share', {
    population: { groups: FIFTY_WORLDS },
    limits: [{ measurement: 'Stature', min: 1700 }],
  }),
  'one percentile of one, 50 groups of World': sent('/v1/population/percentiles', {
    population: { groups: FIFTY_WORLDS },
    measurements: ['Stature'],
    percentiles: [50],
  }),
};

/** One MB of requests whose 140,800 names of countries do not exist. */
export const UNKNOWN_NAMES = batch(20, () => ({
  operation: 'population_percentiles',
  input: {
    population: {
      groups: Array.from({ length: 40 }, (_, group) => ({
        countries: Array.from({ length: 176 }, (_, i) => `Q${(group * 176 + i).toString(36)}`),
        ageMin: 20,
        ageMax: 40,
      })),
    },
    measurements: ['Stature'],
    percentiles: [50],
  },
}));

/** A thousand requests, each with several faults. */
export const FAULTY_ENTRIES = batch(1000, (i) => ({
  operation: 'predict',
  input: { measurement: `Statur${i}`, gender: 'Femal', age: -1, percentile: 5e9, colour: 'red' },
}));

/** A call of a tool over MCP. */
const call = (name: string, input: object): Sent =>
  sent('/mcp', {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name, arguments: input },
  });

const KNOWN = BODY_MEASUREMENTS.slice(0, 20).map((measurement) => ({
  measurement,
  percentile: 50,
}));
const SOMEBODY = { gender: 'Female', age: 34, country: 'DE', known: KNOWN };
const SOME_PEOPLE = { population: { groups: [ADULTS] }, count: 4000, seed: 1 };
/** A quarter of a million numbers in lists, none of which any field takes. */
const NUMBERS = {
  operation: 'predict',
  input: {
    numbers: Array.from({ length: 8 }, () => Array.from({ length: 30_000 }, (_, i) => i % 10)),
  },
};

/** Bodies and answers that take long to read, to refuse or to send. */
export const LARGE: Readonly<Record<string, Sent>> = {
  '1 MB of made-up countries over MCP': call('batch', JSON.parse(UNKNOWN_NAMES.body)),
  '1,000 faulty requests over MCP': call('batch', JSON.parse(FAULTY_ENTRIES.body)),
  'a list of 240,000 numbers': sent('/v1/batch', { requests: [NUMBERS] }),
  '25,000 unknown fields': batch(50, () => ({
    operation: 'predict',
    input: Object.fromEntries(Array.from({ length: 480 }, (_, i) => [`field ${i}`, 'a text'])),
  })),
  '1,000 predictions': batch(1000, () => ({
    operation: 'predict',
    input: JSON.parse(VICTIM.predict.body),
  })),
  '1,000 comparisons of 10 countries': batch(1000, (i) => ({
    id: 'x'.repeat(90) + i,
    operation: 'predict_compare',
    input: {
      ...{ measurement: 'Stature', gender: 'Female', age: 25, percentile: 50 },
      countries: 'NL JP DE FR IT ES PT PL CZ SK'.split(' '),
    },
  })),
  '1,000 requests for evidence': batch(1000, () => ({
    operation: 'evidence',
    input: { measurement: 'Stature', gender: 'Female', age: 30, country: 'NL' },
  })),
  '20 bodies with 20 known values each': sent('/v1/bodies', {
    people: Array.from({ length: 20 }, (_, i) => ({ name: `${i}`, ...SOMEBODY })),
  }),
  'a person with 20 known values': sent('/v1/person', SOMEBODY),
  '4,000 people as JSON': sent('/v1/population/people', SOME_PEOPLE),
  '4,000 people as CSV': sent('/v1/population/people', { ...SOME_PEOPLE, format: 'csv' }),
  '4,000 people as Arrow': sent('/v1/population/people', { ...SOME_PEOPLE, format: 'arrow' }),
};

/** Four thousand whole people: 16 MB, which the attacker does not read. */
export const PEOPLE = sent('/v1/population/people', {
  population: { groups: [ADULTS] },
  count: 4000,
});
/** The same without a seed, to be sent twice at once under one Idempotency-Key. */
export const FEW_PEOPLE = sent('/v1/population/people', {
  population: { groups: [{ countries: ['DE'], ageMin: 20, ageMax: 40 }] },
  count: 600,
  measurements: ['Stature'],
});

const TINY_CHART = {
  population: { groups: [{ countries: ['DE'], ageMin: 20, ageMax: 40 }] },
  measurements: [{ measurement: 'Stature', tolerance: 5e-324 }],
  sizes: 4,
};
/** A tolerance that no arithmetic survives. */
export const TINY_TOLERANCE = sent('/v1/population/sizes', TINY_CHART);
/** The same in a batch with a harmless request. */
export const TINY_IN_BATCH = sent('/v1/batch', {
  requests: [
    { operation: 'size_chart', input: TINY_CHART },
    { operation: 'predict', input: JSON.parse(VICTIM.predict.body) },
  ],
});

/** Percentiles of the adults of one small country. */
export const smallCountry = (code: string): Sent =>
  sent('/v1/population/percentiles', {
    population: { groups: [{ countries: [code], ageMin: 20, ageMax: 24 }] },
    measurements: ['Stature'],
    percentiles: [50],
  });
export const SMALL_COUNTRIES = ['NU', 'NR', 'TV', 'PW', 'CK'];

function batch(count: number, request: (index: number) => object): Sent {
  return sent('/v1/batch', { requests: Array.from({ length: count }, (_, i) => request(i)) });
}
