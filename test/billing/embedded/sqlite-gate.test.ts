import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GateError } from '../../../src/billing/gate.js';
import { openSqlite, sqlitePath } from '../../../src/database/sqlite.js';
import { programWords } from '../../support/build.js';
import { until } from '../../support/until.js';
import { gateContract } from '../gate-contract.js';
import { SqliteHarness, step, type TestKey } from '../gate-harness.js';

const run = promisify(execFile);

gateContract('sqlite', (options) => SqliteHarness.open(options));

describe('sqlite gate', () => {
  let harness: SqliteHarness;
  let account: string;
  let key: TestKey;
  beforeEach(async () => {
    harness = await SqliteHarness.open({ rateLimitMax: 1e9 });
    account = await harness.newAccount();
    key = await harness.newKey(account);
  });
  afterEach(async () => {
    await harness.close();
  });

  it('spends credits granted by another process at once', async () => {
    await harness.gate.step(step(key, { cost: 10 }));
    expect((await harness.gate.step(step(key))).kind).toBe('free_tier_exhausted');
    const words = programWords('test/billing/embedded/grant-child');
    await run(process.execPath, [...words, harness.url, account, '3']);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => harness.gate.step(step(key))));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
      'charged',
      'charged',
      'charged',
      'free_tier_exhausted',
    ]);
  });

  it('rejects a batch that cannot be committed, charges nothing and continues', async () => {
    await harness.grant(account, 10);
    await harness.gate.step(step(key));
    await sql`create trigger break_it before insert on ledger_entries
      when new.operation = 'broken' begin select raise(abort, 'disk on fire'); end`.execute(
      harness.db,
    );
    const [good, broken] = await Promise.allSettled([
      harness.gate.step(step(key)),
      harness.gate.step(step(key, { operation: 'broken' })),
    ]);
    expect([good.status, broken.status]).toEqual(['rejected', 'rejected']);
    expect(await harness.balance(account)).toBe(9);
    expect((await harness.gate.step(step(key))).kind).toBe('charged');
    expect(await harness.drifts()).toEqual([]);
  });

  it('refuses steps when its writer dies, and recovers by itself', async () => {
    await harness.grant(account, 1000);
    await harness.gate.step(step(key));
    const flood = Array.from({ length: 200 }, () => harness.gate.step(step(key)));
    const [results] = await Promise.all([Promise.allSettled(flood), harness.gate.killWriter()]);
    expect(await harness.gate.ready()).toBe(false);
    await expect(harness.gate.step(step(key))).rejects.toThrow('restarting');
    const charged = results.filter(({ status }) => status === 'fulfilled').length;
    const tryAgain = (): Promise<string> =>
      harness.gate.step(step(key)).then(
        ({ kind }) => kind,
        () => 'rejected',
      );
    await expect.poll(tryAgain, { interval: 50 }).toBe('charged');
    // A charge may be committed without an acknowledgement. It is never acknowledged without being committed.
    const balance = await harness.balance(account);
    expect(balance).toBeLessThanOrEqual(1000 - 2 - charged);
    const unanswered = results.filter((one) => reasonOf(one) === 'unanswered').length;
    expect(balance).toBeGreaterThanOrEqual(1000 - 2 - charged - unanswered);
    expect(await harness.drifts()).toEqual([]);
  });

  it('says which steps of a dead writer may be charged; a retry with the same key charges once', async () => {
    await harness.grant(account, 1000);
    await harness.gate.step(step(key));
    // More steps than the gate sends at once: at most 12 messages of 16 steps.
    const STEPS = 500;
    const keyed = (index: number) =>
      step(key, { idempotency: { key: `k${index}`, fingerprint: 'f', answerJson: '1' } });
    const dead = harness.gate.killWriter();
    const indexes = Array.from({ length: STEPS }, (_, index) => index);
    const results = await Promise.allSettled(
      indexes.map((index) => harness.gate.step(keyed(index))),
    );
    await dead;
    const reasons = results.map(reasonOf);
    const underWay = reasons.filter((reason) => reason === 'unanswered').length;
    expect(underWay).toBeGreaterThan(0);
    expect(underWay).toBeLessThan(STEPS);
    expect(reasons.slice(underWay)).toEqual(Array(STEPS - underWay).fill('unavailable'));
    await expect.poll(() => harness.gate.ready(), { interval: 20 }).toBe(true);
    const again = await Promise.all(indexes.map((index) => harness.gate.step(keyed(index))));
    for (const { kind } of again) expect(['charged', 'replayed']).toContain(kind);
    expect(await harness.balance(account)).toBe(1000 - 1 - STEPS);
    expect(await harness.drifts()).toEqual([]);
  });

  it('refuses steps when its queue is full', async () => {
    const { createSqliteGate } = await import('../../../src/billing/embedded/sqlite-gate.js');
    const small = await createSqliteGate({ databaseUrl: harness.url, queueMax: 5 });
    await small.step(step(key, { cost: 0 }));
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => small.step(step(key, { cost: 0 }))),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    await small.close();
  });

  it('deletes old rate hits and idempotent answers', async () => {
    const idempotency = { key: 'k', fingerprint: 'f', answerJson: '1' };
    await harness.gate.step(step(key, { idempotency }));
    await harness.gate.step(step(key, { cost: 0 }));
    harness.advance(25 * 3600_000);
    await harness.gate.step(step(key));
    const connection = openSqlite(sqlitePath(harness.url));
    expect(connection.prepareRaw('SELECT COUNT(*) FROM rate_hits').get()).toEqual([0]);
    expect(connection.prepareRaw('SELECT COUNT(*) FROM idempotent_answers').get()).toEqual([0]);
    connection.close();
  });
});

/** Reason why a step was rejected; undefined if it was decided. */
function reasonOf(result: PromiseSettledResult<unknown>): string | undefined {
  return result.status === 'rejected' ? (result.reason as GateError).reason : undefined;
}

describe('hits of refused requests', () => {
  let harness: SqliteHarness;
  let key: TestKey;
  beforeEach(async () => {
    harness = await SqliteHarness.open();
    key = await harness.newKey(await harness.newAccount());
  });
  afterEach(() => harness.close());

  const refuse = () => harness.gate.step(step(key, { cost: 0, countsOnly: true }));
  function bookedHits(): number {
    const connection = openSqlite(sqlitePath(harness.url));
    const [hits] =
      connection.prepareRaw('SELECT COALESCE(SUM(hits), 0) FROM rate_hits').get() ?? [];
    connection.close();
    return Number(hits);
  }

  it('count at once, and are booked soon after in one row', async () => {
    for (let hits = 1; hits <= 120; hits++) {
      expect(await refuse()).toMatchObject({ kind: 'counted', rate: { remaining: 120 - hits } });
    }
    expect((await refuse()).kind).toBe('rate_limited');
    await until(() => bookedHits() === 120);
    await harness.crash();
    expect((await harness.gate.step(step(key))).kind).toBe('rate_limited');
  });

  it('are booked when the gate closes', async () => {
    await refuse();
    await harness.gate.close();
    expect(bookedHits()).toBe(1);
  });
});
