import type { Selectable, Transaction } from 'kysely';
import type { EmailTokenPurpose, EmailTokensTable } from '../database/people-tables.js';
import type { Database, Schema } from '../database/schema.js';
import { PersonError } from './person-error.js';
import { hashToken, isToken, newToken } from './secret-token.js';

const HOUR_MS = 3600 * 1000;
/** How long the links in our e-mails can be used. */
export const SIGN_UP_LINK_MS = 24 * HOUR_MS;
export const RESET_LINK_MS = HOUR_MS;
export const EMAIL_LINK_MS = 24 * HOUR_MS;

/** What a link is for, and whom. */
export interface EmailTokenSubject {
  readonly personId: string;
  readonly purpose: EmailTokenPurpose;
  readonly newEmail?: string;
}

/**
 * Makes a link's token; earlier ones of the same purpose no longer work.
 *
 * @returns the token, stored only as its hash
 */
export async function issueEmailToken(
  db: Database,
  { personId, purpose, newEmail }: EmailTokenSubject,
  nowMs: number,
): Promise<string> {
  const token = newToken();
  const lifeMs = purpose === 'reset' ? RESET_LINK_MS : EMAIL_LINK_MS;
  const row = {
    token_hash: hashToken(token),
    person_id: personId,
    purpose,
    new_email: newEmail ?? null,
    expires_at_ms: nowMs + lifeMs,
  };
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('email_tokens')
      .where('person_id', '=', personId)
      .where('purpose', '=', purpose)
      .execute();
    await trx.insertInto('email_tokens').values(row).execute();
  });
  return token;
}

/**
 * Uses a link's token up.
 *
 * @param personId whose it must be, where that is known
 * @throws PersonError `invalid_link`; a token that is another person's stays good
 */
export async function takeEmailToken(
  trx: Transaction<Schema>,
  wanted: { token: string; purpose: EmailTokenPurpose; personId?: string },
  nowMs: number,
): Promise<Selectable<EmailTokensTable>> {
  if (!isToken(wanted.token)) throw invalidLink();
  let taking = trx
    .deleteFrom('email_tokens')
    .where('token_hash', '=', hashToken(wanted.token))
    .where('purpose', '=', wanted.purpose)
    .where('expires_at_ms', '>', nowMs);
  if (wanted.personId !== undefined) taking = taking.where('person_id', '=', wanted.personId);
  const taken = await taking.returningAll().executeTakeFirst();
  if (taken === undefined) throw invalidLink();
  return taken;
}

/** The refusal of a link; says nothing of why. */
export function invalidLink(): PersonError {
  const message = 'This link is not valid any more: it was used, is too old, or is incomplete.';
  return new PersonError('invalid_link', message);
}
