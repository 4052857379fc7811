import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { createKey } from '../../src/accounts/keys.js';
import type { Mode } from '../../src/core/billing-terms.js';
import { openDatabase } from '../../src/database/open.js';

/** Creates an account with a key, and with credits if some are given. Nobody else may have the database open. */
export async function newAccount(databaseUrl: string, mode: Mode, credits = 0) {
  const db = await openDatabase(databaseUrl);
  const { id, partition } = await createAccount(db, 'one');
  if (credits > 0) await grantCredits(db, id, mode, credits);
  const { apiKey } = await createKey(db, id, mode);
  await db.destroy();
  return { id, partition, apiKey };
}
