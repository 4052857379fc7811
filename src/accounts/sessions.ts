import type { Transaction } from 'kysely';
import { newId } from '../database/ids.js';
import type { Database, Schema } from '../database/schema.js';
import { csrfTokenOf, hashToken, isToken, newToken } from './secret-token.js';

const DAY_MS = 24 * 3600 * 1000;
/** A session unused for so long has ended. */
export const SESSION_IDLE_MS = 7 * DAY_MS;
/** A session has ended so long after sign-in, however much it was used. */
export const SESSION_MAX_MS = 30 * DAY_MS;
/** Use is noted no more often than this, so that most pages write nothing. */
const SEEN_STEP_MS = 10 * 60 * 1000;
const USER_AGENT_CHARS = 200;
/** Oldest sessions end when somebody signs in from more browsers than this. */
const SESSIONS_MAX = 50;

/** Who is signed in, and how. Only people whose address is proven have sessions. */
export interface Visitor {
  readonly personId: string;
  readonly accountId: string;
  /** Name of the account. */
  readonly name: string;
  readonly email: string;
  readonly sessionId: string;
  /** What every form of this session carries. */
  readonly csrfToken: string;
}

/** A session as its owner sees it in a list. */
export interface SessionRecord {
  readonly id: string;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  /** What the browser called itself at sign-in; any text. */
  readonly userAgent: string;
}

/**
 * Starts a session, within the transaction that found its owner's password right.
 *
 * @returns the token for the cookie, never to be had again
 */
export async function startSession(
  trx: Transaction<Schema>,
  personId: string,
  userAgent: string,
  nowMs: number,
): Promise<string> {
  const token = newToken();
  await trx
    .insertInto('sessions')
    .values({
      id: newId('ses'),
      token_hash: hashToken(token),
      person_id: personId,
      created_at_ms: nowMs,
      seen_at_ms: nowMs,
      user_agent: userAgent.slice(0, USER_AGENT_CHARS),
    })
    .execute();
  const surplus = trx
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', personId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id')
    .limit(1000)
    .offset(SESSIONS_MAX);
  await trx.deleteFrom('sessions').where('id', 'in', surplus).execute();
  return token;
}

/** Who a cookie's token belongs to; undefined for one that is unknown, ended or no token. */
export async function findVisitor(
  db: Database,
  token: string,
  nowMs: number,
): Promise<Visitor | undefined> {
  if (!isToken(token)) return undefined;
  const row = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .innerJoin('accounts', 'accounts.id', 'people.account_id')
    .select(['sessions.id as session_id', 'sessions.seen_at_ms', 'sessions.person_id'])
    .select(['people.account_id', 'people.email', 'accounts.name'])
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
    personId: row.person_id,
    accountId: row.account_id,
    name: row.name,
    email: row.email,
    sessionId: row.session_id,
    csrfToken: csrfTokenOf(token),
  };
}

/** A person's sessions that have not ended, the last used first. */
export async function listSessions(
  db: Database,
  personId: string,
  nowMs: number,
): Promise<readonly SessionRecord[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'created_at_ms', 'seen_at_ms', 'user_agent'])
    .where('person_id', '=', personId)
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

/** Ends the session of a cookie's token, whoever's it is. */
export async function endSessionOf(
  db: Database | Transaction<Schema>,
  token: string,
): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
}

/** Ends one session of a person; somebody else's stays. */
export async function endSession(db: Database, personId: string, sessionId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('person_id', '=', personId)
    .execute();
}

/** Ends all sessions of a person, or all but one. */
export async function endSessions(
  db: Database | Transaction<Schema>,
  personId: string,
  exceptSessionId?: string,
): Promise<void> {
  let ending = db.deleteFrom('sessions').where('person_id', '=', personId);
  if (exceptSessionId !== undefined) ending = ending.where('id', '<>', exceptSessionId);
  await ending.execute();
}
