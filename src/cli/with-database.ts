import { readConfig } from '../config.js';
import { asStoreError, openDatabase } from '../database/open.js';
import type { Pace } from '../database/postgres.js';
import type { Database } from '../database/schema.js';

/**
 * Opens the configured database for one command. The service may run at the same time: commands use short transactions,
 * and the service sees their changes within a second.
 *
 * @param pace `bulk` for work on the whole ledger
 */
export async function withDatabase<Result>(
  use: (db: Database) => Promise<Result>,
  pace: Pace = 'service',
): Promise<Result> {
  const { databaseUrl } = readConfig(process.env);
  const db = await openDatabase(databaseUrl, pace);
  try {
    return await use(db);
  } catch (error) {
    throw await asStoreError(databaseUrl, error);
  } finally {
    await db.destroy();
  }
}
