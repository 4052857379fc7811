import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely';
import { isPostgres } from './dialect.js';
import { DatabaseOpenError } from './errors.js';
import { baseline } from './migrations/0013-baseline.js';
import { knownNetworks } from './migrations/0014-known-networks.js';
import { carryOver, LAST_BEFORE_BASELINE } from './migrations/carry-over.js';
import type { MIGRATION_NAMES } from './up-to-date.js';

/** Every migration by name; `carryOver` replaces those before the baseline. */
export const MIGRATIONS = {
  '0013-baseline': baseline,
  '0014-known-networks': knownNetworks,
} as const satisfies Record<(typeof MIGRATION_NAMES)[number], Migration>;

const provider: MigrationProvider = {
  getMigrations: () => Promise.resolve({ ...MIGRATIONS }),
};

/** Advisory lock of PostgreSQL for migrations; an arbitrary number that nothing else uses. */
const MIGRATION_LOCK = 7_184_120_236;

/**
 * Brings the schema up to date, with all migrations in one transaction. It holds the write lock of
 * SQLite or an advisory lock of PostgreSQL, so processes that start together wait for each other.
 *
 * @returns names of the migrations this call applied
 * @throws DatabaseOpenError `newer` or `outdated` when another version of the program has migrated the
 *   database, and this one cannot carry it over
 */
export async function migrate<T>(db: Kysely<T>): Promise<readonly string[]> {
  return await db.connection().execute(async (connection) => {
    await beginAlone(connection);
    try {
      const applied = await appliedNames(connection);
      if (applied.includes(LAST_BEFORE_BASELINE)) await carryOver(connection as Kysely<unknown>);
      const { error, results } = await new Migrator({
        db: connection,
        provider,
        disableTransactions: true,
      }).migrateToLatest();
      if (error !== undefined) throw error;
      await sql`commit`.execute(connection);
      return (results ?? []).map((result) => result.migrationName);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

async function beginAlone<T>(connection: Kysely<T>): Promise<void> {
  if (!isPostgres(connection)) {
    await sql`begin immediate`.execute(connection);
    return;
  }
  await sql`begin`.execute(connection);
  // Waiting for another process and filling new columns may take longer than an ordinary statement.
  await sql`set local statement_timeout = 0`.execute(connection);
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
}

/** True when no migration is left to apply, so that a start need not wait for the write lock. */
export async function isMigrated<T>(db: Kysely<T>): Promise<boolean> {
  const applied = await appliedNames(db);
  return Object.keys(MIGRATIONS).every((name) => applied.includes(name));
}

async function appliedNames<T>(db: Kysely<T>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = rows.map((row) => row.name);
  const unknown = applied.filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length === 0 || applied.includes(LAST_BEFORE_BASELINE)) return applied;
  const names = `(${unknown.join(', ')})`;
  if (unknown.every((name) => name < LAST_BEFORE_BASELINE)) {
    const message = `The database is that of an older version ${names}: the version of commit 35e310f4 must open it first.`;
    throw new DatabaseOpenError('outdated', message);
  }
  const message = `The database was written by a newer version of this program ${names}.`;
  throw new DatabaseOpenError('newer', message);
}
