import type { Selectable } from 'kysely';
import { newId } from '../database/ids.js';
import type { PeopleTable } from '../database/people-tables.js';
import type { Database } from '../database/schema.js';
import { checkedAccountName, insertAccount } from './accounts.js';
import { type EmailAddress, readEmail } from './email-address.js';
import { invalidLink, SIGN_UP_LINK_MS } from './email-tokens.js';
import { AccountError } from './errors.js';
import { type Passwords, readNewPassword } from './passwords.js';
import { PersonError } from './person-error.js';
import { hashToken, isToken, newToken } from './secret-token.js';
import { endSessionOf, startSession } from './sessions.js';
import { clearAttempts, countAttempt, type Limit, networkOf } from './throttle.js';

/** What everything about people needs. */
export interface PeopleParts {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly clock: () => number;
}

/** Where a request comes from. */
export interface Origin {
  /** Internet address. */
  readonly address: string;
  readonly userAgent: string;
  /** Token of the session the browser has had until now; it ends at sign-in. */
  readonly formerToken?: string | undefined;
}

/** What was sent to sign up. */
export interface SignUp {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

const MINUTE_MS = 60_000;
/** Wrong passwords: for one e-mail address from one network, for one e-mail address, from one network. */
const PAIR: Limit = { name: 'sign-in pair', attempts: 10, windowMs: 15 * MINUTE_MS };
const EMAIL: Limit = { name: 'sign-in e-mail', attempts: 50, windowMs: 60 * MINUTE_MS };
const NETWORK: Limit = { name: 'sign-in network', attempts: 100, windowMs: 15 * MINUTE_MS };
/** Sign-ups: each is a hash for us and an e-mail for somebody. */
const SIGN_UPS: Limit = { name: 'sign-up network', attempts: 20, windowMs: 60 * MINUTE_MS };
/** Letters to an address, asked for from one network and in all: nobody uses up another's alone. */
const PAIR_LETTERS: Limit = { name: 'sign-up pair', attempts: 3, windowMs: 60 * MINUTE_MS };
const SIGN_UP_LETTERS: Limit = { name: 'sign-up e-mail', attempts: 15, windowMs: 60 * MINUTE_MS };

/** The e-mail a request asks for; none when the address has had enough of them. */
export type SignUpLetter =
  | { readonly kind: 'confirm'; readonly email: string; readonly token: string }
  | { readonly kind: 'known'; readonly email: string };

/**
 * Notes a sign-up until its address is proven. For an address that has a person the same is done,
 * only the e-mail differs, so that nobody but its owner learns of it.
 *
 * @returns the e-mail to send after answering
 * @throws PersonError `invalid_field`, `throttled` or `busy`
 */
export async function signUp(
  parts: PeopleParts,
  input: SignUp,
  origin: Origin,
): Promise<SignUpLetter | undefined> {
  const { db, passwords, clock } = parts;
  const name = readName(input.name);
  const { email, emailKey } = readEmail(input.email);
  const password = readNewPassword(input.password, email);
  const network = networkOf(origin.address);
  await countAttempt(db, SIGN_UPS, network, clock());
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
  if (!(await mayReceive(db, PAIR_LETTERS, pair, clock()))) return undefined;
  if (!(await mayReceive(db, SIGN_UP_LETTERS, emailKey, clock()))) return undefined;
  return known === undefined
    ? { kind: 'confirm', email, token }
    : { kind: 'known', email: known.email };
}

/**
 * Proves a sign-up's address: makes the account and the person, and signs in. The password is asked
 * for again, so that nobody can have an address proven by its owner with a password of their own.
 *
 * @returns the token of the new session
 * @throws PersonError `invalid_link`, `wrong_password`, `throttled` or `busy`
 */
export async function confirmSignUp(
  parts: PeopleParts,
  input: { readonly token: string; readonly password: string },
  origin: Origin,
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
  await countAttempt(db, PAIR, tokenHash, clock());
  if (!(await passwords.verify(pending.password_hash, input.password))) {
    throw new PersonError(
      'wrong_password',
      'This is not the password of this sign-up. If you did not sign up, do nothing.',
      { field: 'password' },
    );
  }
  return await db.transaction().execute(async (trx) => {
    const nowMs = clock();
    // Of all sign-ups of an address one wins; the lock on its row keeps a second click out.
    const { numDeletedRows } = await trx
      .deleteFrom('sign_ups')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirstOrThrow();
    const email_key = pending.email_key;
    const taken = await trx
      .selectFrom('people')
      .select('id')
      .where('email_key', '=', email_key)
      .executeTakeFirst();
    if (numDeletedRows === 0n || taken !== undefined) throw invalidLink();
    const account = await insertAccount(trx, pending.name, nowMs);
    const person = {
      id: newId('per'),
      account_id: account.id,
      email: pending.email,
      email_key,
      password_hash: pending.password_hash,
      created_at_ms: nowMs,
      signed_in_at_ms: nowMs,
    };
    await trx.insertInto('people').values(person).execute();
    await trx.deleteFrom('sign_ups').where('email_key', '=', email_key).execute();
    if (origin.formerToken !== undefined) await endSessionOf(trx, origin.formerToken);
    return await startSession(trx, person.id, origin.userAgent, nowMs);
  });
}

/**
 * Signs in. The session the browser had ends; the new one has a token nobody has seen before.
 *
 * @returns the token of the new session
 * @throws PersonError `wrong_password` (also where there is no such person), `throttled` or `busy`
 */
export async function signIn(
  parts: PeopleParts,
  input: { readonly email: string; readonly password: string },
  origin: Origin,
): Promise<string> {
  const { db, clock } = parts;
  const { emailKey } = readEmail(input.email);
  const network = networkOf(origin.address);
  await countAttempt(db, NETWORK, network, clock());
  await countAttempt(db, PAIR, `${emailKey} ${network}`, clock());
  await countAttempt(db, EMAIL, emailKey, clock());
  const person = await findByEmail(db, emailKey);
  if (!(await parts.passwords.verify(person?.password_hash, input.password))) throw wrongPair();
  if (person === undefined) throw wrongPair();
  const token = await db.transaction().execute(async (trx) => {
    const nowMs = clock();
    // Fails where the password was changed, or the person deleted, since it was read above.
    const unchanged = await trx
      .updateTable('people')
      .set({ signed_in_at_ms: nowMs })
      .where('id', '=', person.id)
      .where('password_hash', '=', person.password_hash)
      .returning('id')
      .executeTakeFirst();
    if (unchanged === undefined) throw wrongPair();
    if (origin.formerToken !== undefined) await endSessionOf(trx, origin.formerToken);
    return await startSession(trx, person.id, origin.userAgent, nowMs);
  });
  await forgiveAttempts(db, emailKey, network);
  return token;
}

/** Lets a person try passwords again, who has shown who they are. */
export async function forgiveAttempts(
  db: Database,
  emailKey: string,
  network: string,
): Promise<void> {
  await clearAttempts(db, PAIR, `${emailKey} ${network}`);
  await clearAttempts(db, EMAIL, emailKey);
}

/**
 * Checks the password of somebody signed in, before what cannot be undone; throttled as sign-in.
 *
 * @throws PersonError `wrong_password` of `password`, `throttled` or `busy`
 */
export async function confirmPassword(
  { db, passwords, clock }: PeopleParts,
  personId: string,
  password: string,
): Promise<Selectable<PeopleTable>> {
  await countAttempt(db, PAIR, personId, clock());
  const person = await db
    .selectFrom('people')
    .selectAll()
    .where('id', '=', personId)
    .executeTakeFirst();
  if (!(await passwords.verify(person?.password_hash, password)) || person === undefined) {
    const field = { field: 'password' } as const;
    throw new PersonError('wrong_password', 'This is not your password.', field);
  }
  await clearAttempts(db, PAIR, personId);
  return person;
}

/** The person with that address, if there is one. */
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

/** Counts an e-mail to be sent to an address; false when it has had enough of that kind. */
export async function mayReceive(
  db: Database,
  limit: Limit,
  emailKey: string,
  nowMs: number,
): Promise<boolean> {
  try {
    await countAttempt(db, limit, emailKey, nowMs);
    return true;
  } catch (error) {
    if (error instanceof PersonError && error.reason === 'throttled') return false;
    throw error;
  }
}

function readName(text: string): string {
  try {
    return checkedAccountName(text);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    throw new PersonError('invalid_field', error.message, { field: 'name' });
  }
}

function wrongPair(): PersonError {
  return new PersonError('wrong_password', 'E-mail and password do not match an account.');
}
