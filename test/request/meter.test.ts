import { describe, expect, it } from 'vitest';
import { GateError, type GateOutcome, type GateStep } from '../../src/billing/gate.js';
import { Problem } from '../../src/core/errors.js';
import { fingerprint } from '../../src/core/fingerprint.js';
import { STORED_ANSWER_CHARS_MAX } from '../../src/core/limits.js';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { predict } from '../../src/operations/predict.js';
import type { MeteredRefusal } from '../../src/request/refusals.js';
import { computerHere } from '../support/computer-here.js';
import { tinyModel } from '../support/models.js';
import { scriptedGate, scriptedMeter } from './scripted-meter.js';

const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
const STEP = { keyHash: 'k', partition: 3, requestId: 'r1', hits: 1 };
const CALLER = { ...STEP, address: '192.0.2.1' };
const rate = { limit: 120, remaining: 7, resetSeconds: 9 };
const PREDICT: Operation = predict;

/** A gate with a given outcome. */
function scripted(outcome: GateOutcome | Error) {
  const steps: GateStep[] = [];
  const gate = scriptedGate(async (step) => {
    steps.push(step);
    if (outcome instanceof Error) throw outcome;
    if (step.cost === 0 && outcome.kind === 'charged') return { kind: 'counted', rate };
    return outcome;
  });
  return { steps, ...scriptedMeter(gate, computerHere(tinyModel())) };
}

const CHARGED: GateOutcome = { kind: 'charged', rate };

describe('a paid answer', () => {
  it('takes one step with the cost of the operation and returns the answer', async () => {
    const { meter, steps, seen } = scripted(CHARGED);
    const result = await meter.perform(PREDICT, GOOD, CALLER);
    expect(steps).toEqual([{ ...STEP, operation: 'predict', cost: 1 }]);
    expect(result).toMatchObject({ kind: 'answer', rate, replayed: false });
    expect(result).not.toMatchObject({ json: expect.stringContaining('remaining_free_calls') });
    expect(seen).toEqual(['predict credits 1']);
    expect(meter.charging.pending).toBe(0);
  });

  it('contains the number of free calls left, also 0, if the free tier paid', async () => {
    const { meter, seen } = scripted({ kind: 'charged', rate, remainingFreeCalls: 0 });
    const result = await meter.perform(PREDICT, GOOD, CALLER);
    expect(result.kind === 'answer' && JSON.parse(result.json).remaining_free_calls).toBe(0);
    expect(seen).toEqual(['predict free 1']);
  });

  it('gives the gate the answer without free calls and a fingerprint of the input', async () => {
    const prints = new Set<string>();
    for (const body of [GOOD, Object.fromEntries(Object.entries(GOOD).reverse())]) {
      const { meter, steps } = scripted({ kind: 'charged', rate, remainingFreeCalls: 3 });
      await meter.perform(PREDICT, body, { ...CALLER, idempotencyKey: 'i' });
      expect(steps[0]?.idempotency?.answerJson).not.toContain('remaining_free_calls');
      prints.add(steps[0]?.idempotency?.fingerprint ?? '');
    }
    const { meter, steps } = scripted(CHARGED);
    await meter.perform(PREDICT, { ...GOOD, age: 31 }, { ...CALLER, idempotencyKey: 'i' });
    prints.add(steps[0]?.idempotency?.fingerprint ?? '');
    expect(prints.size).toBe(2);
  });

  it('is the stored one in a replay', async () => {
    const { meter } = scripted({ kind: 'replayed', rate, answerJson: '{"a":1}' });
    const result = await meter.perform(PREDICT, GOOD, { ...CALLER, idempotencyKey: 'i' });
    expect(result).toEqual({ kind: 'answer', json: '{"a":1}', rate, replayed: true });
  });
});

describe('an operation that costs nothing', () => {
  const free: Operation = { ...PREDICT, cost: () => 0 };

  it('is counted, and its answer is sent', async () => {
    const { meter, steps, seen } = scripted({ kind: 'counted', rate });
    const result = await meter.perform(free, GOOD, CALLER);
    expect(steps).toEqual([{ ...STEP, operation: 'predict', cost: 0 }]);
    expect(result).toMatchObject({ kind: 'answer', rate, replayed: false });
    expect(seen).toEqual(['predict none 0']);
  });

  it.each([
    { kind: 'unauthorized' },
    { kind: 'rate_limited', rate, retryAfterSeconds: 4 },
  ] as const)('is not answered after %j', async (outcome) => {
    const result = await scripted(outcome).meter.perform(free, GOOD, CALLER);
    expect(result).toMatchObject({ kind: 'refusal', problem: { code: outcome.kind } });
  });
});

describe('the fingerprint of a request', () => {
  it('depends on the content at every depth, and not on the order of the fields', () => {
    const one = fingerprint({ p: { groups: [{ a: 1, b: 'x' }], year: 2 }, n: 1 });
    expect(fingerprint({ n: 1, p: { year: 2, groups: [{ b: 'x', a: 1 }] } })).toBe(one);
    const others = [
      { p: { groups: [{ a: 1, b: 'y' }], year: 2 }, n: 1 },
      { p: { groups: [{ a: 1 }, { b: 'x' }], year: 2 }, n: 1 },
      { p: { groups: [{ a: 1, b: 'x' }] }, n: 1 },
    ];
    expect(new Set([one, ...others.map(fingerprint)]).size).toBe(4);
  });
});

describe('a request that no longer has an answer', () => {
  const vanished: Operation = {
    ...PREDICT,
    run: () => {
      throw new Problem('model_not_found', 'gone');
    },
  };
  const withKey = { ...CALLER, idempotencyKey: 'i' };

  it('gets the earlier answer of its idempotency key', async () => {
    const before = {
      kind: 'replayed',
      rate,
      answerJson: '{"a":1}',
      remainingFreeCalls: 2,
    } as const;
    const { meter, steps, seen } = scripted(before);
    const result = await meter.perform(vanished, GOOD, withKey);
    const json = '{"a":1,"remaining_free_calls":2}';
    expect(result).toEqual({ kind: 'answer', json, rate, replayed: true });
    expect(steps).toMatchObject([{ operation: 'predict', cost: 0, idempotency: { key: 'i' } }]);
    expect(seen).toEqual(['predict replay 0']);
  });

  it.each([
    { kind: 'counted', rate },
    { kind: 'idempotency_conflict', rate },
  ] as const)('is refused as without a key after %j', async (outcome) => {
    const { meter, seen } = scripted(outcome);
    const result = await meter.perform(vanished, GOOD, withKey);
    expect(result).toMatchObject({ kind: 'refusal', problem: { code: 'model_not_found' }, rate });
    expect(seen).toEqual(['predict model_not_found']);
  });
});

describe('an answer for an idempotency key', () => {
  const withKey = { ...CALLER, idempotencyKey: 'i' };
  const operation = (unit: string): Operation => ({
    ...PREDICT,
    run: (input, from) => ({ ...PREDICT.run(input, from), unit }),
  });

  it('is refused with Retry-After when the account has no room for it', async () => {
    const { meter, seen } = scripted({ kind: 'answers_full', rate, retryAfterSeconds: 3600 });
    const result = await meter.perform(PREDICT, GOOD, withKey);
    expect(result).toMatchObject({
      kind: 'refusal',
      problem: { code: 'rate_limited', status: 429 },
      retryAfterSeconds: 3600,
      rate,
    });
    expect(result.kind === 'refusal' && result.problem.message).toContain('without the key');
    expect(seen).toEqual(['predict rate_limited']);
  });

  it('is refused uncharged when it is too long to be stored, and sent without the key', async () => {
    const long = operation('m'.repeat(STORED_ANSWER_CHARS_MAX));
    const { meter, steps } = scripted(CHARGED);
    const refused = await meter.perform(long, GOOD, withKey);
    expect(refused).toMatchObject({ kind: 'refusal', problem: { code: 'validation_error' } });
    expect(steps.map(({ cost }) => cost)).toEqual([0]);
    expect((await meter.perform(long, GOOD, CALLER)).kind).toBe('answer');
    expect((await meter.perform(operation('m'), GOOD, withKey)).kind).toBe('answer');
  });
});

describe('order of refusal', () => {
  const bad = [
    ['a bad body', { ...GOOD, age: 'x' }],
    ['no model', { ...GOOD, posture: 'sitting' }],
  ] as const;
  const limited: GateOutcome = { kind: 'rate_limited', rate, retryAfterSeconds: 4 };

  it.each(bad)('401 and 429 come before %s', async (_name, body) => {
    const key = await scripted({ kind: 'unauthorized' }).meter.perform(PREDICT, body, CALLER);
    expect(key.kind === 'refusal' && key.problem.code).toBe('unauthorized');
    const busy = await scripted(limited).meter.perform(PREDICT, body, CALLER);
    expect(busy).toMatchObject({ problem: { code: 'rate_limited' }, retryAfterSeconds: 4, rate });
  });

  it.each(bad)('%s is counted at cost 0, and comes before 402', async (_name, body) => {
    const { meter, steps } = scripted(CHARGED);
    const result = await meter.perform(PREDICT, body, CALLER);
    expect(steps).toEqual([{ ...STEP, operation: 'refused', cost: 0, countsOnly: true }]);
    expect(result).toMatchObject({ kind: 'refusal', rate });
  });

  it.each([
    [{ kind: 'insufficient_credits', rate }, 'insufficient_credits', 402],
    [{ kind: 'in_debt', rate, debtCredits: 5 }, 'insufficient_credits', 402],
    [{ kind: 'idempotency_conflict', rate }, 'idempotency_conflict', 422],
    [{ kind: 'free_tier_exhausted', rate, resetsAtMs: 0 }, 'free_tier_exhausted', 402],
  ] as const)('%j is %s', async (outcome, code, status) => {
    const result = await scripted(outcome).meter.perform(PREDICT, GOOD, CALLER);
    expect(result).toMatchObject({ problem: { code, status }, rate });
  });
});

describe('faults of the service', () => {
  function failing(run: Operation['run']): Operation {
    return { ...PREDICT, run };
  }
  const secret = 'secret cause';

  it.each([
    [
      'throws',
      () => {
        throw new Error(secret);
      },
    ],
    ['answers NaN', () => ({ ...GOOD, value: Number.NaN })],
    ['answers Infinity', () => ({ ...GOOD, value: Number.POSITIVE_INFINITY })],
  ])('an operation that %s is an inference_error without a charge', async (_name, run) => {
    const { meter, steps, logged } = scripted(CHARGED);
    const result = await meter.perform(failing(run), GOOD, CALLER);
    expect(result).toMatchObject({ problem: { code: 'inference_error', status: 500 } });
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(steps.map(({ cost }) => cost)).toEqual([0]);
    expect(logged).toEqual([expect.objectContaining({ request_id: 'r1' })]);
  });

  it('a gate that fails is an internal_error and nothing is sent', async () => {
    const { meter, logged, seen } = scripted(new Error(secret));
    const result = await meter.perform(PREDICT, GOOD, CALLER);
    expect(result).toMatchObject({ problem: { code: 'internal_error' } });
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(logged).toHaveLength(1);
    expect(seen).toEqual(['predict internal_error']);
    expect(meter.charging.pending).toBe(0);
  });

  it.each(['overloaded', 'unavailable', 'not_committed'] as const)(
    'a step that the gate reports as %s was certainly not charged, and the text says so',
    async (reason) => {
      const { meter } = scripted(new GateError(reason, secret));
      const result = await meter.perform(PREDICT, GOOD, { ...CALLER, idempotencyKey: 'i' });
      const { problem } = result as MeteredRefusal;
      expect([problem.code, problem.status]).toEqual(['internal_error', 500]);
      expect(problem.message).toContain('Nothing was charged.');
    },
  );

  it('a step without an answer may have been charged, and the text says how to retry', async () => {
    const { meter } = scripted(new GateError('unanswered', secret));
    const textOf = async (body: unknown, more: object) => {
      const { problem } = (await meter.perform(PREDICT, body, {
        ...CALLER,
        ...more,
      })) as MeteredRefusal;
      expect([problem.code, problem.status]).toEqual(['internal_error', 500]);
      return problem.message;
    };
    const withKey = await textOf(GOOD, { idempotencyKey: 'i' });
    expect(withKey).toContain('It is not known whether the request was charged.');
    expect(withKey).toContain('Retry with the same Idempotency-Key');
    expect(await textOf(GOOD, {})).toContain('a retry may be charged again');
    // A refusal costs nothing, whether or not its step was answered.
    expect(await textOf({ ...GOOD, age: 'x' }, {})).toContain('Nothing was charged.');
  });

  it('an invalid outcome is an internal_error', async () => {
    const { meter } = scripted({ kind: 'counted', rate });
    const result = await meter.perform(PREDICT, GOOD, CALLER);
    expect(result).toMatchObject({ problem: { code: 'internal_error' } });
  });
});

describe('refusals of the transport', () => {
  it('are counted, and 401 and 429 take precedence', async () => {
    const problem = new Problem('validation_error', 'not JSON');
    const { meter, steps } = scripted({ kind: 'counted', rate });
    expect(await meter.charging.refuse(problem, { ...CALLER, hits: 3 }, 'none')).toMatchObject({
      problem,
      rate,
    });
    expect(steps).toMatchObject([{ cost: 0, hits: 3 }]);
    const revoked = scripted({ kind: 'unauthorized' }).meter;
    expect((await revoked.charging.refuse(problem, CALLER, 'none')).problem.code).toBe(
      'unauthorized',
    );
  });
});

it('every operation’s cost is what its price says', () => {
  expect(OPERATIONS.map(({ cost, example }) => cost(example as never))).toEqual([
    ...[1, 3, 3, 1, 1],
    ...[3, 5, 10, 10, 1, 10, 10, 10, 10, 2, 0, 20, 40, 1],
  ]);
});
