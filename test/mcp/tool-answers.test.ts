import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { SET_NAMES } from '../../src/core/country-sets.js';
import { Problem } from '../../src/core/errors.js';
import { TOOL_ANSWER_BYTES_MAX } from '../../src/core/limits.js';
import { MEASUREMENTS } from '../../src/core/measurements.js';
import { answerText } from '../../src/mcp/tools.js';
import { type Operation, seeded, toolForm } from '../../src/operations/operation.js';
import { type LongEnvelope, shortened } from '../../src/operations/short-envelope.js';
import { answerJson, validateRequest } from '../../src/operations/validate.js';
import { answerOrRefusal, TOOL_OPERATIONS } from '../support/operations.js';
import { realModel } from '../support/servers.js';

// If the schema and the checks of a tool accept a request, its answer must fit into an answer of a tool. The test sends
// the largest requests of every tool.

const model = await realModel();

const TOOLS = new Map(
  TOOL_OPERATIONS.map((operation) => [operation.name as string, toolForm(operation)]),
);

/** Number of bytes in the answer of a tool, or the refusal of the request. */
function answerOf(name: string, input: object): number | Problem {
  const tool = TOOLS.get(name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return answerOrRefusal(() => {
    const valid = validateRequest(tool, input) as object;
    const asked = seeded(tool, valid, 4_294_967_295);
    return Buffer.byteLength(answerJson(tool, tool.run(asked as never, model) as never));
  });
}

/** The request, or its refusal by the schema and the checks of a tool. */
const validated = (name: string, input: object) =>
  answerOrRefusal(() => validateRequest(TOOLS.get(name) as Operation, input));

/** Measurements of all adults, longest names first. */
const NAMES: readonly string[] = MEASUREMENTS.filter(
  ({ genders, postures }) => genders.length === 2 && postures.includes('standing_erect'),
)
  .map(({ name }) => name as string)
  .toSorted((one, other) => other.length - one.length);
const ADULT = { countries: ['NL'], ageMin: 30, ageMax: 30 };
const LONGEST_SET = SET_NAMES.toSorted((one, other) => other.length - one.length)[0] as string;
const groups = (count: number, names = 1) => ({
  groups: Array.from({ length: count }, () => ({
    ...{ ...ADULT, countries: Array(names).fill('NL'), gender: 'Male' },
    share: 1 / count,
  })),
});
const PERCENTILES = Array.from({ length: 20 }, (_, i) => 0.123 + 5 * i);
const PERSON = { gender: 'Male', age: 30.123, country: 'NL', clothing: 'light_shoes' };
const PREDICTION = { ...PERSON, measurement: NAMES[0], percentile: 12.345, unit: 'in' };
const keep = [{ measurement: 'Stature', max: 2000 }];

/** The largest requests of the tools. */
const LARGEST: readonly (readonly [name: string, input: object])[] = [
  ['predict', PREDICTION],
  [
    'predict_range',
    { ...PERSON, measurement: NAMES[0], percentiles: PERCENTILES.map((p) => p + 1) },
  ],
  [
    'predict_compare',
    {
      ...{ gender: 'Male', age: 30.123, measurement: NAMES[0], percentile: 12.345 },
      countries: ['NL', 'DE', 'FR', 'UK', 'US', 'JP', 'CN', 'IN', 'BR', 'ZA'],
    },
  ],
  ['percentile_lookup', { ...PERSON, measurement: 'Stature', value: 1812.345 }],
  [
    'connected_dimension',
    {
      ...PERSON,
      ...{ anchorMeasurement: 'Stature', anchorPercentile: 50.123, accommodationPercent: 90.123 },
      linkedMeasurement: NAMES[0],
    },
  ],
  ['evidence', { gender: 'Male', age: 30.123, country: 'NL', measurement: 'Stature' }],
  [
    'population_share',
    {
      population: { ...groups(50), keep },
      limits: NAMES.slice(0, 20).map((measurement) => {
        return { measurement, minPercentile: 1.234, maxPercentile: 98.765 };
      }),
    },
  ],
  [
    'design_ranges',
    {
      population: groups(50),
      targetShare: 0.9,
      dimensions: NAMES.slice(0, 12).map((measurement) => ({ measurement, side: 'both' })),
    },
  ],
  [
    'product_fit',
    {
      product: 'school-desk',
      population: { ...groups(25), keep },
      persons: Array.from({ length: 8 }, (_, i) => ({
        name: `Person with a long name ${i}`,
        known: [{ measurement: NAMES[0], percentile: 50 }],
      })),
    },
  ],
  [
    'boundary_cases',
    { population: groups(1), targetShare: 0.9, measurements: NAMES.slice(0, 8), count: 5 },
  ],
  [
    'size_chart',
    {
      population: groups(1),
      measurements: NAMES.slice(0, 6).map((measurement) => ({ measurement, tolerance: 5 })),
      sizes: 30,
    },
  ],
  [
    'reach_share',
    {
      ...{ population: groups(1), pose: 'sitting' },
      targets: Array.from({ length: 20 }, (_, i) => {
        return { name: `${i}`.padEnd(60, '-'), at: { x: 650.123, y: 0, z: 560 }, by: 'grip' };
      }),
      see: Array.from({ length: 10 }, (_, i) => {
        const name = `${i}`.padEnd(60, '-');
        return { name, at: { x: 2000, y: 0, z: 780 }, over: { x: 900, z: 780 } };
      }),
    },
  ],
  [
    'reach_envelope',
    {
      ...{ population: groups(1), pose: 'standing', by: 'fingertip', unit: 'mm' },
      percentiles: [5.678, 50.123],
      planes: [{ z: 1400 }],
    },
  ],
  ['complete_person', { ...PERSON, known: [{ measurement: 'Stature', value: 1812.345 }] }],
  [
    'body',
    {
      person: { gender: 'Male', age: 30, known: [{ measurement: 'Stature', value: 1812.345 }] },
      format: 'json',
    },
  ],
  [
    'batch',
    {
      requests: Array.from({ length: 60 }, (_, i) => {
        return { id: `${i}`.padEnd(100, '-'), operation: 'predict', input: PREDICTION };
      }),
    },
  ],
];

it.each(LARGEST)('the largest answer of %s fits', (name, input) => {
  const bytes = answerOf(name, input);
  expect(bytes).toBeTypeOf('number');
  expect(bytes).toBeLessThanOrEqual(TOOL_ANSWER_BYTES_MAX);
});

/** Whether the tool takes an envelope with so many percentiles and planes. */
function takesEnvelope(percentiles: number, planes: number): boolean {
  const input = {
    ...{ population: groups(1), pose: 'sitting', by: 'grip' },
    percentiles: PERCENTILES.slice(1, 1 + percentiles),
    planes: Array(planes).fill({ z: 900 }),
  };
  return !(validated('reach_envelope', input) instanceof Problem);
}

it('the largest envelopes take at most 800 tokens, with the distance at each named angle', () => {
  const centre = { x: 112.345, y: -187.654, z: 561.234 };
  const DEGREE = Math.PI / 180;
  for (const unit of ['mm', 'cm', 'in'])
    for (const percentiles of [1, 2, 3, 4, 5]) {
      let planes = 10;
      while (!takesEnvelope(percentiles, planes)) planes--;
      const each = Array.from({ length: percentiles }, (_, i) => 5.5 + 20 * i);
      // The distance tells the direction: 600 + elevation + azimuth / 1000 in a surface, 700 + angle in a curve.
      const long: LongEnvelope = {
        ...{ people: 82_345_678, unit, centre, stepDegrees: 15 },
        surfaces: each.map((percentile) => ({
          percentile,
          distances: Array.from({ length: 13 * 24 }, (_, i) => {
            return 600 + 15 * Math.floor(i / 24) - 90 + (15 * (i % 24)) / 1000;
          }),
        })),
        curves: Array.from({ length: planes }, () => ({
          z: 912.5,
          percentiles: each.map((percentile) => ({
            percentile,
            points: Array.from({ length: 70 }, (_, i) => ({
              x: centre.x + (700 + 5 * i) * Math.cos(5 * i * DEGREE),
              y: centre.y + (700 + 5 * i) * Math.sin(5 * i * DEGREE),
              z: 912.5,
            })),
          })),
        })),
      };
      const short = shortened(long);
      expect(countTokens(answerText(short))).toBeLessThanOrEqual(800);
      expect(countTokens(JSON.stringify(short))).toBeLessThanOrEqual(800);
      for (const { elevation, distances } of short.surfaces) {
        distances.forEach((distance, i) => {
          const azimuth = distances.length === 1 ? 0 : (short.azimuths[i] ?? Number.NaN);
          expect(Math.abs(distance - (600 + elevation + azimuth / 1000))).toBeLessThanOrEqual(0.5);
        });
      }
      for (const { distances } of short.curves ?? []) {
        const expected = short.angles?.map((angle) => (angle < 350 ? 700 + angle : 0));
        expect(distances.map(Math.round)).toEqual(expected);
      }
      expect(short.curves?.length ?? 0).toBe(planes * percentiles);
    }
});

/** Requests of any size. The test takes the largest size that the tool accepts. */
type Sized = readonly [name: string, what: string, most: number, of: (size: number) => object];

const SIZED: readonly Sized[] = [
  ...[NAMES.length, 60, 12, 1].map(
    (count): Sized => [
      'sample_people',
      `people with ${count} measurements`,
      50,
      (size) => ({ population: groups(1), count: size, measurements: NAMES.slice(0, count) }),
    ],
  ),
  ['sample_people', 'whole people', 50, (size) => ({ population: groups(1), count: size })],
  ...[
    [20, 1],
    [3, 1],
    [1, 40],
  ].map(
    ([percentiles = 1, of = 1]): Sized => [
      'population_percentiles',
      `measurements with ${percentiles} percentiles of ${of} groups`,
      140,
      (size) => ({
        population: { ...groups(of), keep },
        measurements: NAMES.slice(0, size),
        percentiles: PERCENTILES.slice(0, percentiles),
      }),
    ],
  ),
  ...['population_percentiles', 'population_share'].map(
    (name): Sized => [
      name,
      'groups with long lists',
      50,
      (size) => ({
        population: groups(size, 100),
        ...(name === 'population_share'
          ? { limits: [{ measurement: 'Stature', max: 1900 }] }
          : { measurements: ['Stature'], percentiles: [50] }),
      }),
    ],
  ),
  [
    'population_share',
    'groups of long names',
    176,
    (size) => ({
      population: { groups: [{ ...ADULT, countries: Array(size).fill(LONGEST_SET) }] },
      limits: [{ measurement: 'Stature', max: 1900 }],
    }),
  ],
];

describe('a tool', () => {
  it.each(SIZED)('%s accepts no more %s than fit', (name, what, most, requestOf) => {
    const accepts = (size: number) => {
      const refusal = validated(name, requestOf(size));
      if (!(refusal instanceof Problem)) return true;
      expect(refusal.message).toContain(`at most ${TOOL_ANSWER_BYTES_MAX} bytes`);
      expect(refusal.extras.errors?.[0]?.pointer).toMatch(/count|measurements|groups/);
      return false;
    };
    let size = most;
    while (size > 1 && !accepts(size)) size--;
    const bytes = answerOf(name, requestOf(size));
    expect(bytes).toBeTypeOf('number');
    expect(bytes).toBeLessThanOrEqual(TOOL_ANSWER_BYTES_MAX);
    // The limit wastes little space. Groups get only a part of the space.
    if (size < most && !what.startsWith('groups')) {
      expect(bytes).toBeGreaterThan(TOOL_ANSWER_BYTES_MAX / 2.6);
    }
  });

  it('offers as many cases as it answers', () => {
    const problem = answerOf('boundary_cases', {
      ...{ population: groups(1), targetShare: 0.9, measurements: NAMES.slice(0, 2), count: 6 },
    });
    expect((problem as Problem).message).toBe('count must be at most 5.');
  });

  it('asks of every tool', () => {
    const asked = new Set([...LARGEST, ...SIZED].map(([name]) => name));
    expect([...asked].sort()).toEqual([...TOOLS.keys()].sort());
  });
});
