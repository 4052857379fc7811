import { COUNTRY_CODES } from '../src/core/countries.js';
import { BODY_MEASUREMENTS } from '../src/operations/fields.js';
import { OPERATIONS, type OperationName } from '../src/operations/index.js';
import { populationPercentiles } from '../src/operations/population-percentiles.js';
import { reachShare } from '../src/operations/reach-share.js';

// Requests for attacks and measurements. Most are as large as their operation allows.

/** A request over HTTP: to the API, or for a page if there is no body. */
export interface Sent {
  readonly path: string;
  readonly body?: string;
}

/** A request of an operation. */
export interface Asked extends Sent {
  readonly operation: string;
  readonly input: object;
  readonly body: string;
}

function asked(operation: OperationName, input: object): Asked {
  const path = OPERATIONS.find(({ name }) => name === operation)?.path ?? '';
  return { operation, input, path, body: JSON.stringify(input) };
}

const batch = (count: number, entry: (index: number) => Pick<Asked, 'operation' | 'input'>) => {
  const requests = Array.from({ length: count }, (_, i) => {
    const { operation, input } = entry(i);
    return { operation, input };
  });
  return asked('batch', { requests });
};

/** A batch with the largest number of entries. The given entries are repeated in turn. */
export const thousand = (entries: readonly Pick<Asked, 'operation' | 'input'>[]): Asked =>
  batch(1000, (i) => entries[i % entries.length] as Asked);

/** Measurements that both genders have. A population of men and women refuses the others. */
const ALL = BODY_MEASUREMENTS.filter((name) => !name.startsWith('Female'));
const PERCENTILES = Array.from({ length: 20 }, (_, i) => 2 + 5 * i);
const WORLD = { countries: ['World'], ageMin: 20, ageMax: 90 };
const FIFTY_WORLDS = Array.from({ length: 50 }, () => WORLD);
/** Fifty groups of everybody, no two of which are alike. */
const FIFTY_OTHERS = FIFTY_WORLDS.map((world, i) => ({
  ...world,
  ageMin: 20 + (i % 10),
  ageMax: 90 - Math.floor(i / 10),
}));
const NARROW = [{ measurement: 'Stature', min: 1750, max: 1780 }];
const FIVE = [
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
/** Tolerances for people whose statures vary little. A tolerance wider than the statures of a population is refused. */
const SIX_NARROW = [{ measurement: 'Stature', tolerance: 15 }, ...SIX.slice(1)];
const TWELVE = [
  ...['Stature', 'SittingHeight', 'KneeHeight', 'PoplitealHeight', 'SittingHipBreadth'],
  ...['HandLength', 'FootLength', 'BodyMass', 'ButtockKneeLength', 'SittingEyeHeight'],
  ...['SittingElbowHeight', 'ChestBreadth'],
];

const sheet = (population: object, measurements: readonly string[], percentiles = PERCENTILES) =>
  asked('population_percentiles', { population, measurements, percentiles });
const share = (population: object, limits: readonly object[]) =>
  asked('population_share', { population, limits });
const ranges = (population: object) => {
  const dimensions = TWELVE.map((measurement) => ({ measurement, side: 'both' }));
  return asked('design_ranges', { population, targetShare: 0.9, dimensions });
};
const chart = (population: object, measurements: readonly object[] = SIX) =>
  asked('size_chart', { population, measurements, sizes: 30 });
const between = <Name>(names: readonly Name[], minPercentile: number, maxPercentile: number) =>
  names.map((measurement) => ({ measurement, minPercentile, maxPercentile }));

/** What a paying customer asks while others attack. */
export const CUSTOMER = {
  share: share(
    { groups: [{ countries: ['DE'], ageMin: 18, ageMax: 65 }] },
    between(['Stature', 'SittingHeight', 'PoplitealHeight', 'KneeHeight'], 5, 95),
  ),
  predict: asked('predict', {
    ...{ measurement: 'Stature', gender: 'Female', age: 30, percentile: 50, country: 'NL' },
  }),
};

const kept = { groups: [WORLD], keep: FIVE };
/** The largest computations, about people of the world from 20 to 90 years. */
export const LARGEST = {
  'percentiles of 149 × 20, five keep': sheet(kept, ALL),
  'percentiles of 149 × 20': sheet({ groups: [WORLD] }, ALL),
  'percentiles of 10 × 20': sheet({ groups: [WORLD] }, TWELVE.slice(0, 10)),
  'one percentile of one, 50 groups of World': sheet({ groups: FIFTY_WORLDS }, ['Stature'], [50]),
  'one percentile of one, 50 groups, no two alike': sheet(
    { groups: FIFTY_OTHERS },
    ['Stature'],
    [50],
  ),
  'share of one limit, 50 groups of World': share({ groups: FIFTY_WORLDS }, [
    { measurement: 'Stature', min: 1700 },
  ]),
  'share of 20 limits, five keep': share(kept, between(ALL.slice(0, 20), 1, 99)),
  'ranges of 12, narrow keep': ranges({ groups: [WORLD], keep: NARROW }),
  'ranges of 12, five keep': ranges(kept),
  '32 cases of 8, five keep': asked('boundary_cases', {
    ...{ population: kept, measurements: TWELVE.slice(0, 8), targetShare: 0.95, count: 32 },
  }),
  'sizes of 6 × 30, narrow keep': chart({ groups: [WORLD], keep: NARROW }, SIX_NARROW),
  'sizes of 6 × 30, 50 groups of World': chart({ groups: FIFTY_WORLDS }),
} as const satisfies Readonly<Record<string, Asked>>;

/** A body of 1 MB with 140,800 names of countries that do not exist. */
export const UNKNOWN_NAMES = batch(20, () => {
  const groups = Array.from({ length: 40 }, (_, group) => ({
    countries: Array.from({ length: 176 }, (_, i) => `Q${(group * 176 + i).toString(36)}`),
    ...{ ageMin: 20, ageMax: 40 },
  }));
  return sheet({ groups }, ['Stature'], [50]);
});

/** A thousand requests, each with several faults. */
export const FAULTY_ENTRIES = batch(1000, (i) => ({
  operation: 'predict',
  input: { measurement: `Statur${i}`, gender: 'Woman', age: -1, percentile: 5e9, colour: 'red' },
}));

/** A call of a tool over MCP. */
const call = ({ operation, input }: Asked): Sent => ({
  path: '/mcp',
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: operation, arguments: input },
  }),
});

const KNOWN = BODY_MEASUREMENTS.slice(0, 20).map((measurement) => ({
  measurement,
  percentile: 50,
}));
const SOMEBODY = { gender: 'Female', age: 34, country: 'DE', known: KNOWN };
const people = (format: string) =>
  asked('sample_people', { population: { groups: [WORLD] }, count: 4000, seed: 1, format });
/** 240,000 numbers in lists, in fields that do not exist. */
const numbers = Array.from({ length: 8 }, () => Array.from({ length: 30_000 }, (_, i) => i % 10));

/** Bodies and answers that take long to read, to refuse or to send. */
export const LARGE = {
  '1 MB of made-up countries over MCP': call(UNKNOWN_NAMES),
  '1,000 faulty requests over MCP': call(FAULTY_ENTRIES),
  'a list of 240,000 numbers': batch(1, () => ({ operation: 'predict', input: { numbers } })),
  '25,000 unknown fields': batch(50, () => ({
    operation: 'predict',
    input: Object.fromEntries(Array.from({ length: 480 }, (_, i) => [`field ${i}`, 'a text'])),
  })),
  '1,000 predictions': thousand([CUSTOMER.predict]),
  '1,000 comparisons of 10 countries': asked('batch', {
    requests: Array.from({ length: 1000 }, (_, i) => ({
      id: 'x'.repeat(90) + i,
      operation: 'predict_compare',
      input: {
        ...{ measurement: 'Stature', gender: 'Female', age: 25, percentile: 50 },
        countries: 'NL JP DE FR IT ES PT PL CZ SK'.split(' '),
      },
    })),
  }),
  '1,000 requests for evidence': batch(1000, () => ({
    operation: 'evidence',
    input: { measurement: 'Stature', gender: 'Female', age: 30, country: 'NL' },
  })),
  '20 bodies with 20 known values each': asked('bodies', {
    people: Array.from({ length: 20 }, (_, i) => ({ name: `${i}`, ...SOMEBODY })),
  }),
  'a person with 20 known values': asked('complete_person', SOMEBODY),
  '4,000 people as JSON': people('json'),
  '4,000 people as CSV': people('csv'),
  '4,000 people as Arrow': people('arrow'),
} as const satisfies Readonly<Record<string, Sent>>;

/** Four thousand people with all measurements: 16 MB, which the attacker does not read. */
export const PEOPLE = asked('sample_people', { population: { groups: [WORLD] }, count: 4000 });
const YOUNG_GERMANS = { groups: [{ countries: ['DE'], ageMin: 20, ageMax: 40 }] };
/** Fewer people, without a seed. The request is sent twice at once under one Idempotency-Key. */
export const FEW_PEOPLE = asked('sample_people', {
  ...{ population: YOUNG_GERMANS, count: 600, measurements: ['Stature'] },
});

/** A tolerance so small that computations with it fail. */
export const TINY_TOLERANCE = asked('size_chart', {
  population: YOUNG_GERMANS,
  measurements: [{ measurement: 'Stature', tolerance: 5e-324 }],
  sizes: 4,
});
/** This tolerance in a batch with a harmless request. */
export const TINY_IN_BATCH = batch(2, (i) => [TINY_TOLERANCE, CUSTOMER.predict][i] as Asked);

/** Percentiles of the adults of small countries. */
export const SMALL_COUNTRIES = ['NU', 'NR', 'TV', 'PW', 'CK'].map((code) => ({
  code,
  request: sheet({ groups: [{ countries: [code], ageMin: 20, ageMax: 24 }] }, ['Stature'], [50]),
}));

/** A paid request. Each number gives another request. */
export function paid(number: number): Sent {
  const country = COUNTRY_CODES[number % COUNTRY_CODES.length];
  const ageMin = 18 + (Math.floor(number / COUNTRY_CODES.length) % 23);
  const population = { groups: [{ countries: [country], ageMin, ageMax: ageMin + 20 }] };
  const person = { gender: 'Female', age: ageMin, country };
  const value = 1500 + (number % 300);
  const requests = [
    asked('predict', { ...person, percentile: 50, measurement: 'Stature' }),
    share(population, [{ measurement: 'Stature', min: value }]),
    sheet(population, ['Stature', 'SittingHeight'], [5, 50, 95]),
    asked('sample_people', { population, count: 200 }),
    asked('body', { person: { ...person, known: [{ measurement: 'Stature', value }] } }),
  ];
  return requests[number % requests.length] as Sent;
}

/** Who reaches the pedal and the lever of a car. Each number gives another place of the lever. */
export const reachOf = (number: number): Asked => {
  const [pedal, lever] = reachShare.example.targets ?? [];
  const moved = { ...lever, at: { ...lever?.at, x: 500 + (number % 100) } };
  return asked('reach_share', { ...reachShare.example, targets: [pedal, moved] });
};
/** The file of a body. */
export const ONE_BODY = asked('body', { person: SOMEBODY, format: 'glb' });

/** Limits that exclude a tenth of the people each. */
export const EIGHT_LIMITS = between(
  [
    ...(['Stature', 'SittingHeight', 'PoplitealHeight', 'KneeHeight'] as const),
    ...(['SittingHipBreadth', 'HandLength', 'BodyMass', 'FootLength'] as const),
  ],
  5,
  95,
);
/** The people of samples. */
export const ADULTS = { groups: [{ countries: ['DE', 'JP'], ageMin: 18, ageMax: 65 }] };
/** All measurements of 10,000 people. */
export const MANY_PEOPLE = asked('sample_people', {
  ...{ population: ADULTS, count: 10_000, seed: 1, format: 'arrow' },
});
/** Small and large computations that several accounts request while predictions are measured. */
export const BESIDE = [
  share({ groups: [{ countries: ['EU27'], ageMin: 18, ageMax: 65 }] }, EIGHT_LIMITS),
  asked('population_percentiles', populationPercentiles.example),
];
