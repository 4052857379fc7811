import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';

/** Opens a database until the test ends. */
export async function openForTest(url: string): Promise<Database> {
  const db = await openDatabase(url);
  onTestFinished(() => db.destroy());
  return db;
}
