import { expect, it } from 'vitest';
import { populationShare } from '../../src/operations/population-share.js';
import { predict, predictRange } from '../../src/operations/predict.js';
import { useService } from '../support/use-service.js';

const service = useService({ rateLimitMax: 20 });

const PATH = '/v1/batch';
const one = { operation: 'predict', input: predict.example };

it('answers in order, refuses single requests, and charges the sum of the answers', async () => {
  const customer = await service.customer(100);
  const requests = [
    { id: 'a', ...one },
    { id: 'b', operation: 'predict', input: { ...predict.example, percentile: 150 } },
    { operation: 'predict_range', input: predictRange.example },
    { id: 'd', operation: 'sample_people', input: {} },
    { id: 'e', operation: 'population_share', input: populationShare.example },
    { id: 'f', operation: 'toString', input: {} },
  ];
  const { status, body } = await service.post(PATH, { requests }, customer.headers);
  expect(status).toBe(200);
  const { answers, charged } = body;
  expect(answers.map(({ id }: { id?: string }) => id)).toEqual([
    'a',
    'b',
    undefined,
    'd',
    'e',
    'f',
  ]);
  expect(answers.map(({ status: each }: { status: number }) => each)).toEqual([
    ...[200, 400, 200, 400, 200, 400],
  ]);
  const alone = await service.post(predict.path, predict.example, customer.headers);
  expect(answers[0].body).toEqual(alone.body);
  expect(answers[1].body.errors[0].pointer).toBe('/percentile');
  expect(answers[3].body.detail).toContain('is not an operation of a batch');
  const range = predictRange.cost(predictRange.example as never);
  expect(charged).toBe(1 + range + 5);
  expect(await customer.balance()).toBe(100 - charged - 1);
});

it('is refused whole when the funds do not cover it, and charges nothing', async () => {
  const customer = await service.customer(3);
  const requests = [one, one, one, one];
  const { status, body } = await service.post(PATH, { requests }, customer.headers);
  expect([status, body.code]).toEqual([402, 'insufficient_credits']);
  // For accounts without a login.
  expect(body.detail).toContain('its operator books them: npx vitruvia credits grant');
  expect(await customer.balance()).toBe(3);
});

it('takes at most 1,000 requests, and at most 20 about populations', async () => {
  const customer = await service.customer(10);
  const many = Array.from({ length: 1001 }, () => one);
  const tooMany = await service.post(PATH, { requests: many }, customer.headers);
  expect([tooMany.status, tooMany.body.errors[0].pointer]).toEqual([400, '/requests']);
  const share = { operation: 'population_share', input: populationShare.example };
  const heavy = Array.from({ length: 21 }, () => share);
  const refused = await service.post(PATH, { requests: heavy }, customer.headers);
  expect(refused.status).toBe(400);
  expect(refused.body.detail).toContain('at most 20');
  expect(await customer.balance()).toBe(10);
});
