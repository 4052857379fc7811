import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { fingerprint } from '../../src/core/fingerprint.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { populationShare } from '../../src/operations/population-share.js';
import { predict } from '../../src/operations/predict.js';
import { LargeText } from '../../src/request/large-text.js';
import {
  afterProcessorTime,
  ComputeError,
  ComputePool,
  type ComputePoolOptions,
  readMs,
  shareOfProcess,
} from '../../src/request/pool.js';
import { MemoryBudget, processorMs, systemThreadId } from '../../src/request/queue.js';
import { BEGUN } from '../../src/request/tasks.js';
import { programWords } from '../support/build.js';
import { newFolder } from '../support/folders.js';
import { HEAVY_OPERATIONS } from '../support/heavy-operations.js';
import { HELD_OPERATIONS, Hold } from '../support/held-operations.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';

const hold = new Hold();
Object.assign(process.env, hold.env);
const artifactVersion = 'tiny';
const artifactsDir = writeTinyArtifact(artifactVersion);
const pools: ComputePool[] = [];
const PATIENT = {
  threads: 1,
  operationsModule: HELD_OPERATIONS,
  // The computations wait for the test, even if it takes long.
  ...{ timeLimitSeconds: 3600, waitLimitSeconds: 3600 },
} as const;

function poolOf(options: Partial<ComputePoolOptions> = {}): ComputePool {
  const pool = new ComputePool({ artifactsDir, ...PATIENT, ...options });
  pools.push(pool);
  return pool;
}
afterEach(async () => {
  hold.release();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const { name: operation, example: input } = populationShare;
const taskOf = (
  account: string,
  priority: 'live' | 'test' | 'free' = 'live',
  more: object = {},
) => ({ ...{ operation, input, artifactVersion }, account: { id: account, priority }, ...more });

describe('a pool', () => {
  it.runIf(process.platform === 'linux')('reads files where they are mapped already', async () => {
    const views = openArtifact(artifactsDir, artifactVersion);
    const pool = poolOf({ operationsModule: undefined });
    expect((await pool.compute(taskOf('one'))).kind).toBe('answer');
    const mapped = readFileSync('/proc/self/maps', 'utf8')
      .split('\n')
      .filter((line) => line.includes(join(artifactsDir, artifactVersion)))
      .map((line) => line.slice(line.indexOf('/')));
    expect(mapped.length).toBeGreaterThan(3);
    // The system counts a page once for each mapping.
    expect(new Set(mapped).size).toBe(mapped.length);
    expect(views).toBeDefined();
  });

  it('ends no thread that still loads: a native library cut off there ends the process', async () => {
    const folder = newFolder('slow-operations');
    const loaded = join(folder, 'loaded');
    const operationsModule = join(folder, 'operations.mjs');
    // The module loads until the test says that the client has left.
    writeFileSync(
      operationsModule,
      `import { existsSync, writeFileSync } from 'node:fs';
      while (!existsSync(${JSON.stringify(join(folder, 'left'))})) await new Promise((done) => setTimeout(done, 5));
      writeFileSync(${JSON.stringify(loaded)}, '');
      export const OPERATIONS = [];`,
    );
    const pool = poolOf({ operationsModule });
    const left = new AbortController();
    const leaving = pool.compute(taskOf('a'), left.signal);
    const ended = leaving.catch((error: unknown) => [error, existsSync(loaded)]);
    await until(() => pool.loading === 1);
    left.abort();
    writeFileSync(join(folder, 'left'), '');
    const [error, hadLoaded] = (await ended) as [Error, boolean];
    expect(hadLoaded, error.message).toBe(true);
  });

  it('loses one computation that runs out of memory, and no other', async () => {
    // The options of this process must not apply. With an option on the room for young objects, the process would end
    // together with its thread.
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...programWords('test/request/memory-child'),
      artifactsDir,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      hungry: ['ERR_WORKER_OUT_OF_MEMORY', 'ERR_WORKER_OUT_OF_MEMORY'],
      calm: '{"calm":true}',
      // The time of the computation is taken from the account's budget, although nothing is charged.
      spent: ['hungry', 'hungry', 'calm'],
    });
  });

  it('computes a short request beside a long one', async () => {
    const pool = poolOf();
    hold.take();
    const long = pool.compute(taskOf('long'));
    await hold.begun();
    hold.take();
    const short = pool.compute(taskOf('short', 'test', { estimateMs: 200 }));
    // Both are held now, so both have begun.
    await hold.begun();
    const other = pool.compute(taskOf('other', 'live', { estimateMs: 251 }));
    await until(() => pool.waiting === 1);
    hold.release();
    const kinds = (await Promise.all([long, short, other])).map(({ kind }) => kind);
    expect(kinds).toEqual(['answer', 'answer', 'answer']);
  });

  it('ends a wait that is too long', async () => {
    const pool = poolOf({ waitLimitSeconds: 0.2 });
    hold.take();
    const running = pool.compute(taskOf('a'));
    await hold.begun();
    const waits = pool.compute(taskOf('b'));
    await expect(waits).rejects.toEqual(new ComputeError('waited'));
    hold.release();
    expect((await running).kind).toBe('answer');
  });

  it('ends a computation after its own limit, and lets one go on that nobody waits for', async () => {
    const pool = new ComputePool({ artifactsDir, operationsModule: HEAVY_OPERATIONS, threads: 2 });
    pools.push(pool);
    const heavy = (ms: number, more: object) =>
      taskOf('a', 'free', { operation: 'heavy', input: { ms }, ...more });
    const late = pool.compute(heavy(60_000, { limitMs: 100 }));
    await expect(late).rejects.toEqual(new ComputeError('too_long', 0.1));
    const left = new AbortController();
    const going = pool.compute(heavy(300, { goesOn: true }), left.signal);
    await until(() => pool.waiting === 0 && pool.loading === 0);
    left.abort();
    expect((await going).kind).toBe('answer');
  });

  it('ends a computation in time, takes its processor time, and gives the next one all of its own', async () => {
    // A live account may save two seconds. The clock of the budget stands still.
    const budget = new MemoryBudget(1, () => 0);
    // A held thread uses no processor time, so the wall clock ends it, after three times the limit.
    const pool = poolOf({ budget, timeLimitSeconds: 4 });
    expect((await pool.compute(taskOf('a'))).kind).toBe('answer');
    expect(await budget.waitMs(taskOf('a').account)).toBe(0);
    hold.take();
    const stuck = pool.compute(taskOf('a'));
    await hold.begun();
    const waits = pool.compute(taskOf('b'));
    const first = await Promise.race([stuck, waits]).catch((error: unknown) => error);
    expect(first).toEqual(new ComputeError('too_long', 4));
    await expect(stuck).rejects.toEqual(new ComputeError('too_long', 4));
    hold.release();
    // It has waited for all of that time.
    expect((await waits).kind).toBe('answer');
    expect(await budget.waitMs(taskOf('a').account)).toBeGreaterThan(0);
    const refused = pool.compute(taskOf('a'));
    const spent = { reason: 'spent', seconds: expect.any(Number) };
    await expect(refused).rejects.toMatchObject(spent);
    // Free computations of pages have no budget.
    expect((await pool.compute(taskOf('a', 'free'))).kind).toBe('answer');
  });
});

describe('large bodies', () => {
  // One pool for all of them: its threads load once.
  const pool = new ComputePool({ ...PATIENT, artifactsDir });
  afterAll(() => pool.close());
  const requests = [{ operation: 'predict', input: predict.example }];
  const batch = (chars: number, more: object[] = []) =>
    JSON.stringify({ requests: [...requests, ...more] }).padEnd(chars);
  const bodyOf = (text: string, mayBeQuick = true, priority: 'live' | 'test' = 'live') => ({
    ...{ operation: 'batch', input: {}, large: new LargeText(text), artifactVersion },
    ...{ reads: { mayBeQuick, hasKey: true }, account: { id: priority, priority } },
    estimateMs: readMs(text.length),
  });

  it('are read: a thread tells their facts, answers a quick one, or refuses it', async () => {
    const share = { operation: 'population_share', input: populationShare.example };
    const text = batch(200_000, [share]);
    const read = await pool.compute(bodyOf(text));
    const hash = fingerprint(JSON.parse(text));
    const facts = { cost: 6, hits: 1, isStreamed: false, fingerprint: hash, json: undefined };
    expect(read).toEqual({ kind: 'facts', facts: { ...facts, estimateMs: expect.any(Number) } });
    const quick = await pool.compute(bodyOf(batch(200_000)));
    expect(quick).toMatchObject({ kind: 'answer', cost: 1, hits: 1 });
    expect((await pool.compute(bodyOf(batch(200_000), false))).kind).toBe('facts');
    expect(await pool.compute(bodyOf('{"requests":[}'))).toMatchObject({
      kind: 'problem',
      code: 'validation_error',
    });
    const { reads: _, ...whole } = bodyOf(text);
    expect(await pool.compute(whole)).toMatchObject({ kind: 'answer', cost: 6 });
  });

  it('are read two at once beside computations, and one of them is not very large', async () => {
    hold.take();
    const computing = pool.compute(taskOf('a'));
    await hold.begun();
    const read = (chars: number) => pool.compute(bodyOf(batch(chars)));
    const all = [read(300_000)];
    expect(pool.waiting).toBe(0);
    all.push(read(300_000));
    await until(() => pool.waiting === 1);
    all.push(read(50_000), read(50_000));
    await until(() => pool.waiting === 2);
    hold.release();
    for (const { kind } of await Promise.all([computing, ...all])) expect(kind).toBe('answer');
  });

  it('wait up to a number, those of live keys first, and until their client has gone', async () => {
    hold.take();
    const running = pool.compute(bodyOf(batch(300_000)));
    await hold.begun();
    const left = new AbortController();
    const text = batch(300_000);
    const leaving = pool.compute(bodyOf(text), left.signal).catch((error) => error.reason);
    const waiting = Array.from({ length: 31 }, () =>
      pool.compute(bodyOf(text, true, 'test')).then(
        ({ kind }) => kind,
        (error) => error.reason,
      ),
    );
    await until(() => pool.waiting === 32);
    await expect(pool.compute(bodyOf(text, true, 'test'))).rejects.toEqual(
      new ComputeError('full'),
    );
    const live = pool.compute(bodyOf(text));
    expect(await Promise.race(waiting)).toBe('full');
    left.abort();
    expect(await leaving).toBe('left');
    hold.release();
    for (const { kind } of await Promise.all([running, live])) expect(kind).toBe('answer');
  });
});

it.each([
  [2, 1, { threads: 1, waitingMax: 64 }],
  [2, 2, { threads: 1, waitingMax: 32 }],
  [16, 1, { threads: 15, waitingMax: 64 }],
  [16, 4, { threads: 4, waitingMax: 16 }],
  [8, 16, { threads: 1, waitingMax: 4 }],
])('%i cores are divided among %i processes', (cores, processes, share) => {
  expect(shareOfProcess(cores, processes)).toEqual(share);
});

describe('the limit of a computation', () => {
  afterEach(() => vi.useRealTimers());

  /** Seconds on a faked clock until the limit of 20 s ends a task whose thread had already used `usedMs`. */
  const endsAfter = async (usedMs: number, threadId = systemThreadId(), flag = 1) => {
    vi.useFakeTimers();
    const begun = new Int32Array(new SharedArrayBuffer(12));
    begun[BEGUN.threadId] = threadId;
    begun[BEGUN.atMs] = Math.floor((processorMs() ?? 0) - usedMs);
    begun[BEGUN.flag] = flag;
    const { signal } = afterProcessorTime(begun, 20_000);
    let seconds = 0;
    for (; !signal.aborted && seconds < 100; seconds++) await vi.advanceTimersByTimeAsync(1000);
    return seconds;
  };

  it.runIf(processorMs() !== undefined)(
    'counts its processor time, and three times as long by the clock',
    async () => {
      expect(await endsAfter(25_000)).toBe(20);
      expect(await endsAfter(-60_000)).toBe(60);
      // A thread that still loads has not begun.
      expect(await endsAfter(25_000, systemThreadId(), 0)).toBe(100);
    },
  );

  it('counts the clock where the system does not tell processor times', async () => {
    expect(await endsAfter(0, 0)).toBe(20);
  });
});
