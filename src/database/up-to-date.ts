import type { SqliteConnection } from './sqlite.js';

/**
 * Names of all migrations. They sort in the order of application and never change. They are
 * separate from the migrations because those load Kysely: see `isUpToDate`.
 */
export const MIGRATION_NAMES = ['0013-baseline', '0014-known-networks'] as const;

/**
 * Whether exactly the migrations of this program have been applied. It works without Kysely, so
 * that a service need not load Kysely (0.1 s) to start on a database that is up to date.
 */
export function isUpToDate(connection: SqliteConnection): boolean {
  try {
    const rows = connection.prepareRaw('select name from kysely_migration order by name').all();
    return JSON.stringify(rows.flat()) === JSON.stringify(MIGRATION_NAMES);
  } catch {
    // The table is missing or unreadable. `openDatabase` migrates it or reports the error.
    return false;
  }
}
