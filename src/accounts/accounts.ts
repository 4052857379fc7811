import { randomInt } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { PARTITIONS } from '../core/billing-terms.js';
import { newId } from '../database/ids.js';
import type { AccountsTable, Database, Schema } from '../database/schema.js';
import { openBalances } from '../ledger/book-credits.js';
import { AccountError } from './errors.js';
import { hasHiddenCharacters } from './hidden-characters.js';

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

/**
 * Creates an account with empty balances.
 *
 * @param name 1 to 100 characters, none of them hidden; several accounts may share a name
 * @throws AccountError `invalid_name`
 */
export async function createAccount(
  db: Database,
  name: string,
  nowMs: number = Date.now(),
): Promise<Account> {
  const checked = checkedAccountName(name);
  return await db.transaction().execute((trx) => insertAccount(trx, checked, nowMs));
}

/**
 * `createAccount` within the caller's transaction; the name comes from `checkedAccountName`. The
 * caller is the operator or has confirmed the owner's address: only then may the account have live
 * keys.
 */
export async function insertAccount(
  trx: Transaction<Schema>,
  name: string,
  nowMs: number,
): Promise<Account> {
  const account = {
    id: newId('acc'),
    name,
    partition: randomInt(PARTITIONS),
    created_at_ms: nowMs,
    closed_at_ms: null,
    confirmed_at_ms: nowMs,
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
  const [row, ...others] = await db
    .selectFrom('accounts')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', idOrName), eb('name', '=', idOrName)]))
    .limit(2)
    .execute();
  if (row === undefined)
    throw new AccountError('unknown_account', `There is no account "${idOrName}".`);
  if (others.length > 0) {
    const message = `Several accounts are named "${idOrName}". Use the account id instead.`;
    throw new AccountError('ambiguous_name', message);
  }
  return asAccount(row);
}

/**
 * Checks a name and removes surrounding blanks.
 *
 * @param what the kind of thing it names, for the message
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

function asAccount(row: Selectable<AccountsTable>): Account {
  return {
    id: row.id,
    name: row.name,
    partition: row.partition,
    createdAtMs: row.created_at_ms,
  };
}
