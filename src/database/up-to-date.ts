import { MIGRATION_NAMES } from './migration-names.js';
import type { SqliteConnection } from './sqlite.js';

/**
 * Whether exactly the migrations of this program have been applied. Asked without Kysely, so that
 * the start of a service on a database in order, the usual one, need not load it (0.1 s).
 */
export function isUpToDate(connection: SqliteConnection): boolean {
  try {
    const rows = connection.prepareRaw('select name from kysely_migration order by name').all();
    return JSON.stringify(rows.flat()) === JSON.stringify(MIGRATION_NAMES);
  } catch {
    // No such table, or none that can be read: opening it properly will tell.
    return false;
  }
}
