import type { Kysely, Migration } from 'kysely';
import { isPostgres, runAll } from '../dialect.js';
import { ACCOUNT_TABLES } from './account-tables.js';
import { createLedger } from './ledger-tables.js';
import { REDIS_TABLES } from './redis-tables.js';

/** The tables of 2026-11-26. Numbers up to 12 were of migrations that are no longer in the program. */
export const baseline: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await runAll(db, ACCOUNT_TABLES);
    await createLedger(db);
    if (isPostgres(db)) await runAll(db, REDIS_TABLES);
  },
};
