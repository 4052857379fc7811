import type { Transaction } from 'kysely';
import { networkOf } from '../core/network.js';
import { HOUR_MS } from '../core/time.js';
import { forgetDeleted } from '../database/forget-deleted.js';
import type { Schema } from '../database/schema.js';
import { eraseAccount } from './closed-accounts.js';
import { readEmail } from './email-address.js';
import { invalidLink, issueEmailToken, takeEmailToken } from './email-tokens.js';
import { UserError } from './errors.js';
import { readNewPassword } from './passwords.js';
import { hashToken } from './secret-token.js';
import { endSessionOf, endSessions, type SignedInUser, startSession } from './sessions.js';
import { countAttempt, type Limit } from './throttle.js';
import {
  admitEmail,
  clearSignInAttempts,
  confirmPassword,
  findByEmail,
  type RequestOrigin,
  type UserParts,
} from './users.js';

const RESETS: Limit = { name: 'reset network', attempts: 20, windowMs: HOUR_MS };
const RESET_EMAILS: Limit = { name: 'reset e-mail', attempts: 3, windowMs: HOUR_MS };
const NEW_EMAILS: Limit = { name: 'new e-mail', attempts: 5, windowMs: HOUR_MS };

/** An address and the token of the link to send there. */
export interface LinkEmail {
  readonly email: string;
  readonly token: string;
}

/**
 * Changes the password. All sessions end, and this browser gets a new one.
 *
 * @returns the token of the new session
 * @throws UserError `invalid_field`, `wrong_password`, `throttled` or `busy`
 */
export async function changePassword(
  parts: UserParts,
  user: SignedInUser,
  input: { readonly password: string; readonly newPassword: string },
  origin: RequestOrigin,
): Promise<string> {
  const { db, passwords, clock } = parts;
  const password = readNewPassword(input.newPassword, user.email, 'new_password');
  await confirmPassword(parts, user.userId, input.password);
  const hash = await passwords.hash(password, user.userId);
  return await db.transaction().execute(async (trx) => {
    await replacePassword(trx, user.userId, hash);
    return await startSession(trx, user.userId, origin, clock());
  });
}

/**
 * Admits a request for a link to choose a new password. `issueResetLink` issues the link after the
 * answer, so the response time does not reveal whether the address has an account.
 *
 * @returns the address in the form in which addresses are compared
 * @throws UserError `invalid_field` or `throttled`
 */
export async function admitReset(
  parts: UserParts,
  email: string,
  origin: RequestOrigin,
): Promise<string> {
  const { emailKey } = readEmail(email);
  await countAttempt(parts, RESETS, networkOf(origin.address));
  return emailKey;
}

/**
 * Issues a link to choose a new password. Returns undefined for an unknown address, and for an
 * address that got too many links.
 */
export async function issueResetLink(
  parts: UserParts,
  emailKey: string,
): Promise<LinkEmail | undefined> {
  const { db, clock } = parts;
  const stored = await findByEmail(db, emailKey);
  if (stored === undefined) return undefined;
  if (!(await admitEmail(parts, RESET_EMAILS, emailKey))) return undefined;
  const subject = { userId: stored.id, purpose: 'reset' } as const;
  return { email: stored.email, token: await issueEmailToken(db, subject, clock()) };
}

/**
 * Sets a new password by a link and signs in. All other sessions end. The user need not use the
 * sign-in page, which somebody else's password attempts may have blocked.
 *
 * @returns the user's address, to send a notice, and the token of the new session
 * @throws UserError `invalid_link`, or `invalid_field` or `busy`, after which the link remains
 * valid
 */
export async function resetPassword(
  parts: UserParts,
  input: { readonly token: string; readonly newPassword: string },
  origin: RequestOrigin,
): Promise<{ readonly email: string; readonly sessionToken: string }> {
  const { db, passwords, clock } = parts;
  const stored = await db
    .selectFrom('email_tokens')
    .innerJoin('people', 'people.id', 'email_tokens.person_id')
    .select(['people.id', 'people.email', 'people.email_key'])
    .where('token_hash', '=', hashToken(input.token))
    .where('purpose', '=', 'reset')
    .where('expires_at_ms', '>', clock())
    .executeTakeFirst();
  if (stored === undefined) throw invalidLink();
  const hash = await passwords.hash(
    readNewPassword(input.newPassword, stored.email, 'new_password'),
    networkOf(origin.address),
  );
  const sessionToken = await db.transaction().execute(async (trx) => {
    const wanted = { token: input.token, purpose: 'reset', userId: stored.id } as const;
    await takeEmailToken(trx, wanted, clock());
    await replacePassword(trx, stored.id, hash);
    if (origin.previousToken !== undefined) await endSessionOf(trx, origin.previousToken);
    return await startSession(trx, stored.id, origin, clock());
  });
  await clearSignInAttempts(db, stored.email_key, networkOf(origin.address));
  return { email: stored.email, sessionToken };
}

/**
 * Requests another address. The old address stays until the new address is confirmed. If the new
 * address already has a user, the steps are the same and only the e-mail differs.
 *
 * @returns the e-mail to send; undefined if the address got too many e-mails. An e-mail without a
 * token says that the address already has an account
 * @throws UserError `invalid_field`, `wrong_password`, `throttled`, `busy` or `unconfirmed`
 */
export async function requestNewEmail(
  parts: UserParts,
  user: SignedInUser,
  input: { readonly email: string; readonly password: string },
): Promise<(Omit<LinkEmail, 'token'> & Partial<LinkEmail>) | undefined> {
  const { db, clock } = parts;
  const { email, emailKey } = readEmail(input.email);
  if (user.confirmByMs !== null) {
    throw new UserError('unconfirmed', 'Confirm your present e-mail address first.');
  }
  await confirmPassword(parts, user.userId, input.password);
  await countAttempt(parts, NEW_EMAILS, user.userId);
  const subject = { userId: user.userId, purpose: 'email', newEmail: email } as const;
  const token = await issueEmailToken(db, subject, clock());
  const known = await findByEmail(db, emailKey);
  if (!(await admitEmail(parts, NEW_EMAILS, emailKey))) return undefined;
  return known === undefined || known.id === user.userId
    ? { email, token }
    : { email: known.email };
}

/**
 * Confirms the new address by its link, for the user who requested it. Links to choose a new password
 * that were sent to the old address stop working.
 *
 * @returns the new address
 * @throws UserError `invalid_link`, also when another user has taken the address in the meantime
 */
export async function confirmNewEmail(
  { db, clock }: UserParts,
  user: SignedInUser,
  token: string,
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    const { userId } = user;
    const taken = await takeEmailToken(trx, { token, purpose: 'email', userId }, clock());
    const { email, emailKey } = readEmail(taken.new_email ?? '');
    const other = await trx
      .selectFrom('people')
      .select('id')
      .where('email_key', '=', emailKey)
      .where('id', '<>', userId)
      .executeTakeFirst();
    if (other !== undefined) throw invalidLink();
    await trx
      .updateTable('people')
      .set({ email, email_key: emailKey })
      .where('id', '=', userId)
      .execute();
    await trx.deleteFrom('email_tokens').where('person_id', '=', userId).execute();
    return email;
  });
}

/**
 * Deletes a user: revokes the keys, ends the sessions, and erases name, address and password. The
 * ledger and the account stay for bookkeeping, without the name (see `eraseAccount`).
 *
 * @throws UserError `wrong_password`, `throttled` or `busy`
 */
export async function deleteUser(
  parts: UserParts,
  user: SignedInUser,
  password: string,
): Promise<void> {
  const { db, clock } = parts;
  const stored = await confirmPassword(parts, user.userId, password);
  await db.transaction().execute((trx) => eraseAccount(trx, stored.account_id, clock()));
  await forgetDeleted(db);
}

async function replacePassword(
  trx: Transaction<Schema>,
  userId: string,
  hash: string,
): Promise<void> {
  // Updates the user first: a concurrent sign-in waits for this row and then fails.
  await trx.updateTable('people').set({ password_hash: hash }).where('id', '=', userId).execute();
  await endSessions(trx, userId);
  // Somebody who knew the old password may have signed in from them.
  await trx.deleteFrom('known_networks').where('person_id', '=', userId).execute();
  await trx.deleteFrom('email_tokens').where('person_id', '=', userId).execute();
}
