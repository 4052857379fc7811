import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { programThread } from '../core/program-thread.js';
import { isPostgres } from './dialect.js';
import type { Database } from './schema.js';

/**
 * Empties the log of SQLite, in which deleted rows stay readable. A thread does it, because it waits
 * for the disk and for others who use the log. If a long read such as a backup keeps the log, the
 * next call empties it. PostgreSQL cleans its files itself. Never rejects: what was deleted stays deleted.
 */
export async function forgetDeleted(db: Database): Promise<void> {
  if (isPostgres(db)) return;
  const { rows } = await sql<{ file: string }>`
    select file from pragma_database_list where name = 'main'`.execute(db);
  const { file, options } = programThread('./forget-thread', import.meta.url);
  await once(new Worker(file, { ...options, workerData: rows[0]?.file }), 'exit').catch(() => []);
}
