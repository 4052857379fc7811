import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { createKey, revokeKey } from '../../src/accounts/keys.js';
import { listen } from '../../src/database/listen.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { MIGRATION_NAMES } from '../../src/database/up-to-date.js';
import { newEntryId } from '../../src/ledger/charge.js';
import { programWords } from '../support/build.js';
import { haveServers, newPostgresDatabase, runSql, startPostgres } from '../support/servers.js';
import { openForTest } from '../support/test-database.js';

const run = promisify(execFile);
const openWords = programWords('test/database/open-child');

describe.skipIf(!haveServers)('PostgreSQL', () => {
  let url: string;
  let db: Database;
  beforeEach(async () => {
    url = await newPostgresDatabase();
    db = await openForTest(url);
  });

  it('is migrated once when several processes start together', async () => {
    const fresh = await newPostgresDatabase();
    const opens = [1, 2, 3].map(() => run(process.execPath, [...openWords, fresh]));
    await Promise.all([...opens, openDatabase(fresh).then((opened) => opened.destroy())]);
    expect(await runSql(fresh, 'select name from kysely_migration order by name')).toEqual(
      MIGRATION_NAMES.map((name) => ({ name })),
    );
  });

  it('reads every bigint as a number', async () => {
    await createAccount(db, 'Ada', 1_800_000_000_000);
    const row = await db.selectFrom('accounts').select('created_at_ms').executeTakeFirstOrThrow();
    expect(row.created_at_ms).toBe(1_800_000_000_000);
  });

  it('works again after a restart of the server', async () => {
    const postgres = await startPostgres();
    try {
      const opened = await openDatabase(await postgres.newDatabase());
      await createAccount(opened, 'Ada');
      await postgres.kill();
      await expect(createAccount(opened, 'Bob')).rejects.toThrow();
      await postgres.restart();
      await createAccount(opened, 'Bob');
      expect(await opened.selectFrom('accounts').select('name').execute()).toHaveLength(2);
      await opened.destroy();
    } finally {
      await postgres.stop();
    }
  });

  describe('by constraint', () => {
    const entry = (id: string, credits: number) => ({
      id: newEntryId(1),
      account_id: id,
      mode: 'live' as const,
      kind: 'usage' as const,
      credits,
      free_calls: 0,
      cause: `request:${Math.random()}`,
      operation: 'predict',
      key_id: 'key_1',
      rate_hits: 1,
      at_ms: 1,
      balance_after: 0,
    });
    let id: string;
    beforeEach(async () => {
      ({ id } = await createAccount(db, 'owner'));
      await grantCredits(db, id, 'live', 5);
    });

    it('refuses to change the ledger', async () => {
      for (const statement of [
        sql`update ledger_entries set credits = 6`,
        sql`delete from ledger_entries`,
        sql`truncate ledger_entries`,
      ]) {
        await expect(statement.execute(db)).rejects.toThrow('append-only');
      }
    });

    it('refuses an entry without a balance, and a balance that is not the sum of its entries', async () => {
      const insert = (account: string, credits: number) =>
        db.insertInto('ledger_entries').values(entry(account, credits)).execute();
      await expect(insert('acc_nobody', -1)).rejects.toThrow('ledger_entries_balance');
      await expect(insert(id, -1)).rejects.toThrow('is not the sum of its ledger');
      const spend = (credits: number) =>
        db
          .updateTable('balances')
          .set((eb) => ({ paid_credits: eb('paid_credits', '-', credits) }))
          .where('account_id', '=', id)
          .where('mode', '=', 'live')
          .execute();
      await expect(spend(1)).rejects.toThrow('is not the sum of its ledger');
      await expect(spend(6)).rejects.toThrow('balances_not_negative');
      await expect(spend(-1)).rejects.toThrow('balances_spent');
      // The ledger accepts both changes together, in either order, and several entries in one statement.
      await db.transaction().execute(async (trx) => {
        const usage = [entry(id, -1), entry(id, -2)];
        await trx.insertInto('ledger_entries').values(usage).execute();
        await trx
          .updateTable('balances')
          .set({ paid_credits: 2 })
          .where('account_id', '=', id)
          .where('mode', '=', 'live')
          .execute();
      });
      expect(await runSql(url, "select ledger_sum::int from balances where mode = 'live'")).toEqual(
        [{ ledger_sum: 2 }],
      );
    });
  });

  it('finds causes, free uses and entries of an account by an index', async () => {
    const { id } = await createAccount(db, 'Ada');
    await sql`insert into ledger_entries
      select n::text, ${id}, 'live', 'usage', 0, 1, 'request:' || n, 'predict', 'key_1', 1, 1, 0
      from generate_series(1, 5000) as n`.execute(db);
    await sql`analyze ledger_entries`.execute(db);
    const own = `account_id = 'acc_other' and mode = 'live'`;
    for (const query of [
      `select cause from ledger_entries where cause = any('{a,b}')`,
      `select at_ms from free_uses where ${own} order by at_ms desc limit 10`,
      `select * from ledger_entries where ${own} and id > '0' order by id limit 1000`,
    ]) {
      const plan = JSON.stringify(await runSql(url, `explain ${query}`));
      expect(plan).toContain('ledger_entries_');
      expect(plan).not.toMatch(/Seq Scan on ledger_entries/);
    }
  });

  it('records for Redis which keys ended and whose credits changed, and notifies', async () => {
    let notices = 0;
    const listener = listen(url, 'vitruvia_outbox', () => notices++);
    await expect.poll(() => notices).toBe(1);
    const { id, partition } = await createAccount(db, 'owner');
    const key = await createKey(db, id, 'live');
    const { hash } = await db.selectFrom('api_keys').select('hash').executeTakeFirstOrThrow();
    expect(await outbox(db)).toEqual([]);
    await grantCredits(db, id, 'test', 5);
    await revokeKey(db, key.id);
    await revokeKey(db, key.id);
    const shared = { account_id: id, partition, applied_at_ms: null };
    const credits = { ...shared, kind: 'credits', mode: 'test', key_hash: null };
    const revoked = { ...shared, kind: 'key', mode: 'live', key_hash: hash };
    expect(await outbox(db)).toEqual([credits, revoked]);
    await db.deleteFrom('api_keys').execute();
    expect(await outbox(db)).toEqual([credits, revoked, revoked]);
    await expect.poll(() => notices).toBe(4);
    // After a reconnect, the listener calls back, because it may have missed notifications.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query like 'listen%' and datname = current_database()`.execute(db);
    await expect.poll(() => notices).toBe(5);
    await listener.close();
  });
});

async function outbox(db: Database): Promise<object[]> {
  return await db
    .selectFrom('redis_outbox')
    .select(['kind', 'account_id', 'mode', 'key_hash', 'partition', 'applied_at_ms'])
    .orderBy('id')
    .execute();
}
