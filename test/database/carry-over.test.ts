import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grantCredits } from '../../src/accounts/credits.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { openSqlite, sqlitePath } from '../../src/database/sqlite.js';
import { isPostgresUrl } from '../../src/database/url.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { DIALECTS } from '../support/dialects.js';
import { runSql } from '../support/servers.js';

/**
 * Dumps (`pg_dump --inserts`, `.dump` of sqlite3) of databases that the program of commit 35e310f4 made. Ada was
 * granted 100 credits, bought 50 and spent some. Bob owes credits and used free calls; one of these has a later date.
 * On PostgreSQL, the first partition of the ledger is archived.
 */
const DUMPS = new URL('before-baseline/', import.meta.url);

const BOOKS = [
  `select account_id, mode, paid_credits, credited, credit_version, debt_credits, debt_version
    from balances order by account_id, mode`,
  'select account_id, mode, at_ms, free_calls from free_uses order by at_ms',
  `select account_id, mode, day, key_id, operation, calls, credits, free_calls, last_at_ms
    from usage_days order by account_id, day`,
];
const COLUMNS = `id, account_id, mode, kind, credits, free_calls, cause, operation, key_id, rate_hits,
  at_ms, balance_after`;
const ARCHIVED = `union all select ${COLUMNS} from ledger_entries_first`;

// cspell:ignore conrelid conname constraintdef connamespace regnamespace indexdef triggerdef tgisinternal
// cspell:ignore regprocedure prosrc pronamespace viewname

/** Everything that the program creates in a PostgreSQL database, one row for each thing. */
const POSTGRES_SCHEMA = `
  select concat_ws(' ', table_name, ordinal_position, column_name, data_type, collation_name,
      is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public'
  union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select concat_ws(' ', oid::regprocedure, regexp_replace(prosrc, '\\s+', ' ', 'g'))
    from pg_proc where pronamespace = 'public'::regnamespace
  union all select concat_ws(' ', viewname, definition) from pg_views where schemaname = 'public'
  order by line`;
const SQLITE_SCHEMA = 'select sql from sqlite_master where sql is not null';

describe.each(DIALECTS)('a database from before the baseline on $name', ({ name, newEmptyUrl }) => {
  const onPostgres = name === 'PostgreSQL';
  let url: string;
  const opened: Database[] = [];
  const open = async (at: string): Promise<Database> => {
    const db = await openDatabase(at);
    opened.push(db);
    return db;
  };
  beforeEach(async () => {
    url = await newEmptyUrl();
    const dump = gunzipSync(readFileSync(new URL(`${name}.sql.gz`, DUMPS))).toString();
    if (onPostgres) await runSql(url, dump);
    else onFile(url, (file) => file.exec(dump));
  });
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.destroy();
  });

  it('keeps its balances, free uses and entries, and gets the schema of a new one', async () => {
    const entries = (more: string) =>
      rows(url, `select ${COLUMNS} from ledger_entries ${more} order by cause`);
    const books = () => Promise.all(BOOKS.map((query) => rows(url, query)));
    const before = [await books(), await entries(onPostgres ? ARCHIVED : '')];
    const db = await open(url);
    expect([await books(), await entries('')]).toEqual(before);
    expect(await verifyLedger(db)).toEqual([]);
    const again = { cause: 'welcome' };
    expect(await grantCredits(db, 'Ada', 'live', 100, again)).toMatchObject({ applied: false });

    const fresh = await newEmptyUrl();
    await open(fresh);
    expect(await schemaOf(url)).toEqual(await schemaOf(fresh));
    await open(url);
  });

  it('is refused if the last migration before it is missing', async () => {
    const last = "delete from kysely_migration where name > '0011'";
    if (onPostgres) await runSql(url, last);
    else onFile(url, (file) => file.exec(last));
    const refused = { reason: 'outdated', message: expect.stringContaining('35e310f4') };
    await expect(open(url)).rejects.toMatchObject(refused);
  });

  if (!onPostgres) return;

  it('is refused unchanged while an archived entry is not in it', async () => {
    const refused = { reason: 'outdated', message: expect.stringContaining('first.csv.gz') };
    await runSql(url, 'create table aside as table ledger_entries_first');
    await runSql(url, 'drop table ledger_entries_first');
    await expect(open(url)).rejects.toMatchObject(refused);
    await runSql(url, 'create table ledger_entries_first as select * from aside limit 5');
    await expect(open(url)).rejects.toMatchObject(refused);
    await runSql(url, 'insert into ledger_entries_first select * from aside offset 5');
    expect(await verifyLedger(await open(url))).toEqual([]);
  });
});

function onFile<Result>(url: string, use: (file: ReturnType<typeof openSqlite>) => Result): Result {
  const file = openSqlite(sqlitePath(url));
  try {
    return use(file);
  } finally {
    file.close();
  }
}

/** Rows of a query, each a list of texts. */
async function rows(url: string, query: string): Promise<string[][]> {
  const lists = isPostgresUrl(url)
    ? (await runSql(url, query)).map((row) => Object.values(row))
    : onFile(url, (file) => file.prepareRaw(query).all() as unknown[][]);
  return lists.map((list) => list.map(String));
}

async function schemaOf(url: string): Promise<string[]> {
  const lines = (await rows(url, isPostgresUrl(url) ? POSTGRES_SCHEMA : SQLITE_SCHEMA)).flat();
  // Equal statements may differ in quotes and line ends.
  return lines.map((line) => line.replaceAll(/["\s]/g, '').toLowerCase()).sort();
}
