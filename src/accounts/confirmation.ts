import type { Transaction } from 'kysely';
import { networkOf } from '../core/network.js';
import { isUniqueViolation } from '../database/errors.js';
import type { Database, Schema } from '../database/schema.js';
import { eraseAccount, succeedClosedAccounts } from './closed-accounts.js';
import { invalidLink } from './email-tokens.js';
import { UserError } from './errors.js';
import { hashToken, isToken } from './secret-token.js';
import { endSessionOf, type SignedInUser, startSession, UNCONFIRMED_LIFE_MS } from './sessions.js';
import { countAttempt } from './throttle.js';
import { clearSignInAttempts, type RequestOrigin, SIGN_IN_PAIR, type UserParts } from './users.js';

/** Maximum number of unconfirmed accounts that one pass closes. */
const CLOSED_PER_PASS = 1000;

/** Content of the page behind the link of a sign-up. */
export interface Confirmation {
  readonly token: string;
  /** Required unless the browser is signed in to the account of the link. */
  readonly password?: string | undefined;
}

/** Whether the link of a sign-up belongs to the account that the browser is signed in to. */
export async function isOwnLink(
  parts: UserParts,
  user: SignedInUser | null,
  token: string,
): Promise<boolean> {
  return user !== null && (await findPending(parts, token))?.person_id === user.userId;
}

/**
 * Confirms the address of a sign-up. From now on, the account holds the address. The browser must
 * be signed in to the account, or the password is required. The link alone is not enough: anybody
 * can sign up with another person's address, and that person may click the link. The click alone
 * would then confirm an account whose password somebody else knows.
 *
 * @param user the user who is signed in
 * @returns the token of a new session; undefined if the browser keeps its session
 * @throws UserError `invalid_link`, also when another account has the address; `wrong_password`,
 * `throttled` or `busy`
 */
export async function confirmSignUp(
  parts: UserParts,
  { token, password = '' }: Confirmation,
  origin: RequestOrigin,
  user: SignedInUser | null = null,
): Promise<string | undefined> {
  const { db, passwords } = parts;
  const pending = await findPending(parts, token);
  if (pending === undefined) throw invalidLink();
  const isOwner = pending.person_id === user?.userId;
  if (!isOwner) {
    await countAttempt(parts, SIGN_IN_PAIR, pending.token_hash);
    if (!(await passwords.verify(pending.password_hash, password, networkOf(origin.address)))) {
      throw new UserError(
        'wrong_password',
        'This is not the password you chose when you signed up. If you did not sign up, ignore the e-mail.',
        { field: 'password' },
      );
    }
  }
  const session = await db
    .transaction()
    .execute(async (trx) => {
      await confirm(trx, pending, parts.clock());
      if (isOwner) return undefined;
      if (origin.previousToken !== undefined) await endSessionOf(trx, origin.previousToken);
      return await startSession(trx, pending.person_id, origin, parts.clock());
    })
    .catch((error: unknown) => {
      // Another account got the address meanwhile.
      throw isUniqueViolation(error) ? invalidLink() : error;
    });
  await clearSignInAttempts(db, pending.email_key, networkOf(origin.address));
  return session;
}

type Pending = NonNullable<Awaited<ReturnType<typeof findPending>>>;

async function findPending({ db, clock }: UserParts, token: string) {
  if (!isToken(token)) return undefined;
  return await db
    .selectFrom('sign_ups')
    .innerJoin('people', 'people.id', 'sign_ups.person_id')
    .select(['sign_ups.token_hash', 'sign_ups.person_id', 'sign_ups.email_key'])
    .select(['people.account_id', 'people.password_hash'])
    .where('sign_ups.token_hash', '=', hashToken(token))
    .where('sign_ups.expires_at_ms', '>', clock())
    .executeTakeFirst();
}

async function confirm(trx: Transaction<Schema>, pending: Pending, nowMs: number): Promise<void> {
  const { account_id: accountId, person_id: userId, email_key } = pending;
  // Updates the account first. A deletion locks the rows in the same order.
  const confirmed = await trx
    .updateTable('accounts')
    .set({ confirmed_at_ms: nowMs })
    .where('id', '=', accountId)
    .where('confirmed_at_ms', 'is', null)
    .where('closed_at_ms', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (confirmed === undefined) throw invalidLink();
  await trx.updateTable('people').set({ email_key }).where('id', '=', userId).execute();
  await trx.deleteFrom('sign_ups').where('person_id', '=', userId).execute();
  await succeedClosedAccounts(trx, accountId, email_key, nowMs);
}

/**
 * Deletes the accounts whose owners have not confirmed their address in time: their keys are
 * revoked, and name, address and password are erased.
 */
export async function closeUnconfirmed(db: Database, nowMs: number): Promise<void> {
  const due = await db
    .selectFrom('accounts')
    .select('id')
    .where('confirmed_at_ms', 'is', null)
    .where('closed_at_ms', 'is', null)
    .where('created_at_ms', '<=', nowMs - UNCONFIRMED_LIFE_MS)
    .limit(CLOSED_PER_PASS)
    .execute();
  for (const { id } of due) {
    await db.transaction().execute(async (trx) => {
      // Updates no row if the address was confirmed after the read above.
      const open = await trx
        .updateTable('accounts')
        .set({ closed_at_ms: nowMs })
        .where('id', '=', id)
        .where('confirmed_at_ms', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (open === undefined) return;
      await eraseAccount(trx, id, nowMs);
    });
  }
}
