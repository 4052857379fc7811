import { type Kysely, sql } from 'kysely';
import { isPostgres, runAll } from '../dialect.js';
import { DatabaseOpenError } from '../errors.js';
import { createEntries, guardEntries, viewFreeUses } from './ledger-entries.js';

/** The last migration before the baseline. */
export const LAST_BEFORE_BASELINE = '0012-free-use-dates';

/**
 * Turns a database at the last migration before the baseline into one of the baseline. On PostgreSQL
 * it copies the ledger out of its partitions, archived ones included, into one table.
 *
 * @throws DatabaseOpenError `outdated` when the entries of an archived partition are not in the database
 */
export async function carryOver(db: Kysely<unknown>): Promise<void> {
  await sql`drop view free_uses`.execute(db);
  if (isPostgres(db)) await joinPartitions(db);
  await viewFreeUses(db);
  await sql`delete from kysely_migration`.execute(db);
  const now = new Date().toISOString();
  await sql`insert into kysely_migration values ('0013-baseline', ${now})`.execute(db);
}

async function joinPartitions(db: Kysely<unknown>): Promise<void> {
  const { rows: archived } = await sql<{ name: string; file: string; entries: number }>`
    select name, file, entries from ledger_archives
    where not exists (select from pg_inherits where inhrelid = to_regclass(name))`.execute(db);
  await sql`alter table ledger_entries rename to old_entries`.execute(db);
  await createEntries(db);
  await moveEntries(db, 'old_entries');
  for (const { name, file, entries } of archived) {
    const { rows } = await sql`select from pg_tables where tablename = ${name}`.execute(db);
    if (rows.length > 0 && (await moveEntries(db, name)) === Number(entries)) continue;
    const message = `The ledger lacks the archived entries of ${file}: load them into a table ${name}.`;
    throw new DatabaseOpenError('outdated', message);
  }
  await runAll(db, [
    'drop table ledger_credits, ledger_archived_sums, ledger_archives',
    'drop function ledger_add_partition, ledger_guard_partition, ledger_entries_add_up',
    `drop function ledger_entries_refuse_changes, ledger_credits_refuse_changes,
      ledger_archives_refuse_changes, ledger_archived_sums_refuse_changes`,
  ]);
  await guardEntries(db);
  await sql`analyze ledger_entries`.execute(db);
}

async function moveEntries(db: Kysely<unknown>, from: string): Promise<number> {
  const table = sql.table(from);
  const moved = await sql`insert into ledger_entries select * from ${table}`.execute(db);
  await sql`drop table ${table}`.execute(db);
  return Number(moved.numAffectedRows);
}
