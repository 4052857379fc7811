import { Migrator, sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { isPostgres } from '../../src/database/dialect.js';
import { MIGRATIONS, migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { DIALECTS } from '../support/dialects.js';

/** The last minute of a year and the first minute of the next. */
const BEFORE_MIDNIGHT_MS = Date.UTC(2026, 11, 31, 23, 59, 59, 999);

describe.each(DIALECTS)('many nodes on $name', ({ newUrl }) => {
  let db: Database;
  afterEach(async () => {
    await db.destroy();
  });

  it('migrates a ledger of the first version', async () => {
    db = await openDatabase(await newUrl());
    await emptySchema(db);
    await migrateTo(db, '0001-accounts-and-ledger');
    await fill(db);
    expect(await migrate(db)).toEqual(Object.keys(MIGRATIONS).slice(1));
    expect(await verifyLedger(db)).toEqual([]);
    const balances = db.selectFrom('balances').select(['paid_credits', 'credited']);
    expect(await balances.select('credit_version').orderBy('mode').execute()).toEqual([
      { paid_credits: 7, credited: 10, credit_version: 2 },
      { paid_credits: 0, credited: 0, credit_version: 0 },
    ]);
    const days = await db.selectFrom('usage_days').selectAll().orderBy('day').execute();
    const shared = { account_id: 'acc_1', mode: 'live', key_id: 'key_1', operation: 'predict' };
    expect(days).toEqual([
      {
        ...{ ...shared, day: '2026-12-31', calls: 2, credits: 3, free_calls: 0 },
        last_at_ms: BEFORE_MIDNIGHT_MS,
      },
      {
        ...{ ...shared, day: '2027-01-01', calls: 1, credits: 0, free_calls: 4 },
        last_at_ms: BEFORE_MIDNIGHT_MS + 1,
      },
    ]);
  });

  it('verifies every figure against the ledger', async () => {
    db = await openDatabase(await newUrl());
    const { id } = await createAccount(db, 'Ada');
    await grantCredits(db, id, 'live', 10);
    const live = db.updateTable('balances').where('mode', '=', 'live');
    const usage = { calls: 1, credits: 2, free_calls: 0, last_at_ms: 3 };
    const row = { mode: 'test' as const, day: '2026-01-01', key_id: 'key_1', operation: 'predict' };
    await db
      .insertInto(isPostgres(db) ? 'usage_days' : 'usage_days_booked')
      .values({ account_id: id, ...row, ...usage })
      .execute();
    await live.set({ credited: 11, credit_version: 3 }).execute();
    if (!isPostgres(db)) await live.set({ paid_credits: 9 }).execute();
    const found = (await verifyLedger(db)).map(
      ({ mode, figure, stored, ledger }) => `${mode} ${figure}: ${stored}, not ${ledger}`,
    );
    expect(found).toEqual([
      // PostgreSQL refuses such a balance itself.
      ...(isPostgres(db) ? [] : ['live paid_credits: 9, not 10']),
      'live credited: 11, not 10',
      'live credit_version: 3, not 1',
      'test calls 2026-01-01 key_1 predict: 1, not null',
      'test credits 2026-01-01 key_1 predict: 2, not null',
      'test free_calls 2026-01-01 key_1 predict: 0, not null',
      'test last_at_ms 2026-01-01 key_1 predict: 3, not null',
    ]);
  });
});

async function emptySchema(db: Database): Promise<void> {
  if (isPostgres(db)) {
    await sql`drop schema public cascade`.execute(db);
    await sql`create schema public`.execute(db);
    return;
  }
  await db.connection().execute(async (connection) => {
    await sql`pragma foreign_keys = off`.execute(connection);
    const tables = await connection.introspection.getTables({ withInternalKyselyTables: true });
    for (const { name, isView } of tables) {
      const drop = isView ? connection.schema.dropView(name) : connection.schema.dropTable(name);
      await drop.execute();
    }
    await sql`pragma foreign_keys = on`.execute(connection);
  });
}

async function migrateTo(db: Database, name: string): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) };
  const { error } = await new Migrator({ db, provider }).migrateTo(name);
  if (error !== undefined) throw error;
}

/** Books an entry as the first version of the program did. */
async function fill(db: Database): Promise<void> {
  const at = BEFORE_MIDNIGHT_MS;
  await sql`insert into accounts values ('acc_1', 'Ada', 7, 1)`.execute(db);
  await sql`insert into balances (account_id, mode, paid_credits)
    values ('acc_1', 'live', 7), ('acc_1', 'test', 0)`.execute(db);
  await sql`insert into ledger_entries values
    ('e1', 'acc_1', 'live', 'grant', 6, 0, 'grant:1', null, null, 0, 1, 6),
    ('e2', 'acc_1', 'live', 'purchase', 4, 0, 'purchase:1', null, null, 0, 2, 10),
    ('e3', 'acc_1', 'live', 'usage', -1, 0, 'request:1', 'predict', 'key_1', 1, ${at - 9}, 9),
    ('e4', 'acc_1', 'live', 'usage', -2, 0, 'request:2', 'predict', 'key_1', 1, ${at}, 7),
    ('e5', 'acc_1', 'live', 'usage', 0, 4, 'request:3', 'predict', 'key_1', 1, ${at + 1}, 7)
  `.execute(db);
}
