import type { Database } from '../database/schema.js';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from './sessions.js';

/** Deletes what has run out: sessions, links, sign-ups, counts of attempts. */
export async function expirePeopleData(db: Database, nowMs: number): Promise<void> {
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
}
