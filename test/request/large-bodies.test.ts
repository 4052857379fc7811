import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/errors.js';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { predict } from '../../src/operations/predict.js';
import type { LargeBody } from '../../src/request/caller.js';
import { Charging } from '../../src/request/charging.js';
import { BODIES_OF_ACCOUNT_MAX, LargeBodies } from '../../src/request/large-bodies.js';
import { argumentsOf, LargeText, split } from '../../src/request/large-text.js';
import { ComputeError } from '../../src/request/pool.js';
import type { ComputeBudget } from '../../src/request/queue.js';
import type { ComputeResult, ComputeTask } from '../../src/request/tasks.js';
import { scriptedGate } from './scripted-meter.js';

const RATE = { limit: 120, remaining: 119, resetSeconds: 60 };
const CALLER = { keyHash: 'a', partition: 0, address: 'n', requestId: 'r', hits: 1 };

/** Handles large bodies with a budget, a computer and a gate. For the gate, each key is an account of its own. */
function bodiesOf(
  emptyMs: (account: string) => number = () => 0,
  compute: (task: ComputeTask, left?: AbortSignal) => Promise<ComputeResult> = () =>
    Promise.reject(new Error('not asked')),
) {
  const hits: number[] = [];
  const gate = scriptedGate(
    async (step) => {
      hits.push(step.hits);
      return { kind: 'counted', rate: RATE };
    },
    { accountOf: (keyHash) => `${keyHash} ${keyHash.startsWith('test') ? 'test' : 'live'}` },
  );
  const budget: ComputeBudget = {
    waitMs: async ({ id }) => emptyMs(id),
    take: async () => undefined,
  };
  const log = { error: () => undefined };
  const charging = new Charging({ gate, log, returnCharge: async () => undefined });
  const artifactVersion = () => 'tiny';
  const bodies = new LargeBodies({ charging, budget, artifactVersion, computer: { compute } });
  const enter = (keyHash: string) => bodies.enter({ ...CALLER, keyHash });
  const entered = async (keyHash: string): Promise<LargeBody> => {
    const body = await enter(keyHash);
    if ('kind' in body) throw body.problem;
    return body;
  };
  return { bodies, enter, entered, hits };
}

describe('large bodies', () => {
  it('are counted before they are received', async () => {
    const { entered, hits } = bodiesOf();
    const body = await entered('a');
    expect([hits, body.rate]).toEqual([[1], RATE]);
  });

  it('are limited for each account, and for all', async () => {
    const { enter, entered } = bodiesOf();
    const own: LargeBody[] = [];
    for (let i = 0; i < BODIES_OF_ACCOUNT_MAX; i++) own.push(await entered('a'));
    expect(await enter('a')).toMatchObject({
      problem: { code: 'rate_limited', status: 429 },
      retryAfterSeconds: 1,
    });
    own[0]?.close();
    await entered('a');
    for (let i = 0; i < 48; i++) await entered(`other ${i}`);
    expect(await enter('new')).toMatchObject({
      problem: { code: 'service_busy', status: 503 },
      retryAfterSeconds: 5,
    });
    // One whose request is computed leaves its place, once.
    own[1]?.rest();
    own[1]?.close();
    expect(await enter('new')).not.toHaveProperty('problem');
    expect(await enter('new')).toHaveProperty('problem');
  });

  it('of an account without processor time are not received', async () => {
    const { enter } = bodiesOf((account) => (account === 'spent live' ? 2500 : 0));
    expect(await enter('spent')).toMatchObject({
      problem: { code: 'rate_limited' },
      retryAfterSeconds: 3,
    });
    expect(await enter('other')).not.toHaveProperty('problem');
  });

  it('are read by a thread, for their account, until the client has gone', async () => {
    const asked: [ComputeTask, boolean | undefined][] = [];
    const facts = { cost: 7, hits: 2, estimateMs: 1, isStreamed: false, fingerprint: '' };
    const { bodies, entered } = bodiesOf(undefined, async (task, left) => {
      asked.push([task, left?.aborted]);
      return { kind: 'facts', facts: { ...facts, json: undefined } };
    });
    const body = await entered('test');
    const caller = { ...CALLER, keyHash: 'test', hits: 0, body };
    const large = new LargeText('{}'.padEnd(100_000));
    const read = () => bodies.read(predict as Operation, large, caller, RATE, true);
    expect(await read()).toMatchObject({ kind: 'facts', facts });
    body.close();
    expect(await read()).toMatchObject({ kind: 'refusal', problem: { code: 'inference_error' } });
    const reads = { mayBeQuick: true, hasKey: false };
    const account = { id: 'test test', priority: 'test' };
    const task = {
      operation: 'predict',
      input: {},
      large,
      reads,
      artifactVersion: 'tiny',
      account,
    };
    const asking = { ...task, estimateMs: expect.closeTo(15) };
    expect(asked).toEqual([
      [asking, false],
      [asking, true],
    ]);
  });

  it.each([
    ['full', 'service_busy'],
    ['waited', 'service_busy'],
    ['spent', 'rate_limited'],
    ['too_long', 'service_busy'],
  ] as const)('are refused when the pool is %s', async (reason, code) => {
    const { bodies, entered } = bodiesOf(undefined, async () => {
      throw new ComputeError(reason, 7);
    });
    const caller = { ...CALLER, body: await entered('a') };
    const asked = bodies.read(predict as Operation, new LargeText('{}'), caller, RATE, true);
    expect(await asked).toMatchObject({ kind: 'refusal', problem: { code } });
    await expect(bodies.message('{}', caller)).rejects.toMatchObject({
      refusal: { problem: { code } },
    });
  });
});

describe('a large message', () => {
  const batch = OPERATIONS.filter(({ name }) => name === 'batch');
  const call = (id: number, name: string, given: unknown) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name, arguments: given },
  });
  const readBy = (text: string) =>
    bodiesOf(undefined, async () => {
      try {
        return { kind: 'message', message: structuredClone(split(text, batch)) };
      } catch (error) {
        const { code, sentence, extras } = error as Problem;
        return { kind: 'problem', code, sentence, extras };
      }
    });
  const read = async (text: string) => {
    const { bodies, entered } = readBy(text);
    return bodies.message(text, { ...CALLER, body: await entered('a') });
  };

  it('keeps the arguments of computed operations as texts, and all others', async () => {
    const large = { requests: ['x'.repeat(200_000)] };
    const messages = [
      call(1, 'batch', large),
      5,
      call(2, 'predict', { age: 3 }),
      call(3, 'batch', 1),
    ];
    const found = (await read(JSON.stringify(messages))) as typeof messages;
    const [first, ...others] = found;
    expect(others).toEqual(messages.slice(1));
    const { params } = first as ReturnType<typeof call>;
    expect(argumentsOf(params.arguments)).toEqual(new LargeText(JSON.stringify(large)));
    expect(await read(JSON.stringify(call(1, 'batch', {})))).toEqual(
      call(1, 'batch', { large: new LargeText('{}') }),
    );
    // A client's own text with this name is not treated as ours.
    const own = { large: { text: '{}', defaults: {} } };
    expect(argumentsOf(own)).toBe(own);
  });

  it('is refused if it is no JSON, or long besides these arguments', async () => {
    await expect(read('{"a":')).rejects.toMatchObject({ code: 'validation_error', status: 400 });
    const long = JSON.stringify(call(1, 'predict', { name: 'x'.repeat(200_000) }));
    await expect(read(long)).rejects.toBeInstanceOf(Problem);
    await expect(read(long)).rejects.toMatchObject({ code: 'validation_error', status: 413 });
  });
});
