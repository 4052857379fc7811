import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import { readEmail } from './email-address.js';
import { invalidLink, issueEmailToken, takeEmailToken } from './email-tokens.js';
import { readNewPassword } from './passwords.js';
import {
  confirmPassword,
  findByEmail,
  forgiveAttempts,
  mayReceive,
  type Origin,
  type PeopleParts,
} from './people.js';
import { hashToken } from './secret-token.js';
import { endSessionOf, endSessions, startSession, type Visitor } from './sessions.js';
import { countAttempt, type Limit, networkOf } from './throttle.js';

const HOUR_MS = 3600 * 1000;
const RESETS: Limit = { name: 'reset network', attempts: 20, windowMs: HOUR_MS };
const RESET_LETTERS: Limit = { name: 'reset e-mail', attempts: 3, windowMs: HOUR_MS };
const NEW_EMAILS: Limit = { name: 'new e-mail', attempts: 5, windowMs: HOUR_MS };
/** What a deleted account and its keys are called. */
const ERASED_NAME = 'deleted account';
const ERASED_KEY_NAME = 'deleted';

/** A link to send to an address. */
export interface LinkLetter {
  readonly email: string;
  readonly token: string;
}

/**
 * Changes the password; every session ends, this browser gets a new one.
 *
 * @returns the token of the new session
 * @throws PersonError `invalid_field`, `wrong_password`, `throttled` or `busy`
 */
export async function changePassword(
  parts: PeopleParts,
  visitor: Visitor,
  input: { readonly password: string; readonly newPassword: string },
  origin: Origin,
): Promise<string> {
  const { db, passwords, clock } = parts;
  const password = readNewPassword(input.newPassword, visitor.email, 'new_password');
  await confirmPassword(parts, visitor.personId, input.password);
  const hash = await passwords.hash(password);
  return await db.transaction().execute(async (trx) => {
    await replacePassword(trx, visitor.personId, hash);
    return await startSession(trx, visitor.personId, origin.userAgent, clock());
  });
}

/**
 * Admits a request for a link to choose a new password. The rest, `resetLetter`, is done after
 * answering, so that the time tells nobody whether there is such a person.
 *
 * @returns the address to send it to, if it has a person
 * @throws PersonError `invalid_field` or `throttled`
 */
export async function admitReset(
  { db, clock }: PeopleParts,
  email: string,
  origin: Origin,
): Promise<string> {
  const { emailKey } = readEmail(email);
  await countAttempt(db, RESETS, networkOf(origin.address), clock());
  return emailKey;
}

/** The link to a new password; undefined for an unknown address, or one that has had enough. */
export async function resetLetter(
  { db, clock }: PeopleParts,
  emailKey: string,
): Promise<LinkLetter | undefined> {
  const person = await findByEmail(db, emailKey);
  if (person === undefined) return undefined;
  if (!(await mayReceive(db, RESET_LETTERS, emailKey, clock()))) return undefined;
  const subject = { personId: person.id, purpose: 'reset' } as const;
  return { email: person.email, token: await issueEmailToken(db, subject, clock()) };
}

/**
 * Sets a new password by a link and signs in; all other sessions end. Whoever had to sign in first
 * could be kept out once more by somebody who goes on guessing.
 *
 * @returns the person's address, to tell them, and the token of the new session
 * @throws PersonError `invalid_link`, `invalid_field` or `busy`; the link stays good but for the first
 */
export async function resetPassword(
  parts: PeopleParts,
  input: { readonly token: string; readonly newPassword: string },
  origin: Origin,
): Promise<{ readonly email: string; readonly sessionToken: string }> {
  const { db, passwords, clock } = parts;
  const person = await db
    .selectFrom('email_tokens')
    .innerJoin('people', 'people.id', 'email_tokens.person_id')
    .select(['people.id', 'people.email', 'people.email_key'])
    .where('token_hash', '=', hashToken(input.token))
    .where('purpose', '=', 'reset')
    .where('expires_at_ms', '>', clock())
    .executeTakeFirst();
  if (person === undefined) throw invalidLink();
  const hash = await passwords.hash(
    readNewPassword(input.newPassword, person.email, 'new_password'),
  );
  const sessionToken = await db.transaction().execute(async (trx) => {
    const wanted = { token: input.token, purpose: 'reset', personId: person.id } as const;
    await takeEmailToken(trx, wanted, clock());
    await replacePassword(trx, person.id, hash);
    if (origin.formerToken !== undefined) await endSessionOf(trx, origin.formerToken);
    return await startSession(trx, person.id, origin.userAgent, clock());
  });
  await forgiveAttempts(db, person.email_key, networkOf(origin.address));
  return { email: person.email, sessionToken };
}

/**
 * Asks for another address; the old one stays until the new one is proven. For an address that has
 * a person the same is done, only the e-mail differs.
 *
 * @returns the e-mail to send; none when too many were sent there. Without a token, it is to say
 *   that the address has an account
 * @throws PersonError `invalid_field`, `wrong_password`, `throttled` or `busy`
 */
export async function requestNewEmail(
  parts: PeopleParts,
  visitor: Visitor,
  input: { readonly email: string; readonly password: string },
): Promise<(Omit<LinkLetter, 'token'> & Partial<LinkLetter>) | undefined> {
  const { db, clock } = parts;
  const { email, emailKey } = readEmail(input.email);
  await confirmPassword(parts, visitor.personId, input.password);
  await countAttempt(db, NEW_EMAILS, visitor.personId, clock());
  const subject = { personId: visitor.personId, purpose: 'email', newEmail: email } as const;
  const token = await issueEmailToken(db, subject, clock());
  const known = await findByEmail(db, emailKey);
  if (!(await mayReceive(db, NEW_EMAILS, emailKey, clock()))) return undefined;
  return known === undefined || known.id === visitor.personId
    ? { email, token }
    : { email: known.email };
}

/**
 * Proves the new address by its link, for the person it was made for. Links to a new password that
 * went to the old address no longer work.
 *
 * @returns the new address
 * @throws PersonError `invalid_link`, also when somebody else has the address meanwhile
 */
export async function confirmNewEmail(
  { db, clock }: PeopleParts,
  visitor: Visitor,
  token: string,
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    const { personId } = visitor;
    const taken = await takeEmailToken(trx, { token, purpose: 'email', personId }, clock());
    const { email, emailKey } = readEmail(taken.new_email ?? '');
    const other = await trx
      .selectFrom('people')
      .select('id')
      .where('email_key', '=', emailKey)
      .where('id', '<>', personId)
      .executeTakeFirst();
    if (other !== undefined) throw invalidLink();
    await trx
      .updateTable('people')
      .set({ email, email_key: emailKey })
      .where('id', '=', personId)
      .execute();
    await trx.deleteFrom('email_tokens').where('person_id', '=', personId).execute();
    return email;
  });
}

/**
 * Deletes a person: keys are revoked, sessions end, name, address and password are erased. The
 * account's ledger stays, it is the books; its account bears no name any more.
 *
 * @throws PersonError `wrong_password`, `throttled` or `busy`
 */
export async function deletePerson(
  parts: PeopleParts,
  visitor: Visitor,
  password: string,
): Promise<void> {
  const { db, clock } = parts;
  const person = await confirmPassword(parts, visitor.personId, password);
  await db.transaction().execute(async (trx) => {
    // First of all the account: a key being made waits for this, and is refused.
    await trx
      .updateTable('accounts')
      .set({ name: ERASED_NAME, closed_at_ms: clock() })
      .where('id', '=', person.account_id)
      .execute();
    await trx
      .updateTable('api_keys')
      .set({ revoked_at_ms: clock() })
      .where('account_id', '=', person.account_id)
      .where('revoked_at_ms', 'is', null)
      .execute();
    await trx
      .updateTable('api_keys')
      .set({ name: ERASED_KEY_NAME })
      .where('account_id', '=', person.account_id)
      .execute();
    // Sessions and links go with the person.
    await trx.deleteFrom('people').where('id', '=', person.id).execute();
    await trx.deleteFrom('sign_ups').where('email_key', '=', person.email_key).execute();
  });
}

async function replacePassword(
  trx: Transaction<Schema>,
  personId: string,
  hash: string,
): Promise<void> {
  // First of all the person: a sign-in under way waits for this, and finds its password changed.
  await trx.updateTable('people').set({ password_hash: hash }).where('id', '=', personId).execute();
  await endSessions(trx, personId);
  await trx.deleteFrom('email_tokens').where('person_id', '=', personId).execute();
}
