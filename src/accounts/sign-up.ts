import type { Transaction } from 'kysely';
import { TEST_CREDITS_PER_DAY } from '../core/billing-terms.js';
import { networkOf } from '../core/network.js';
import { DAY_MS, HOUR_MS } from '../core/time.js';
import { newId } from '../database/ids.js';
import type { Database, Schema } from '../database/schema.js';
import { bookCredits } from '../ledger/book-credits.js';
import { checkedAccountName, insertAccount } from './accounts.js';
import { readEmail } from './email-address.js';
import { SIGN_UP_LINK_MS } from './email-tokens.js';
import { AccountError, UserError } from './errors.js';
import { type CreatedKey, insertKey } from './keys.js';
import { createOnce, type FormUse } from './one-time-forms.js';
import { readNewPassword } from './passwords.js';
import { hashToken, newToken } from './secret-token.js';
import { endSessionOf, type SignedInUser, startSession } from './sessions.js';
import { countAttempt, type Limit } from './throttle.js';
import { admitEmail, findByEmail, type RequestOrigin, type UserParts } from './users.js';

/** Content of the sign-up form. */
export interface SignUp {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The e-mail to send after a sign-up: a link to confirm, or a note that the account exists. */
export type SignUpEmail =
  | { readonly kind: 'confirm'; readonly email: string; readonly token: string }
  | { readonly kind: 'known'; readonly email: string };

/** Result of a sign-up. */
export interface SignedUp {
  /** Token of the new session. */
  readonly sessionToken: string;
  /** The first test key; undefined if the form was sent before and created the key then. */
  readonly key: CreatedKey | undefined;
  /** The e-mail to send after answering; undefined if the address has already received too many e-mails. */
  readonly email: SignUpEmail | undefined;
}

/** Limits of sign-ups. Each sign-up costs a password hash, sends an e-mail and gives free test calls. */
const SIGN_UPS: Limit = { name: 'sign-up network', attempts: 20, windowMs: HOUR_MS };
const SIGN_UPS_PER_DAY: Limit = { name: 'sign-up network day', attempts: 40, windowMs: DAY_MS };
/**
 * Limits of sign-up e-mails to an address, from one network and in total. One network alone cannot
 * use up the limit of an address.
 */
const EMAILS_PER_PAIR: Limit = { name: 'sign-up pair', attempts: 3, windowMs: HOUR_MS };
const EMAILS_PER_ADDRESS: Limit = { name: 'sign-up e-mail', attempts: 15, windowMs: HOUR_MS };
/** Name of the key that a sign-up creates. */
const FIRST_KEY_NAME = 'First test key';

/**
 * Creates an account with a test key and the test credits of a day, and signs its owner in. Until
 * the address is confirmed, the account does not hold it, and only this session opens the account.
 * If another account has the address, the steps are the same and only the e-mail differs. So only
 * the owner of the address learns that it has an account.
 *
 * @param form the use of the form; a form creates one account
 * @throws UserError `invalid_field`, `wrong_password` (the form was used before with another
 * password), `throttled` or `busy`
 */
export async function signUp(
  parts: UserParts,
  input: SignUp,
  origin: RequestOrigin,
  form?: FormUse,
): Promise<SignedUp> {
  const { db, passwords, clock } = parts;
  const name = readName(input.name);
  const { email, emailKey } = readEmail(input.email);
  const password = readNewPassword(input.password, email);
  const network = networkOf(origin.address);
  passwords.refuseIfFull(network);
  await countAttempt(parts, SIGN_UPS, network);
  await countAttempt(parts, SIGN_UPS_PER_DAY, network);
  const password_hash = await passwords.hash(password, network);
  const token = newToken();
  const made = await createOnce(db, form, async (trx) => {
    const nowMs = clock();
    const account = await insertAccount(trx, name, nowMs, null);
    const id = newId('per');
    const times = { created_at_ms: nowMs, signed_in_at_ms: nowMs };
    await trx
      .insertInto('people')
      .values({ id, account_id: account.id, email, email_key: id, password_hash, ...times })
      .execute();
    await insertLink(trx, { personId: id, emailKey, token }, nowMs);
    const key = await insertKey(trx, account, 'test', FIRST_KEY_NAME, nowMs);
    // They count as the credits of this day, so a confirmation on the same day gives no more.
    await bookCredits(trx, {
      ...{ accountId: account.id, mode: 'test', kind: 'grant', credits: TEST_CREDITS_PER_DAY },
      ...{ cause: `grant:sign-up-${account.id}`, atMs: nowMs },
    });
    if (origin.previousToken !== undefined) await endSessionOf(trx, origin.previousToken);
    const sessionToken = await startSession(trx, id, origin, nowMs);
    return { id, key, sessionToken };
  });
  if (made.created === undefined) {
    const sessionToken = await signInAgain(parts, made.earlierId, input.password, origin);
    return { sessionToken, key: undefined, email: undefined };
  }
  const { key, sessionToken } = made.created;
  return { sessionToken, key, email: await admitted(parts, { email, emailKey, network, token }) };
}

/**
 * Signs in when the form of a sign-up is sent again. A double click does so: the browser throws the
 * first answer away.
 */
async function signInAgain(
  { db, passwords, clock }: UserParts,
  userId: string,
  password: string,
  origin: RequestOrigin,
): Promise<string> {
  const stored = await db
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst();
  const { password_hash } = stored ?? {};
  const isSame = await passwords.verify(password_hash, password, networkOf(origin.address));
  if (!isSame || stored === undefined) {
    const message = 'This form was already used for a sign-up. Please reload the page.';
    throw new UserError('wrong_password', message);
  }
  return await db.transaction().execute((trx) => startSession(trx, userId, origin, clock()));
}

/**
 * Issues another link to confirm the address of a sign-up. The earlier links stay valid.
 *
 * @returns the e-mail to send after answering; undefined for a confirmed user, and for an address
 * that got too many e-mails
 */
export async function renewSignUpLink(
  parts: UserParts,
  user: SignedInUser,
  origin: RequestOrigin,
): Promise<SignUpEmail | undefined> {
  if (user.confirmByMs === null) return undefined;
  const { email, emailKey } = readEmail(user.email);
  const network = networkOf(origin.address);
  const token = newToken();
  const wanted = await admitted(parts, { email, emailKey, network, token });
  if (wanted === undefined) return undefined;
  await insertLink(parts.db, { personId: user.userId, emailKey, token }, parts.clock());
  return wanted;
}

async function insertLink(
  db: Database | Transaction<Schema>,
  link: { readonly personId: string; readonly emailKey: string; readonly token: string },
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('sign_ups')
    .values({
      token_hash: hashToken(link.token),
      person_id: link.personId,
      email_key: link.emailKey,
      expires_at_ms: nowMs + SIGN_UP_LINK_MS,
    })
    .execute();
}

async function admitted(
  parts: UserParts,
  wanted: Record<'email' | 'emailKey' | 'network' | 'token', string>,
): Promise<SignUpEmail | undefined> {
  const { email, emailKey, network, token } = wanted;
  const known = await findByEmail(parts.db, emailKey);
  if (!(await admitEmail(parts, EMAILS_PER_PAIR, `${emailKey} ${network}`))) return undefined;
  if (!(await admitEmail(parts, EMAILS_PER_ADDRESS, emailKey))) return undefined;
  return known === undefined
    ? { kind: 'confirm', email, token }
    : { kind: 'known', email: known.email };
}

function readName(text: string): string {
  try {
    return checkedAccountName(text);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    throw new UserError('invalid_field', error.message, { field: 'name' });
  }
}
