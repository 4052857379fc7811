import type { Selectable } from 'kysely';
import { networkOf } from '../core/network.js';
import { MINUTE_MS } from '../core/time.js';
import type { PeopleTable } from '../database/people-tables.js';
import type { Database } from '../database/schema.js';
import { type EmailAddress, readEmail } from './email-address.js';
import { UserError } from './errors.js';
import { isKnownNetwork } from './known-networks.js';
import type { Passwords } from './passwords.js';
import { endSessionOf, startSession } from './sessions.js';
import { clearAttempts, countAttempt, type Limit, type UserObserver } from './throttle.js';

/** Parts that all functions about users need. */
export interface UserParts {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly clock: () => number;
  readonly observer?: UserObserver | undefined;
}

/** Where a request comes from. */
export interface RequestOrigin {
  /** IP address. */
  readonly address: string;
  readonly userAgent: string;
  /** Token of the browser's current session, which ends at sign-in. */
  readonly previousToken?: string | undefined;
}

/** Content of the sign-in form. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Limits of password attempts: for an e-mail address from one network, for an e-mail address from all
 * networks except those where its user signed in lately, and from one network for all e-mail addresses.
 */
export const SIGN_IN_PAIR: Limit = { name: 'sign-in pair', attempts: 10, windowMs: 15 * MINUTE_MS };
const SIGN_IN_EMAIL: Limit = { name: 'sign-in e-mail', attempts: 50, windowMs: 60 * MINUTE_MS };
const SIGN_IN_NETWORK: Limit = { name: 'sign-in network', attempts: 100, windowMs: 15 * MINUTE_MS };
/**
 * Signs in. The browser's previous session ends, and the new session has a new token.
 *
 * @returns the token of the new session
 * @throws UserError `wrong_password` (also when there is no such user), `throttled` or `busy`
 */
export async function signIn(
  parts: UserParts,
  input: Credentials,
  origin: RequestOrigin,
): Promise<string> {
  try {
    const token = await checkAndSignIn(parts, input, origin);
    parts.observer?.signedIn('succeeded');
    return token;
  } catch (error) {
    const failed = error instanceof UserError && error.reason === 'wrong_password';
    if (failed) parts.observer?.signedIn('failed');
    throw error;
  }
}

async function checkAndSignIn(
  parts: UserParts,
  input: Credentials,
  origin: RequestOrigin,
): Promise<string> {
  const { db, clock } = parts;
  const { emailKey } = readEmail(input.email);
  const network = networkOf(origin.address);
  parts.passwords.refuseIfFull(network);
  await countAttempt(parts, SIGN_IN_NETWORK, network);
  await countAttempt(parts, SIGN_IN_PAIR, `${emailKey} ${network}`);
  const user = await findByEmail(db, emailKey);
  // Otherwise anybody could lock the owner out by wrong passwords.
  if (!(await isKnownNetwork(db, user?.id ?? '', network, clock()))) {
    await countAttempt(parts, SIGN_IN_EMAIL, emailKey);
  }
  const { password_hash } = user ?? {};
  if (!(await parts.passwords.verify(password_hash, input.password, network)))
    throw wrongCredentials();
  if (user === undefined) throw wrongCredentials();
  const token = await db.transaction().execute(async (trx) => {
    const nowMs = clock();
    // Updates no row if the password was changed or the user was deleted after the read above.
    const unchanged = await trx
      .updateTable('people')
      .set({ signed_in_at_ms: nowMs })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .returning('id')
      .executeTakeFirst();
    if (unchanged === undefined) throw wrongCredentials();
    if (origin.previousToken !== undefined) await endSessionOf(trx, origin.previousToken);
    return await startSession(trx, user.id, origin, nowMs);
  });
  await clearSignInAttempts(db, emailKey, network);
  return token;
}

/** Resets the counts of password attempts for an address, once its user is authenticated. */
export async function clearSignInAttempts(
  db: Database,
  emailKey: string,
  network: string,
): Promise<void> {
  await clearAttempts(db, SIGN_IN_PAIR, `${emailKey} ${network}`);
  await clearAttempts(db, SIGN_IN_EMAIL, emailKey);
}

/**
 * Checks the password of a signed-in user before a sensitive change. Attempts are limited as at
 * sign-in.
 *
 * @throws UserError `wrong_password` of `password`, `throttled` or `busy`
 */
export async function confirmPassword(
  parts: UserParts,
  userId: string,
  password: string,
): Promise<Selectable<PeopleTable>> {
  const { db, passwords } = parts;
  await countAttempt(parts, SIGN_IN_PAIR, userId);
  const user = await db
    .selectFrom('people')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!(await passwords.verify(user?.password_hash, password, userId)) || user === undefined) {
    const field = { field: 'password' } as const;
    throw new UserError('wrong_password', 'The password is wrong. Please try again.', field);
  }
  await clearAttempts(db, SIGN_IN_PAIR, userId);
  return user;
}

/** The user with that address, if there is one. */
export async function findByEmail(
  db: Database,
  emailKey: EmailAddress['emailKey'],
): Promise<Selectable<PeopleTable> | undefined> {
  return await db
    .selectFrom('people')
    .selectAll()
    .where('email_key', '=', emailKey)
    .executeTakeFirst();
}

/**
 * Counts an e-mail to an address. Returns false if the limit is reached; the e-mail must not be
 * sent then.
 */
export async function admitEmail(
  parts: UserParts,
  limit: Limit,
  emailKey: string,
): Promise<boolean> {
  try {
    await countAttempt(parts, limit, emailKey);
    return true;
  } catch (error) {
    if (error instanceof UserError && error.reason === 'throttled') return false;
    throw error;
  }
}

function wrongCredentials(): UserError {
  return new UserError(
    'wrong_password',
    'E-mail and password do not match an account. Please check both. If you signed up a short time ago, open the link in our e-mail first.',
  );
}
