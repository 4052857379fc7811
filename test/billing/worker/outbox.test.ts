import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { grantCredits } from '../../../src/accounts/credits.js';
import { revokeKey } from '../../../src/accounts/keys.js';
import { fundsKey } from '../../../src/billing/redis/keys.js';
import { OUTBOX_POLL_MS, type Outbox, startOutbox } from '../../../src/billing/worker/outbox.js';
import { bookDebt } from '../../../src/ledger/debts.js';
import { haveServers, newPostgresDatabase } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';
import { type Payer, stepOf, WorkerHarness } from './worker-harness.js';

describe.skipIf(!haveServers)('outbox', () => {
  const harness = useOpened(() => WorkerHarness.open());
  const gate = useOpened(() => harness.openGate());
  let outboxes: Outbox[] = [];
  afterEach(async () => {
    await Promise.all(outboxes.map((outbox) => outbox.close()));
    outboxes = [];
  });

  it('makes the gate refuse a revoked key as soon as it is notified, with no worker running', async () => {
    // Within this test, only notifications can wake the outbox.
    start(1, 3_600_000);
    for (let times = 0; times < 3; times++) {
      const payer = await harness.newPayer(10);
      expect(await gate.step(stepOf(payer))).toMatchObject({ kind: 'charged' });
      await revokeKey(harness.db, payer.keyId);
      await until(async () => (await gate.step(stepOf(payer))).kind === 'unauthorized');
    }
  });

  it('looks for changes itself too, more than once a second', async () => {
    expect(OUTBOX_POLL_MS).toBeLessThan(1000);
    const { db, redis } = harness;
    // The listener uses another database, so it gets no notifications.
    const elsewhere = await newPostgresDatabase();
    outboxes.push(startOutbox(db, redis, pino({ level: 'silent' }), elsewhere));
    const payer = await harness.newPayer(10);
    expect(await gate.step(stepOf(payer))).toMatchObject({ kind: 'charged' });
    await revokeKey(db, payer.keyId);
    await until(async () => (await gate.step(stepOf(payer))).kind === 'unauthorized');
  });

  it('revokes a key that Redis does not hold before anyone can load it', async () => {
    const payer = await harness.newPayer(10);
    await revokeKey(harness.db, payer.keyId);
    start(1);
    await until(nothingNew);
    expect(await gate.step(stepOf(payer))).toEqual({ kind: 'unauthorized' });
  });

  it('brings credits to Redis once, however often their purchase is confirmed', async () => {
    start(3);
    const payer = await harness.newPayer(5);
    await gate.step(stepOf(payer));
    const confirm = () =>
      grantCredits(harness.db, payer.accountId, 'live', 100, { kind: 'purchase', cause: 'pi_1' });
    await Promise.all(Array.from({ length: 5 }, confirm));
    await until(async () => (await paid(payer)) === 104);
    await confirm();
    await until(nothingNew);
    expect(await paid(payer)).toBe(104);
  });

  it('makes the gate refuse an account in debt, and serve it again once a purchase paid', async () => {
    start(2);
    const payer = await harness.newPayer(5);
    expect(await gate.step(stepOf(payer))).toMatchObject({ kind: 'charged' });
    const { accountId } = payer;
    const entry = { accountId, kind: 'reversed', credits: 40, reversal: 'refund:1' } as const;
    await harness.db
      .transaction()
      .execute((trx) => bookDebt(trx, { ...entry, cause: 'refund:1', atMs: Date.now() }));
    await until(async () => (await gate.step(stepOf(payer))).kind === 'in_debt');
    const before = await paid(payer);
    await grantCredits(harness.db, accountId, 'live', 100, { kind: 'purchase', cause: 'pi_2' });
    await until(async () => (await gate.step(stepOf(payer))).kind === 'charged');
    expect(await paid(payer)).toBe(before + 100 - 40 - 1);
  });

  it('applies a change twice, because a restarted Redis may have lost the first time', async () => {
    const payer = await harness.newPayer(5);
    await gate.step(stepOf(payer));
    const funds = fundsKey(payer.partition, payer.accountId, payer.mode);
    const before = await harness.redis.hgetall(funds);
    await grantCredits(harness.db, payer.accountId, 'live', 50);
    start(1);
    await until(async () => (await paid(payer)) === 54);
    await harness.redis.hset(funds, before);
    expect(await paid(payer)).toBe(4);
    await until(async () => (await paid(payer)) === 54);
    await until(async () => (await waiting()) === 0);
  });

  it('waits for a Redis that is away', async () => {
    const payer = await harness.newPayer(5);
    await gate.step(stepOf(payer));
    harness.server.pause();
    await grantCredits(harness.db, payer.accountId, 'live', 50);
    start(1);
    await until(async () => (await unlockedRows()) === 0);
    expect(await nothingNew()).toBe(false);
    harness.server.resume();
    await until(async () => (await paid(payer).catch(() => 0)) === 54);
    expect(await waiting()).toBeGreaterThan(0);
  });

  function start(nodes: number, pollMs?: number): void {
    const { db, redis, databaseUrl } = harness;
    const log = pino({ level: 'silent' });
    for (let node = 0; node < nodes; node++)
      outboxes.push(startOutbox(db, redis, log, databaseUrl, pollMs));
  }

  async function paid({ accountId: id, partition, mode }: Payer): Promise<number> {
    return (await gate.funds({ id, partition }, mode)).paidCredits;
  }

  async function waiting(): Promise<number> {
    return (await harness.db.selectFrom('redis_outbox').select('id').execute()).length;
  }

  /** Rows that no outbox is applying now. */
  async function unlockedRows(): Promise<number> {
    const { rows } = await sql`select id from redis_outbox where applied_at_ms is null
      for update skip locked`.execute(harness.db);
    return rows.length;
  }

  async function nothingNew(): Promise<boolean> {
    const rows = await harness.db
      .selectFrom('redis_outbox')
      .select('id')
      .where('applied_at_ms', 'is', null)
      .execute();
    return rows.length === 0;
  }
});
