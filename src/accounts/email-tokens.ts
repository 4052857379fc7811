import type { Selectable, Transaction } from 'kysely';
import { HOUR_MS } from '../core/time.js';
import type { EmailTokenPurpose, EmailTokensTable } from '../database/people-tables.js';
import type { Database, Schema } from '../database/schema.js';
import { UserError } from './errors.js';
import { hashToken, isToken, newToken } from './secret-token.js';

/** How long the links in e-mails are valid. */
export const SIGN_UP_LINK_MS = 24 * HOUR_MS;
export const RESET_LINK_MS = HOUR_MS;
export const EMAIL_LINK_MS = 24 * HOUR_MS;

/** The user and the purpose of a link. */
export interface EmailTokenSubject {
  readonly userId: string;
  readonly purpose: EmailTokenPurpose;
  readonly newEmail?: string;
}

/**
 * Creates the token of a link. Earlier tokens of the user for the same purpose stop working.
 *
 * @returns the token; only its hash is stored
 */
export async function issueEmailToken(
  db: Database,
  { userId, purpose, newEmail }: EmailTokenSubject,
  nowMs: number,
): Promise<string> {
  const token = newToken();
  const lifeMs = purpose === 'reset' ? RESET_LINK_MS : EMAIL_LINK_MS;
  const row = {
    token_hash: hashToken(token),
    person_id: userId,
    purpose,
    new_email: newEmail ?? null,
    expires_at_ms: nowMs + lifeMs,
  };
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('email_tokens')
      .where('person_id', '=', userId)
      .where('purpose', '=', purpose)
      .execute();
    await trx.insertInto('email_tokens').values(row).execute();
  });
  return token;
}

/**
 * Uses the token of a link. The token does not work again.
 *
 * @param wanted.userId the user to whom the token must belong, if that user is known
 * @throws UserError `invalid_link`; the token of another user remains valid
 */
export async function takeEmailToken(
  trx: Transaction<Schema>,
  wanted: { token: string; purpose: EmailTokenPurpose; userId?: string },
  nowMs: number,
): Promise<Selectable<EmailTokensTable>> {
  if (!isToken(wanted.token)) throw invalidLink();
  let taking = trx
    .deleteFrom('email_tokens')
    .where('token_hash', '=', hashToken(wanted.token))
    .where('purpose', '=', wanted.purpose)
    .where('expires_at_ms', '>', nowMs);
  if (wanted.userId !== undefined) taking = taking.where('person_id', '=', wanted.userId);
  const taken = await taking.returningAll().executeTakeFirst();
  if (taken === undefined) throw invalidLink();
  return taken;
}

/** The refusal of a link. Its text does not say which of the reasons applies. */
export function invalidLink(): UserError {
  const message =
    'The link was already used, has expired or is incomplete. Please request a new one.';
  return new UserError('invalid_link', message);
}
