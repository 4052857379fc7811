import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely';
import { isPostgres } from './dialect.js';
import { DatabaseOpenError } from './errors.js';
import { accountsAndLedger } from './migrations/0001-accounts-and-ledger.js';
import { manyNodes } from './migrations/0002-many-nodes.js';
import { people } from './migrations/0003-people.js';
import { payments } from './migrations/0004-payments.js';
import { keyEnds } from './migrations/0005-key-ends.js';
import { ledgerOrder } from './migrations/0006-ledger-order.js';
import { debts } from './migrations/0007-debts.js';
import { ledgerPartitions } from './migrations/0008-ledger-partitions.js';
import { oneTimeForms } from './migrations/0009-one-time-forms.js';
import { deploymentSecrets } from './migrations/0010-deployment-secrets.js';
import { savedPopulations } from './migrations/0011-saved-populations.js';
import { freeUseDates } from './migrations/0012-free-use-dates.js';
import type { MIGRATION_NAMES } from './up-to-date.js';

/** Every migration by name. */
export const MIGRATIONS = {
  '0001-accounts-and-ledger': accountsAndLedger,
  '0002-many-nodes': manyNodes,
  '0003-people': people,
  '0004-payments': payments,
  '0005-key-ends': keyEnds,
  '0006-ledger-order': ledgerOrder,
  '0007-debts': debts,
  '0008-ledger-partitions': ledgerPartitions,
  '0009-one-time-forms': oneTimeForms,
  '0010-deployment-secrets': deploymentSecrets,
  '0011-saved-populations': savedPopulations,
  '0012-free-use-dates': freeUseDates,
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
 * @throws DatabaseOpenError `newer` when a newer version of the program has migrated the database
 */
export async function migrate<T>(db: Kysely<T>): Promise<readonly string[]> {
  return await db.connection().execute(async (connection) => {
    await beginAlone(connection);
    try {
      await refuseNewer(connection);
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
  const applied = await refuseNewer(db);
  return Object.keys(MIGRATIONS).every((name) => applied.includes(name));
}

async function refuseNewer<T>(db: Kysely<T>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = rows.map((row) => row.name);
  const unknown = applied.filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length > 0) {
    throw new DatabaseOpenError(
      'newer',
      `The database was written by a newer version of this program (${unknown.join(', ')}).`,
    );
  }
  return applied;
}
