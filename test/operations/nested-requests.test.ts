import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { inWords } from '../../src/core/errors.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { requestValidator } from '../../src/operations/validate.js';
import { refusalOf } from '../support/operations.js';

const CLOSED = { additionalProperties: false };
const oneOf = (names: readonly string[]) => Type.Enum([...names] as [string], { type: 'string' });
const age = Type.Integer({ minimum: 0, maximum: 120 });

const group = Type.Object(
  {
    countries: Type.Array(oneOf(COUNTRY_CODES), { minItems: 1, maxItems: 176, uniqueItems: true }),
    gender: Type.Optional(oneOf(['Female', 'Male'])),
    ageMin: age,
    ageMax: age,
    share: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
  },
  CLOSED,
);
const limit = Type.Object({ measurement: oneOf(MEASUREMENT_NAMES), max: Type.Number() }, CLOSED);
const population = Type.Object(
  {
    groups: Type.Array(group, { minItems: 1, maxItems: 50 }),
    keep: Type.Optional(Type.Array(limit, { maxItems: 5 })),
    year: Type.Optional(Type.Integer({ minimum: 1990, maximum: 2035 })),
  },
  CLOSED,
);
const validate = requestValidator(Type.Object({ population }, CLOSED));
const GROUP = { countries: ['DE', 'FR'], ageMin: 18, ageMax: 65 };

const refusal = (body: unknown, check: (body: unknown) => unknown = validate) =>
  refusalOf(() => check(body));

const faultsOf = (body: unknown) =>
  (refusal(body).extras.errors ?? []).map((fault) => [fault.pointer, inWords(fault)]);
const groupsOf = (...groups: unknown[]) => ({ population: { groups } });

describe('a nested request', () => {
  it('is accepted as it is', () => {
    const body = { population: { groups: [GROUP, { ...GROUP, gender: 'Male' }], year: 2026 } };
    expect(validate(body)).toBe(body);
  });

  it.each<[string, unknown, [pointer: string, message: string][]]>([
    ['no population', {}, [['/population', 'population is required; add it.']]],
    [
      'a population that is a list',
      { population: [GROUP] },
      [['/population', 'population must be a JSON object.']],
    ],
    [
      'a missing field',
      groupsOf(GROUP, { countries: ['DE'], ageMax: 3 }),
      [['/population/groups/1/ageMin', 'population.groups[1].ageMin is required; add it.']],
    ],
    [
      'a wrong number',
      groupsOf({ ...GROUP, ageMin: -1, ageMax: 20.5 }),
      [
        ['/population/groups/0/ageMin', 'population.groups[0].ageMin must be at least 0.'],
        [
          '/population/groups/0/ageMax',
          expect.stringMatching(/whole JSON number.*predict with an exact age such as 0\.25\.$/),
        ],
      ],
    ],
    [
      'an unlisted field',
      groupsOf({ ...GROUP, 'a/b': 1, ageMonths: 3 }),
      [
        [
          '/population/groups/0/a~1b',
          '"a/b" is not a field of population.groups[0]; the fields are countries, gender, ageMin, ageMax, share.',
        ],
        [
          '/population/groups/0/ageMonths',
          expect.stringMatching(/is not a field .* for months, call predict with an exact age/),
        ],
      ],
    ],
    [
      'an unknown country',
      groupsOf({ ...GROUP, countries: ['DE', 'Germany'] }),
      [
        [
          '/population/groups/0/countries/1',
          '"Germany" is not a valid value of population.groups[0].countries[1]; GET / lists the 176 known ones. Did you mean DE?',
        ],
      ],
    ],
    [
      'a group that is no object',
      groupsOf(GROUP, null, [GROUP]),
      [
        ['/population/groups/1', 'population.groups[1] must be a JSON object.'],
        ['/population/groups/2', 'population.groups[2] must be a JSON object.'],
      ],
    ],
    [
      'no groups',
      groupsOf(),
      [['/population/groups', 'population.groups must have at least 1 item.']],
    ],
    [
      'a repeated country',
      groupsOf({ ...GROUP, countries: ['DE', 'FR', 'DE'] }),
      [
        [
          '/population/groups/0/countries',
          'population.groups[0].countries must not repeat an item; leave out the item at index 2.',
        ],
      ],
    ],
  ])('names the place of %s', (_name, body, faults) => {
    expect(faultsOf(body)).toEqual(faults);
  });

  it('keeps the code of an unknown measurement at any depth', () => {
    const keep = [{ measurement: 'sittingheigth', max: 1 }];
    const { code, message } = refusal({ population: { groups: [GROUP], keep } });
    expect(code).toBe('unknown_measurement');
    expect(message).toContain('population.keep[0].measurement');
    expect(message).toContain('Did you mean SittingHeight?');
  });
});

/** Number of reads after which a body must have been refused. */
const LOOKS_MAX = 20_000;

/** A JSON value that reports each read of one of its parts. */
function watched(value: unknown, look: () => void): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name) {
      look();
      return watched(Reflect.get(target, name), look);
    },
  });
}

describe('a hostile body', () => {
  const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

  it.each([
    ['deep lists', groupsOf({ ...GROUP, countries: deep(5000) })],
    ['deep unlisted fields', groupsOf({ ...GROUP, more: deep(5000) })],
    ['a deep group', groupsOf(deep(5000))],
    ['many groups', groupsOf(...Array(50_000).fill(1))],
    ['many bad groups', groupsOf(...Array(5000).fill({ a: 1, b: 2 }))],
    ['a long list', groupsOf({ ...GROUP, countries: Array(20_000).fill('XX') })],
    ['many long lists', groupsOf(...Array(50).fill({ ...GROUP, countries: Array(400).fill('X') }))],
  ])('of %s is refused after few looks at it, with at most 20 faults', (_name, body) => {
    let looks = 0;
    const { errors = [] } = refusal(watched(body, () => looks++)).extras;
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(LOOKS_MAX);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(20);
  });

  it('may nest what the schema leaves open, up to 16 levels', () => {
    const open = requestValidator(Type.Object({ input: Type.Unknown() }, CLOSED));
    expect(open({ input: deep(15) })).toBeDefined();
    expect(refusal({ input: deep(16) }, open).message).toContain('16 levels');
    expect(refusal({ input: deep(50_000) }, open).code).toBe('validation_error');
  });

  it('may have as many items as a valid list has, and one more', () => {
    const measurements = Type.Array(Type.Integer({ maximum: 9 }), { maxItems: 150 });
    const many = requestValidator(Type.Object({ measurements }, CLOSED));
    const items = Array(150).fill(1);
    items[149] = 10;
    const { message, extras } = refusal({ measurements: items }, many);
    expect(message).toBe('measurements[149] must be at most 9.');
    expect(extras.errors?.[0]?.pointer).toBe('/measurements/149');
  });
});
