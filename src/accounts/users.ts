import type { Selectable } from 'kysely';
import { networkOf } from '../core/network.js';
import { MINUTE_MS } from '../core/time.js';
import { newId } from '../database/ids.js';
import type { PeopleTable } from '../database/people-tables.js';
import type { Database } from '../database/schema.js';
import { checkedAccountName, insertAccount } from './accounts.js';
import { forgetClosedAccounts, succeedClosedAccounts } from './closed-accounts.js';
import { type EmailAddress, readEmail } from './email-address.js';
import { invalidLink, SIGN_UP_LINK_MS } from './email-tokens.js';
import { AccountError, UserError } from './errors.js';
import type { UserObserver } from './observer.js';
import { type Passwords, readNewPassword } from './passwords.js';
import { hashToken, isToken, newToken } from './secret-token.js';
import { endSessionOf, SESSION_IDLE_MS, SESSION_MAX_MS, startSession } from './sessions.js';
import { clearAttempts, countAttempt, type Limit } from './throttle.js';

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

/** Content of the sign-up form. */
export interface SignUp {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Limits of password attempts: for an e-mail address from one network, for an e-mail address from all
 * networks, and from one network for all e-mail addresses.
 */
const SIGN_IN_PAIR: Limit = { name: 'sign-in pair', attempts: 10, windowMs: 15 * MINUTE_MS };
const SIGN_IN_EMAIL: Limit = { name: 'sign-in e-mail', attempts: 50, windowMs: 60 * MINUTE_MS };
const SIGN_IN_NETWORK: Limit = { name: 'sign-in network', attempts: 100, windowMs: 15 * MINUTE_MS };
/** Limit of sign-ups: each one costs a password hash and sends an e-mail. */
const SIGN_UPS: Limit = { name: 'sign-up network', attempts: 20, windowMs: 60 * MINUTE_MS };
/**
 * Limits of sign-up e-mails to an address: from one network, and in all. One network alone cannot use
 * up the e-mails of an address.
 */
const SIGN_UP_EMAILS_PER_PAIR: Limit = {
  name: 'sign-up pair',
  attempts: 3,
  windowMs: 60 * MINUTE_MS,
};
const SIGN_UP_EMAILS_PER_ADDRESS: Limit = {
  name: 'sign-up e-mail',
  attempts: 15,
  windowMs: 60 * MINUTE_MS,
};

/** The e-mail to send after a sign-up: a link to confirm, or a note that the account exists. */
export type SignUpEmail =
  | { readonly kind: 'confirm'; readonly email: string; readonly token: string }
  | { readonly kind: 'known'; readonly email: string };

/**
 * Stores a sign-up until its address is confirmed. An address that already has a user takes the same
 * steps and only gets another e-mail, so that nobody but its owner learns that it has an account.
 *
 * @returns the e-mail to send after answering; undefined when the address got too many of them
 * @throws UserError `invalid_field`, `throttled` or `busy`
 */
export async function signUp(
  parts: UserParts,
  input: SignUp,
  origin: RequestOrigin,
): Promise<SignUpEmail | undefined> {
  const { db, passwords, clock } = parts;
  const name = readName(input.name);
  const { email, emailKey } = readEmail(input.email);
  const password = readNewPassword(input.password, email);
  const network = networkOf(origin.address);
  await countAttempt(parts, SIGN_UPS, network);
  const token = newToken();
  const row = {
    token_hash: hashToken(token),
    name,
    email,
    email_key: emailKey,
    password_hash: await passwords.hash(password),
    expires_at_ms: clock() + SIGN_UP_LINK_MS,
  };
  await db.insertInto('sign_ups').values(row).execute();
  const known = await findByEmail(db, emailKey);
  const pair = `${emailKey} ${network}`;
  if (!(await admitEmail(parts, SIGN_UP_EMAILS_PER_PAIR, pair))) return undefined;
  if (!(await admitEmail(parts, SIGN_UP_EMAILS_PER_ADDRESS, emailKey))) return undefined;
  return known === undefined
    ? { kind: 'confirm', email, token }
    : { kind: 'known', email: known.email };
}

/**
 * Confirms the address of a sign-up: creates the account and the user, and signs in. The password is
 * required again. Otherwise somebody could sign up with the address of another person, whose click on
 * the link would confirm an account with a password that this somebody knows.
 *
 * @returns the token of the new session
 * @throws UserError `invalid_link`, `wrong_password`, `throttled` or `busy`
 */
export async function confirmSignUp(
  parts: UserParts,
  input: { readonly token: string; readonly password: string },
  origin: RequestOrigin,
): Promise<string> {
  const { db, passwords, clock } = parts;
  if (!isToken(input.token)) throw invalidLink();
  const tokenHash = hashToken(input.token);
  const pending = await db
    .selectFrom('sign_ups')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at_ms', '>', clock())
    .executeTakeFirst();
  if (pending === undefined) throw invalidLink();
  await countAttempt(parts, SIGN_IN_PAIR, tokenHash);
  if (!(await passwords.verify(pending.password_hash, input.password))) {
    throw new UserError(
      'wrong_password',
      'This is not the password you chose when you signed up. If you did not sign up, ignore the e-mail.',
      { field: 'password' },
    );
  }
  return await db.transaction().execute(async (trx) => {
    const nowMs = clock();
    const email_key = pending.email_key;
    // Only one sign-up of an address succeeds: the deletion locks all of them against other clicks.
    const deleted = await trx
      .deleteFrom('sign_ups')
      .where('email_key', '=', email_key)
      .returning('token_hash')
      .execute();
    const taken = await trx
      .selectFrom('people')
      .select('id')
      .where('email_key', '=', email_key)
      .executeTakeFirst();
    const stillThere = deleted.some((row) => row.token_hash === tokenHash);
    if (!stillThere || taken !== undefined) throw invalidLink();
    const account = await insertAccount(trx, pending.name, nowMs);
    await succeedClosedAccounts(trx, account.id, email_key, nowMs);
    const user = {
      id: newId('per'),
      account_id: account.id,
      email: pending.email,
      email_key,
      password_hash: pending.password_hash,
      created_at_ms: nowMs,
      signed_in_at_ms: nowMs,
    };
    await trx.insertInto('people').values(user).execute();
    if (origin.previousToken !== undefined) await endSessionOf(trx, origin.previousToken);
    return await startSession(trx, user.id, origin.userAgent, nowMs);
  });
}

/**
 * Signs in. The browser's previous session ends and the new one has a new token.
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
  await countAttempt(parts, SIGN_IN_NETWORK, network);
  await countAttempt(parts, SIGN_IN_PAIR, `${emailKey} ${network}`);
  await countAttempt(parts, SIGN_IN_EMAIL, emailKey);
  const user = await findByEmail(db, emailKey);
  if (!(await parts.passwords.verify(user?.password_hash, input.password)))
    throw wrongCredentials();
  if (user === undefined) throw wrongCredentials();
  const token = await db.transaction().execute(async (trx) => {
    const nowMs = clock();
    // Updates no row if the password was changed or the user was deleted since the read above.
    const unchanged = await trx
      .updateTable('people')
      .set({ signed_in_at_ms: nowMs })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .returning('id')
      .executeTakeFirst();
    if (unchanged === undefined) throw wrongCredentials();
    if (origin.previousToken !== undefined) await endSessionOf(trx, origin.previousToken);
    return await startSession(trx, user.id, origin.userAgent, nowMs);
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
  if (!(await passwords.verify(user?.password_hash, password)) || user === undefined) {
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

/** Counts an e-mail to an address; false when the limit is reached and it must not be sent. */
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

function readName(text: string): string {
  try {
    return checkedAccountName(text);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    throw new UserError('invalid_field', error.message, { field: 'name' });
  }
}

function wrongCredentials(): UserError {
  return new UserError(
    'wrong_password',
    'E-mail and password do not match an account. Please check both.',
  );
}

/** Deletes expired sessions, links, sign-ups, counts of attempts and hashes of addresses. */
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
  await forgetClosedAccounts(db, nowMs);
}
