import { describe, expect, it } from 'vitest';
import type { GateOutcome, GateStep } from '../../src/billing/gate.js';
import type { Operation } from '../../src/operations/operation.js';
import { populationShare } from '../../src/operations/population-share.js';
import { predict } from '../../src/operations/predict.js';
import type { PerformOptions } from '../../src/request/caller.js';
import { ComputeError, type Computer } from '../../src/request/pool.js';
import type { ComputeTask } from '../../src/request/tasks.js';
import { OPERATIONS } from '../support/heavy-operations.js';
import { operationNamed } from '../support/operations.js';
import { until } from '../support/until.js';
import { scriptedGate, scriptedMeter } from './scripted-meter.js';

const HEAVY = OPERATIONS[0] as Operation;
const BATCH = operationNamed('batch');
const rate = { limit: 120, remaining: 7, resetSeconds: 9 };
const CALLER = { keyHash: 'k', partition: 3, requestId: 'r1', hits: 1, address: '192.0.2.1' };
const COUNTED: GateOutcome = { kind: 'counted', rate, account: 'a live' };
const CHARGED: GateOutcome = { kind: 'charged', rate };

/** A meter with a gate and a computer that answer as the test says. */
function scripted(
  decide: (step: GateStep) => GateOutcome | Promise<GateOutcome>,
  compute: (task: ComputeTask) => Promise<string> = async () => '{"text":"x"}',
) {
  const steps: GateStep[] = [];
  /** Hits of the steps that only count. */
  const counted: number[] = [];
  const tasks: ComputeTask[] = [];
  const gate = scriptedGate(async (step) => {
    if (step.countsOnly === true) {
      counted.push(step.hits);
      return { kind: 'counted', rate };
    }
    steps.push(step);
    return decide(step);
  });
  const computer: Computer = {
    compute: async (task) => {
      tasks.push(task);
      return { kind: 'answer', json: await compute(task) };
    },
  };
  const { meter, seen } = scriptedMeter(gate, computer);
  const perform = (caller: object = {}, options: PerformOptions = {}) =>
    meter.perform(HEAVY, { ms: 1, seed: 7 }, { ...CALLER, ...caller }, options);
  const batch = (requests: object[], caller: object = {}, options: PerformOptions = {}) =>
    meter.perform(BATCH, { requests }, { ...CALLER, ...caller }, options);
  return { meter, perform, batch, steps, counted, tasks, seen };
}

const byCost = ({ cost }: GateStep) => (cost === 0 ? COUNTED : CHARGED);

describe('the path of a heavy operation', () => {
  it('counts, asks for the funds, computes, and charges without counting again', async () => {
    const { perform, steps, counted, tasks, seen } = scripted(byCost);
    expect(await perform()).toMatchObject({ kind: 'answer', json: '{"text":"x"}', rate });
    expect(steps.map(({ cost, affords, hits }) => [cost, affords, hits])).toEqual([
      [0, 5, 0],
      [5, undefined, 0],
    ]);
    expect(counted).toEqual([1]);
    const input = { ms: 1, seed: 7 };
    const account = { id: 'a live', priority: 'live' };
    const asked = { operation: 'heavy', input, artifactVersion: 'tiny', account, estimateMs: 1000 };
    expect(tasks).toEqual([asked]);
    expect(seen).toEqual(['heavy credits 5']);
  });

  it.each([
    { kind: 'insufficient_credits', rate },
    { kind: 'free_tier_exhausted', rate, resetsAtMs: 0 },
    { kind: 'in_debt', rate, debtCredits: 5 },
    { kind: 'answers_full', rate, retryAfterSeconds: 60 },
    { kind: 'idempotency_conflict', rate },
    { kind: 'rate_limited', rate, retryAfterSeconds: 4 },
    { kind: 'unauthorized' },
  ] as const)('computes nothing after $kind', async (outcome) => {
    const { perform, tasks, steps } = scripted(() => outcome);
    expect(await perform({ idempotencyKey: 'i' })).toMatchObject({ kind: 'refusal' });
    expect([tasks.length, steps.length]).toEqual([0, 1]);
  });

  it('sends the refusal of the charge when the funds were spent meanwhile', async () => {
    const spent: GateOutcome = { kind: 'insufficient_credits', rate };
    const { perform } = scripted((step) => (step.cost === 0 ? COUNTED : spent));
    expect(await perform()).toMatchObject({ problem: { code: 'insufficient_credits' } });
  });

  it('does not refuse for a price that is charged and still reserved', async () => {
    let balance = 10;
    let charged: (() => void) | undefined;
    const { perform, steps } = scripted(async ({ cost, affords = 0 }) => {
      if (cost === 0) return affords <= balance ? COUNTED : { kind: 'insufficient_credits', rate };
      balance -= cost;
      // The first charge has been taken from the balance, but its answer has not arrived yet.
      if (charged === undefined) {
        await new Promise<void>((resolve) => {
          charged = resolve;
        });
      }
      return CHARGED;
    });
    const first = perform();
    await until(() => charged !== undefined);
    const second = perform();
    // The gate decides this step after the first charge, so it sees the lower balance.
    await until(() => steps.length === 4);
    charged?.();
    expect([(await first).kind, (await second).kind, balance]).toEqual(['answer', 'answer', 0]);
    expect(steps.map(({ cost, affords, hits }) => [cost, affords, hits])).toEqual([
      ...[
        [0, 5, 0],
        [5, undefined, 0],
      ],
      ...[
        [0, 5, 0],
        [5, undefined, 0],
      ],
    ]);
    // Nothing is left, and nothing is under way.
    expect((await perform()).kind).toBe('refusal');
    expect(steps).toHaveLength(5);
  });

  it('does not charge a client that has left, and does not count it as a fault', async () => {
    const left = new AbortController();
    const { perform, steps, seen } = scripted(byCost, async () => {
      left.abort();
      return '{}';
    });
    expect((await perform({ left: () => left.signal })).kind).toBe('refusal');
    expect([steps.length, seen]).toEqual([1, []]);
  });

  it('refuses an answer over the limit of the transport before the charge', async () => {
    const { perform, steps } = scripted(byCost, async () =>
      JSON.stringify({ text: 'é'.repeat(50) }),
    );
    const refused = await perform({}, { answerBytesMax: 100 });
    expect(refused).toMatchObject({ problem: { code: 'validation_error', status: 400 } });
    expect(JSON.stringify(refused)).not.toContain('é');
    expect(steps.map(({ cost }) => cost)).toEqual([0]);
    expect((await perform({}, { answerBytesMax: 200 })).kind).toBe('answer');
  });

  it.each([
    ['full', 'service_busy', 503],
    ['waited', 'service_busy', 503],
    ['spent', 'rate_limited', 429],
    ['too_long', 'service_busy', 503],
  ] as const)('is refused when the pool is %s', async (reason, code, status) => {
    const { perform, steps } = scripted(byCost, async () => {
      throw new ComputeError(reason, 7);
    });
    const retryAfterSeconds = { full: 5, waited: 5, spent: 7, too_long: 60 }[reason];
    const refused = await perform();
    expect(refused).toMatchObject({ problem: { code, status }, rate });
    expect((refused as { retryAfterSeconds?: number }).retryAfterSeconds).toBe(retryAfterSeconds);
    expect(steps).toHaveLength(1);
  });

  it('gives a place free again, however a computation ends', async () => {
    let calls = 0;
    const { perform } = scripted(byCost, async () => {
      calls++;
      if (calls < 5) throw new Error('fault');
      return '{}';
    });
    for (let call = 0; call < 4; call++) expect((await perform()).kind).toBe('refusal');
    expect((await perform()).kind).toBe('answer');
  });
});

describe('two keys of an account', () => {
  it('share its funds and its places', async () => {
    const ends: (() => void)[] = [];
    const waits = () => new Promise<string>((resolve) => void ends.push(() => resolve('{}')));
    const { perform, steps, meter } = scripted(byCost, waits);
    const first = perform({ keyHash: 'one' });
    await expect.poll(() => ends.length).toBe(1);
    const second = perform({ keyHash: 'two' });
    await expect.poll(() => ends.length).toBe(2);
    expect(steps.map(({ affords, hits }) => [affords, hits])).toEqual([
      [5, 0],
      [10, 0],
    ]);
    // The third request is not even validated, and no step asks for its funds.
    const asked = steps.length;
    const third = await meter.perform(HEAVY, { ms: 'no number' }, { ...CALLER, keyHash: 'three' });
    expect(third).toMatchObject({ problem: { code: 'rate_limited' }, retryAfterSeconds: 1 });
    expect(steps.length).toBe(asked);
    for (const end of ends) end();
    expect((await Promise.all([first, second])).map(({ kind }) => kind)).toEqual([
      'answer',
      'answer',
    ]);
    const again = perform({ keyHash: 'three' });
    await expect.poll(() => ends.length).toBe(3);
    ends[2]?.();
    expect((await again).kind).toBe('answer');
  });
});

describe('a batch', () => {
  const quick = { operation: 'predict', input: predict.example };
  const heavy = { operation: 'population_share', input: populationShare.example };

  it('of requests about single cells is computed at once and charged in one step', async () => {
    const { batch, steps, counted, tasks } = scripted(byCost);
    const result = await batch([quick, quick]);
    expect(result).toMatchObject({ kind: 'answer' });
    expect(steps.map(({ cost, hits }) => [cost, hits])).toEqual([[2, 0]]);
    expect(counted).toEqual([1]);
    expect(tasks).toEqual([]);
  });

  it.each([
    ['has a request about a population', [quick, heavy], {}, {}],
    ['has an idempotency key', [quick], { idempotencyKey: 'k' }, {}],
    ['has a limit of its answer', [quick], {}, { answerBytesMax: 1000 }],
  ])('is computed beside the event loop when it %s', async (_, requests, caller, options) => {
    const { batch, tasks } = scripted(byCost);
    await batch(requests, caller, options);
    expect(tasks).toHaveLength(1);
  });
});
