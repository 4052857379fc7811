import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eventsKey, stateKey } from '../../../src/billing/redis/keys.js';
import { programWords } from '../../support/build.js';
import { haveServers } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';
import { type Payer, WorkerHarness } from './worker-harness.js';

describe.skipIf(!haveServers)('drain', () => {
  const harness = useOpened(() => WorkerHarness.open());

  it('books events once, with balance, usage per day and running balances', async () => {
    const payer = await harness.newPayer(10);
    await harness.charge(payer, 3);
    await harness.charge(payer, 0, 2);
    const last = await harness.charge(payer, 4);
    await harness.drainAll();
    expect(await harness.balance(payer)).toBe(3);
    const entries = await harness.db
      .selectFrom('ledger_entries')
      .select(['kind', 'credits', 'free_calls', 'balance_after', 'cause', 'operation', 'key_id'])
      .where('account_id', '=', payer.accountId)
      .orderBy('id')
      .execute();
    expect(entries.map((row) => [row.credits, row.free_calls, row.balance_after])).toEqual([
      [10, 0, 10],
      [-3, 0, 7],
      [0, 2, 7],
      [-4, 0, 3],
    ]);
    expect(entries.at(-1)).toMatchObject({ cause: `request:${last}`, key_id: payer.keyId });
    const days = await harness.db
      .selectFrom('usage_days')
      .selectAll()
      .where('account_id', '=', payer.accountId)
      .execute();
    expect(days).toMatchObject([{ calls: 3, credits: 7, free_calls: 2, operation: 'predict' }]);
    expect(await harness.redis.xlen(eventsKey(payer.partition))).toBe(0);
    expect(await harness.redis.hget(stateKey(payer.partition), 'oldest')).toBeNull();
  });

  it('leaves events in the stream until they are old enough', async () => {
    const payer = await harness.newPayer(5);
    await harness.charge(payer, 1);
    await harness.drainAll(60_000);
    expect(await harness.redis.xlen(eventsKey(payer.partition))).toBe(1);
    await harness.drainAll();
    expect(await harness.balance(payer)).toBe(4);
  });

  it('keeps the last answer of an idempotency key', async () => {
    const payer = await harness.newPayer(5);
    const answer = ['ikey', 'k1', 'fingerprint', 'f1', 'remaining', '-'];
    await harness.charge(payer, 1, 0, [...answer, 'answer', '{"value":1}']);
    await harness.charge(payer, 1, 0, [...answer, 'answer', '{"value":2}']);
    await harness.drainAll();
    const answers = await harness.db
      .selectFrom('idempotent_answers')
      .select(['operation', 'key', 'fingerprint', 'answer_json', 'remaining_free_calls'])
      .where('account_id', '=', payer.accountId)
      .execute();
    expect(answers).toEqual([
      {
        operation: 'predict',
        key: 'k1',
        fingerprint: 'f1',
        answer_json: '{"value":2}',
        remaining_free_calls: null,
      },
    ]);
  });

  it('forgives what the ledger cannot pay, and the ledger stays consistent', async () => {
    const payer = await harness.newPayer(5);
    await harness.charge(payer, 4);
    const beyond = await harness.charge(payer, 3);
    await harness.drainAll();
    expect(await harness.balance(payer)).toBe(0);
    const correction = await harness.db
      .selectFrom('ledger_entries')
      .select(['credits', 'cause', 'balance_after'])
      .where('account_id', '=', payer.accountId)
      .where('kind', '=', 'correction')
      .execute();
    const cause = `correction:forgiven:request:${beyond}`;
    expect(correction).toEqual([{ credits: 2, cause, balance_after: 3 }]);
    const balance = await harness.db
      .selectFrom('balances')
      .select(['credited', 'credit_version'])
      .where('account_id', '=', payer.accountId)
      .where('mode', '=', 'live')
      .executeTakeFirst();
    expect(balance).toEqual({ credited: 7, credit_version: 2 });
    expect(await harness.wrongBalances()).toEqual([]);
  });

  it('stores events that cannot be booked as dead letters with a reason, and books the rest', async () => {
    const payer = await harness.newPayer(100);
    const unknown = { ...payer, accountId: 'acc_gone' };
    const before = harness.batches.length;
    await harness.charge(payer, 1);
    await harness.redis.xadd(eventsKey(payer.partition), '*', 'nonsense', '\0');
    await harness.charge(payer, 1);
    await harness.charge(unknown, 1);
    await harness.charge(payer, 0, 0); // A constraint requires that a usage entry costs something.
    await harness.charge({ ...payer, keyId: 'key\0' }, 1);
    await harness.charge(payer, 1);
    await harness.drainAll();
    expect(await harness.balance(payer)).toBe(97);
    const dead = await harness.db
      .selectFrom('dead_letters')
      .select('error')
      .orderBy('id')
      .execute();
    expect(dead.map(({ error }) => error)).toEqual([
      expect.stringContaining('has no field "mode"'),
      'There is no account "acc_gone".',
      expect.stringContaining('ledger_entries_kind'),
      expect.stringContaining('invalid byte sequence'),
    ]);
    expect(await harness.redis.xlen(eventsKey(payer.partition))).toBe(0);
    const counted = harness.batches.slice(before);
    expect(counted.reduce((sum, batch) => sum + batch.dead, 0)).toBe(4);
    expect(await harness.wrongBalances()).toEqual([]);
  });

  describe('killed with -9', () => {
    const EVENTS = 300;

    it('between commit and removal: nothing is booked twice', async () => {
      const payer = await harness.newPayer(1000);
      await chargeMany(payer, EVENTS);
      expect(await runChild(harness, 'die')).toBe('SIGKILL');
      expect(await harness.balance(payer)).toBe(1000 - EVENTS);
      expect(await harness.redis.xlen(eventsKey(payer.partition))).toBe(EVENTS);
      await harness.drainAll();
      expect(harness.batches.at(-1)).toMatchObject({ booked: 0, known: EVENTS });
      await expectBooked(payer, EVENTS);
    });

    it('before the commit: nothing is lost', async () => {
      const payer = await harness.newPayer(1000);
      await chargeMany(payer, EVENTS);
      await harness.db.transaction().execute(async (trx) => {
        // The batch waits for the table of usage per day. Its entries are written but not committed.
        await sql`lock table usage_days in share mode`.execute(trx);
        const child = spawnChild(harness);
        await until(() => isWaiting(harness));
        child.kill('SIGKILL');
        await once(child, 'exit');
      });
      expect(await harness.balance(payer)).toBe(1000);
      await until(async () => {
        await harness.drainAll();
        return (await harness.balance(payer)) === 1000 - EVENTS;
      });
      await expectBooked(payer, EVENTS);
    });
  });

  it('runs in several workers at once without conflicts', async () => {
    const payers = await Promise.all(Array.from({ length: 20 }, () => harness.newPayer(1000)));
    await Promise.all(payers.map((payer) => chargeMany(payer, 50)));
    const codes = await Promise.all([runChild(harness), runChild(harness), runChild(harness)]);
    expect(codes).toEqual([0, 0, 0]);
    await harness.drainAll();
    for (const payer of payers) await expectBooked(payer, 50);
  });

  async function chargeMany(payer: Payer, events: number): Promise<void> {
    await Promise.all(Array.from({ length: events }, () => harness.charge(payer, 1)));
  }

  async function expectBooked(payer: Payer, events: number): Promise<void> {
    expect(await harness.balance(payer)).toBe(1000 - events);
    expect(await harness.entriesOf(payer)).toBe(events);
    expect(await harness.redis.xlen(eventsKey(payer.partition))).toBe(0);
    expect(await harness.wrongBalances()).toEqual([]);
  }
});

function spawnChild({ server, databaseUrl }: WorkerHarness, ...words: string[]): ChildProcess {
  const args = [
    ...programWords('test/billing/worker/drain-child'),
    server.url,
    databaseUrl,
    ...words,
  ];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Drains in another process. Returns its exit code, or the signal that ended it. */
async function runChild(harness: WorkerHarness, ...words: string[]): Promise<number | string> {
  const [code, signal] = await once(spawnChild(harness, ...words), 'exit');
  return code ?? signal;
}

async function isWaiting({ db }: WorkerHarness): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select exists (select from pg_locks
    where not granted and relation = 'usage_days'::regclass) as waits`.execute(db);
  return rows[0]?.waits === true;
}
