import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { Problem } from '../../src/core/errors.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { validateRequest } from '../../src/operations/validate.js';
import { cellsOf, estimatedWorkMs, SHORT_WORK_MS } from '../../src/operations/work.js';
import { tinyModel } from '../support/models.js';
import { answerOrRefusal, operationNamed } from '../support/operations.js';

const model = tinyModel();
const SHEET = operationNamed('population_percentiles');
const WORLD = { countries: ['World'], ageMin: 18, ageMax: 120 };
const sheet = (groups: object[], change: object = {}) => ({
  population: { groups, ...change },
  measurements: [...MEASUREMENT_NAMES],
  percentiles: [5, 50, 95],
});

const validated = (asked: Operation, input: object) =>
  answerOrRefusal(() => validateRequest(asked, input));

describe('the cells of a population', () => {
  const world = COUNTRY_CODES.length;

  it('are countries × genders × exact ages', () => {
    expect(cellsOf({ groups: [{ countries: ['World'], ageMin: 20, ageMax: 90 }] })).toEqual({
      cells: world * 2 * 71,
      parts: world * 2 * 71,
    });
    expect(
      cellsOf({ groups: [{ countries: ['DE'], gender: 'Male', ageMin: 0, ageMax: 120 }] }),
    ).toEqual({ cells: 66 + 101, parts: 66 + 101 });
  });

  it.each([0, 19, 20, 31, 32, 63, 64, 95, 96, 120])('have the age %d', (age) => {
    const groups = [{ countries: ['DE'], ageMin: age, ageMax: age }];
    const each = { 0: 14, 19: 2 }[age] ?? 1;
    expect(cellsOf({ groups }).cells).toBe(2 * each);
    const [one] = groups;
    const twice = [{ ...one, gender: 'Male' as const }, ...groups];
    expect(cellsOf({ groups: twice as typeof groups }).cells).toBe(2 * each);
  });

  it('count once what groups share, and identical groups once', () => {
    const older = { countries: ['DE', 'FR'], ageMin: 30, ageMax: 39 };
    const younger = { countries: ['DE'], ageMin: 25, ageMax: 34 };
    const again = { ...older, countries: ['FR', 'DE', 'FR'] };
    expect(cellsOf({ groups: [older, younger, again] })).toEqual({
      cells: 2 * (10 + 10 + 5),
      parts: 2 * (20 + 10),
    });
  });
});

describe('an estimate', () => {
  const year = { groups: [{ countries: ['World'], ageMin: 20, ageMax: 60 }], year: 2030 };
  const keep = [{ measurement: 'BodyMass', min: 50 }];
  const populations = [{ groups: [WORLD] }, year, { groups: [WORLD], keep }];

  it.each(populations)(
    'grows with what is asked of %o, and is short for one country',
    (population) => {
      const ms = (input: object) => estimatedWorkMs(SHEET, input);
      const asked = (measurements: number, percentiles: number, people: object = population) => ({
        population: people,
        measurements: MEASUREMENT_NAMES.slice(0, measurements),
        percentiles: Array.from({ length: percentiles }, (_, i) => i + 1),
      });
      expect(ms(asked(2, 5))).toBeGreaterThan(ms(asked(1, 5)));
      expect(ms(asked(2, 20))).toBeGreaterThan(ms(asked(2, 5)));
      const one = { ...population, groups: [{ countries: ['DE'], ageMin: 20, ageMax: 60 }] };
      expect(ms(asked(2, 20, one))).toBeLessThan(ms(asked(2, 20)));
      expect(ms(asked(2, 20, one))).toBeLessThan(SHORT_WORK_MS);
    },
  );

  it('is 0 for what computes next to nothing', () => {
    expect(estimatedWorkMs(operationNamed('predict'), operationNamed('predict').example)).toBe(0);
  });
});

describe('a request that needs too much computing', () => {
  const TOO_LARGE = OPERATIONS.flatMap((one) => {
    const input = one.refusals.computation_too_large;
    return input === undefined ? [] : [{ name: one.name as string, one: one as Operation, input }];
  });

  it.each(TOO_LARGE)(
    'of $name is refused from the request alone, with what to ask less of',
    ({ one, input }) => {
      const problem = validated(one, input);
      expect(problem).toMatchObject({ code: 'computation_too_large', status: 422 });
      expect((problem as Problem).message).toMatch(
        /needs about [\d,]+ ms of computing; at most [\d,]+ are allowed\. Ask for fewer [a-z]+/,
      );
    },
  );

  it('is refused in a batch, where the batch is not; the other entries are answered', () => {
    const batch = operationNamed('batch');
    const large = { operation: SHEET.name, input: sheet([WORLD], { year: 2035 }) };
    const small = { operation: 'predict', input: operationNamed('predict').example };
    const input = { requests: [large, small] };
    expect(validated(batch, input)).toBe(input);
    const { answers, charged } = batch.run(input as never, model) as unknown as {
      answers: { status: number; body: { code?: string } }[];
      charged: number;
    };
    expect(answers.map(({ status }) => status)).toEqual([422, 200]);
    expect(answers[0]?.body.code).toBe('computation_too_large');
    expect(charged).toBe(1);
  });

  it('is no more than its cells: fifty identical groups are one', () => {
    const fifty = Array.from({ length: 50 }, () => WORLD);
    const one = estimatedWorkMs(SHEET, sheet([WORLD]));
    expect(estimatedWorkMs(SHEET, sheet(fifty))).toBe(one);
    expect(validated(SHEET, sheet(fifty))).not.toBeInstanceOf(Problem);
  });
});

it('a batch of computations that are refused is no short one: their bodies may be large', () => {
  const batch = operationNamed('batch');
  const refused = { operation: 'population_percentiles', input: { population: {} } };
  const requests = Array.from({ length: 20 }, () => refused);
  expect(estimatedWorkMs(batch, { requests })).toBeGreaterThan(SHORT_WORK_MS);
  const light = { operation: 'predict', input: {} };
  expect(estimatedWorkMs(batch, { requests: [light] })).toBe(0);
});
