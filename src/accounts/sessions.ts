import type { Transaction } from 'kysely';
import { networkOf } from '../core/network.js';
import { DAY_MS } from '../core/time.js';
import { newId } from '../database/ids.js';
import type { Database, Schema } from '../database/schema.js';
import { noteNetwork } from './known-networks.js';
import { csrfTokenOf, hashToken, isToken, newToken } from './secret-token.js';

/** A session ends after this time without use. */
export const SESSION_IDLE_MS = 7 * DAY_MS;
/** A session ends this long after sign-in, even if it is in use. */
export const SESSION_MAX_MS = 30 * DAY_MS;
/** An account is deleted after this time if the address of its owner is not confirmed. */
export const UNCONFIRMED_LIFE_MS = 7 * DAY_MS;
/** The time of last use is stored at most this often, so that most pages write nothing. */
const SEEN_STEP_MS = 10 * 60 * 1000;
const USER_AGENT_CHARS = 200;
/** Maximum number of sessions of a user; a further sign-in ends the oldest session. */
const SESSIONS_MAX = 50;

/** The user of a session. */
export interface SignedInUser {
  readonly userId: string;
  readonly accountId: string;
  /** Name of the account. */
  readonly name: string;
  readonly email: string;
  /** When the account is deleted if its address is still unconfirmed; null for a confirmed address. */
  readonly confirmByMs: number | null;
  readonly sessionId: string;
  /** The CSRF token of the forms of this session. */
  readonly csrfToken: string;
}

/** A session in the user's list. */
export interface SessionRecord {
  readonly id: string;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  /** The browser's `User-Agent` at sign-in; untrusted text. */
  readonly userAgent: string;
}

/**
 * Starts a session, within the transaction that checked the password. The network is known from now on.
 *
 * @returns the token for the cookie; only its hash is stored
 */
export async function startSession(
  trx: Transaction<Schema>,
  userId: string,
  { address, userAgent }: { readonly address: string; readonly userAgent: string },
  nowMs: number,
): Promise<string> {
  const token = newToken();
  await trx
    .insertInto('sessions')
    .values({
      id: newId('ses'),
      token_hash: hashToken(token),
      person_id: userId,
      created_at_ms: nowMs,
      seen_at_ms: nowMs,
      user_agent: userAgent.slice(0, USER_AGENT_CHARS),
    })
    .execute();
  const surplus = trx
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', userId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id')
    .limit(1000)
    .offset(SESSIONS_MAX);
  await trx.deleteFrom('sessions').where('id', 'in', surplus).execute();
  await noteNetwork(trx, userId, networkOf(address), nowMs);
  return token;
}

/** The user of a session token; undefined if the token is unknown, expired or malformed. */
export async function findSignedInUser(
  db: Database,
  token: string,
  nowMs: number,
): Promise<SignedInUser | undefined> {
  if (!isToken(token)) return undefined;
  const row = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .innerJoin('accounts', 'accounts.id', 'people.account_id')
    .select(['sessions.id as session_id', 'sessions.seen_at_ms', 'sessions.person_id'])
    .select(['people.account_id', 'people.email', 'accounts.name'])
    .select(['accounts.created_at_ms as account_created_at_ms', 'accounts.confirmed_at_ms'])
    .where('sessions.token_hash', '=', hashToken(token))
    .where('sessions.seen_at_ms', '>', nowMs - SESSION_IDLE_MS)
    .where('sessions.created_at_ms', '>', nowMs - SESSION_MAX_MS)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.seen_at_ms < nowMs - SEEN_STEP_MS) {
    await db
      .updateTable('sessions')
      .set({ seen_at_ms: nowMs })
      .where('id', '=', row.session_id)
      .execute();
  }
  return {
    userId: row.person_id,
    accountId: row.account_id,
    name: row.name,
    email: row.email,
    confirmByMs:
      row.confirmed_at_ms === null ? row.account_created_at_ms + UNCONFIRMED_LIFE_MS : null,
    sessionId: row.session_id,
    csrfToken: csrfTokenOf(token),
  };
}

/** The active sessions of a user, the last used first. */
export async function listSessions(
  db: Database,
  userId: string,
  nowMs: number,
): Promise<readonly SessionRecord[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'created_at_ms', 'seen_at_ms', 'user_agent'])
    .where('person_id', '=', userId)
    .where('seen_at_ms', '>', nowMs - SESSION_IDLE_MS)
    .where('created_at_ms', '>', nowMs - SESSION_MAX_MS)
    .orderBy('seen_at_ms', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAtMs: row.created_at_ms,
    seenAtMs: row.seen_at_ms,
    userAgent: row.user_agent,
  }));
}

/** Ends the session of a token. */
export async function endSessionOf(
  db: Database | Transaction<Schema>,
  token: string,
): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
}

/** Ends a session if it belongs to that user. */
export async function endSession(db: Database, userId: string, sessionId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('person_id', '=', userId)
    .execute();
}

/** Ends all sessions of a user, optionally except one. */
export async function endSessions(
  db: Database | Transaction<Schema>,
  userId: string,
  exceptSessionId?: string,
): Promise<void> {
  let ending = db.deleteFrom('sessions').where('person_id', '=', userId);
  if (exceptSessionId !== undefined) ending = ending.where('id', '<>', exceptSessionId);
  await ending.execute();
}
