import { expect, it } from 'vitest';
import { batchOf } from '../../src/operations/batch.js';
import type { Operation } from '../../src/operations/operation.js';
import { predict } from '../../src/operations/predict.js';
import type { PredictionModel } from '../../src/operations/prediction-model.js';
import { answerJson, validateRequest } from '../../src/operations/validate.js';
import { operationNamed, refusalOf } from '../support/operations.js';

const POPULATION = { groups: [{ countries: ['DE'], ageMin: 20, ageMax: 60 }] };

/** Requests with a number beside the usual ones. */
const REQUESTS: readonly [name: string, pointer: string, body: (value: number) => object][] = [
  [
    'size_chart',
    '/measurements/0/tolerance',
    (tolerance) => ({
      population: POPULATION,
      measurements: [{ measurement: 'Stature', tolerance }],
      sizes: 3,
    }),
  ],
  [
    'population_share',
    '/limits/0/max',
    (max) => ({ population: POPULATION, limits: [{ measurement: 'Stature', max }] }),
  ],
  [
    'population_share',
    '/population/keep/0/max',
    (max) => ({
      population: { ...POPULATION, keep: [{ measurement: 'Stature', max }] },
      limits: [{ measurement: 'Stature', max: 1800 }],
    }),
  ],
  [
    'complete_person',
    '/known/0/value',
    (value) => ({
      gender: 'Male',
      age: 30,
      country: 'DE',
      known: [{ measurement: 'Stature', value }],
    }),
  ],
];

it.each(REQUESTS)('%s refuses the smallest and the largest number in %s', (name, pointer, body) => {
  for (const value of [Number.MIN_VALUE, Number.MAX_VALUE]) {
    const { extras } = refusalOf(() => validateRequest(operationNamed(name), body(value)));
    expect(extras.errors?.[0]?.pointer).toBe(pointer);
  }
});

const WHOLE = {
  ...predict.example,
  ...{ country: 'US', clothing: 'nude', posture: 'standing_erect', unit: 'mm' },
};

it.each([
  [
    'throws',
    () => {
      throw new Error('a fault');
    },
  ],
  ['answers with no number', () => ({ ...WHOLE, value: Number.NaN })],
])('an entry of a batch that %s does not spoil the others', (_, run) => {
  const faulty = { ...predict, name: 'faulty', run } as unknown as Operation;
  const fine = {
    ...predict,
    name: 'fine',
    run: () => ({ ...WHOLE, value: 1 }),
  } as unknown as Operation;
  const batch = batchOf([faulty, fine]) as unknown as Operation;
  const entry = (operation: string) => ({ operation, input: predict.example });
  const input = { requests: [entry('fine'), entry('faulty'), entry('fine')] };
  const answer = batch.run(input as never, {} as PredictionModel);
  const { answers, charged } = JSON.parse(answerJson(batch, answer));
  expect(answers.map(({ status }: { status: number }) => status)).toEqual([200, 500, 200]);
  expect([charged, answers[1].body.code]).toEqual([2, 'inference_error']);
  expect(JSON.stringify(answers[1])).not.toContain('a fault');
});
