import { randomInt } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { PARTITIONS } from '../core/billing-terms.js';
import { isPostgres } from '../database/dialect.js';
import { newId } from '../database/ids.js';
import type { AccountsTable, Database, Schema } from '../database/schema.js';
import { openBalances } from '../ledger/book-credits.js';
import { AccountError } from './errors.js';

/** An account. */
export interface Account {
  readonly id: string;
  readonly name: string;
  /** 0 to 1023. */
  readonly partition: number;
  readonly createdAtMs: number;
}

/** Prefix of account ids. No name may start with it, so that an argument can be an id or a name. */
const ID_START = 'acc_';
const NAME_CHARS_MAX = 100;

/** Key of PostgreSQL's advisory lock. It is held while an account of the operator gets its name. */
const NAMES_LOCK = 7_184_120_238;
/** Ids that a refusal lists. */
const LISTED_MAX = 10;

/**
 * Creates an account with empty balances for the operator.
 *
 * @param name 1 to 100 visible characters. No other account may have this name. People who sign up
 * may share names, because a refusal would reveal other accounts.
 * @throws AccountError `invalid_name` or `name_taken`
 */
export async function createAccount(
  db: Database,
  name: string,
  nowMs: number = Date.now(),
): Promise<Account> {
  const checked = checkedAccountName(name);
  return await db.transaction().execute(async (trx) => {
    // SQLite has one writer at a time.
    if (isPostgres(trx)) {
      await sql`select pg_advisory_xact_lock(${sql.lit(NAMES_LOCK)})`.execute(trx);
    }
    const others = await accountsNamed(trx, checked);
    if (others.length === 0) return await insertAccount(trx, checked, nowMs);
    const message = `There is already an account named "${checked}": ${idsOf(others)}. Choose another name.`;
    throw new AccountError('name_taken', message);
  });
}

/**
 * `createAccount` within the caller's transaction; the name comes from `checkedAccountName`.
 *
 * @param confirmedAtMs null for an account whose owner's address is not confirmed yet: it can have
 *   test keys only
 */
export async function insertAccount(
  trx: Transaction<Schema>,
  name: string,
  nowMs: number,
  confirmedAtMs: number | null = nowMs,
): Promise<Account> {
  const account = {
    id: newId('acc'),
    name,
    partition: randomInt(PARTITIONS),
    created_at_ms: nowMs,
    closed_at_ms: null,
    confirmed_at_ms: confirmedAtMs,
  };
  await trx.insertInto('accounts').values(account).execute();
  await openBalances(trx, account.id);
  return asAccount(account);
}

/**
 * Checks the name of an account and removes surrounding blanks.
 *
 * @throws AccountError `invalid_name`
 */
export function checkedAccountName(name: string): string {
  const checked = checkedName(name, 'account');
  if (!checked.startsWith(ID_START)) return checked;
  throw new AccountError('invalid_name', `An account name must not start with ${ID_START}.`);
}

/** All accounts, the oldest first. */
export async function listAccounts(db: Database): Promise<readonly Account[]> {
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .orderBy('created_at_ms')
    .orderBy('id')
    .execute();
  return rows.map(asAccount);
}

/**
 * The account with that id, or the only account with that name.
 *
 * @throws AccountError `unknown_account`; `ambiguous_name` if several accounts have the name
 */
export async function findAccount(
  db: Database | Transaction<Schema>,
  idOrName: string,
): Promise<Account> {
  const found = await accountsNamed(db, idOrName);
  const [row, ...others] = found;
  if (row === undefined)
    throw new AccountError('unknown_account', `There is no account "${idOrName}".`);
  if (others.length > 0) {
    const message = `Several accounts are named "${idOrName}". Use the id of one instead: ${idsOf(found)}.`;
    throw new AccountError('ambiguous_name', message);
  }
  return asAccount(row);
}

/**
 * Finds accounts by id or name, the oldest first. Returns at most one account more than a refusal
 * lists.
 */
async function accountsNamed(db: Database | Transaction<Schema>, idOrName: string) {
  return await db
    .selectFrom('accounts')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', idOrName), eb('name', '=', idOrName)]))
    .orderBy('created_at_ms')
    .orderBy('id')
    .limit(LISTED_MAX + 1)
    .execute();
}

function idsOf(accounts: readonly { readonly id: string }[]): string {
  const ids = accounts.slice(0, LISTED_MAX).map(({ id }) => id);
  return accounts.length > LISTED_MAX ? `${ids.join(', ')}, …` : ids.join(', ');
}

/**
 * Checks a name and removes surrounding blanks.
 *
 * @param what kind of the named thing, for the message
 * @throws AccountError `invalid_name`
 */
export function checkedName(name: string, what: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > NAME_CHARS_MAX || hasHiddenCharacters(trimmed)) {
    throw new AccountError(
      'invalid_name',
      `The name of an ${what} must have 1 to ${NAME_CHARS_MAX} characters and no control or invisible characters.`,
    );
  }
  return trimmed;
}

/**
 * Refuses an account whose address is not confirmed.
 *
 * @param what what such an account may not have, in the plural, for the message, such as `live
 * keys`
 * @throws AccountError `account_unconfirmed`
 */
export async function requireConfirmed(
  db: Database | Transaction<Schema>,
  accountId: string,
  what: string,
): Promise<void> {
  if (await isConfirmed(db, accountId)) return;
  throw new AccountError(
    'account_unconfirmed',
    `Confirm your e-mail address first: ${what} need a confirmed address.`,
  );
}

/** Whether the address of an account's owner is confirmed, or the operator created the account. */
export async function isConfirmed(
  db: Database | Transaction<Schema>,
  accountId: string,
): Promise<boolean> {
  const { confirmed_at_ms } = await db
    .selectFrom('accounts')
    .select('confirmed_at_ms')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return confirmed_at_ms !== null;
}

function asAccount(row: Selectable<AccountsTable>): Account {
  return {
    id: row.id,
    name: row.name,
    partition: row.partition,
    createdAtMs: row.created_at_ms,
  };
}

/** Characters that are invisible or change the order of other characters (UAX 9, UAX 44). */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Joiners between two characters. Persian, Indic scripts and emoji need them. */
const JOINERS = /(?<=[\p{L}\p{M}\p{S}])[\u200c\u200d](?=[\p{L}\p{M}\p{S}])/gu;
/** Selectors that choose a variant of the character before them. Japanese names and emoji have them. */
const VARIANTS = /(?<=[\p{L}\p{N}\p{S}\p{P}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/**
 * Whether a text has control characters, or characters that make it look like another text: marks
 * of the writing direction, invisible characters, line breaks, or halves of surrogate pairs.
 */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text.replace(JOINERS, '').replace(VARIANTS, ''));
}
