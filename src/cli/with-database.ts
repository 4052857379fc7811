import { readConfig } from '../config.js';
import { openDatabase } from '../database/open.js';
import type { Database } from '../database/schema.js';

/**
 * Opens the configured database for the time of one command. A server may run beside it: the
 * transactions of commands are short, and the server sees them within a second.
 */
export async function withDatabase<Result>(
  use: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase(readConfig(process.env).databaseUrl);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}
