import { forgetDeleted } from '../database/forget-deleted.js';
import type { Database } from '../database/schema.js';
import { forgetClosedAccounts } from './closed-accounts.js';
import { closeUnconfirmed } from './confirmation.js';
import { forgetNetworks } from './known-networks.js';
import { forgetUsedForms } from './one-time-forms.js';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from './sessions.js';

/**
 * Deletes expired sessions, known networks, links, counts of attempts, uses of forms and hashes of addresses, and
 * the accounts whose address was not confirmed in time. Then nothing of them is left in the files of
 * SQLite.
 */
export async function expireUserData(db: Database, nowMs: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('seen_at_ms', '<=', nowMs - SESSION_IDLE_MS),
        eb('created_at_ms', '<=', nowMs - SESSION_MAX_MS),
      ]),
    )
    .execute();
  await db.deleteFrom('email_tokens').where('expires_at_ms', '<=', nowMs).execute();
  await db.deleteFrom('sign_ups').where('expires_at_ms', '<=', nowMs).execute();
  await db.deleteFrom('attempts').where('ends_at_ms', '<=', nowMs).execute();
  await forgetNetworks(db, nowMs);
  await forgetUsedForms(db, nowMs);
  await forgetClosedAccounts(db, nowMs);
  await closeUnconfirmed(db, nowMs);
  await forgetDeleted(db);
}
