import { randomInt } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { PARTITIONS } from '../core/billing-terms.js';
import { newId } from '../database/ids.js';
import type { AccountsTable, Database, Schema } from '../database/schema.js';
import { openBalances } from '../ledger/book-credits.js';
import { AccountError } from './errors.js';

/** An account as the rest of the program sees it. */
export interface Account {
  readonly id: string;
  readonly name: string;
  /** 0 to 1023. */
  readonly partition: number;
  readonly createdAtMs: number;
}

/** What an account id starts with; no name may, so that one argument can be either. */
const ID_START = 'acc_';
const NAME_CHARS_MAX = 100;

/**
 * Creates an account with empty balances.
 *
 * @param name 1 to 100 characters, none of them control characters; others may bear it too
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

/** `createAccount` within a transaction of the caller's; the name is `checkedAccountName`'s. */
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
  };
  await trx.insertInto('accounts').values(account).execute();
  await openBalances(trx, account.id);
  return asAccount(account);
}

/**
 * A name an account may bear, without surrounding blanks.
 *
 * @throws AccountError `invalid_name`
 */
export function checkedAccountName(name: string): string {
  const checked = checkedName(name, 'account');
  if (!checked.startsWith(ID_START)) return checked;
  throw new AccountError('invalid_name', `An account name must not start with ${ID_START}`);
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
 * The account with that id, or the only one with that name.
 *
 * @throws AccountError `unknown_account`; `ambiguous_name` where several accounts bear the name
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
  if (row === undefined) throw new AccountError('unknown_account', `No account "${idOrName}".`);
  if (others.length > 0) {
    const message = `Several accounts are named "${idOrName}"; give the id of the one you mean.`;
    throw new AccountError('ambiguous_name', message);
  }
  return asAccount(row);
}

/**
 * A name without surrounding blanks.
 *
 * @param what the thing named, for the message
 * @throws AccountError `invalid_name`
 */
export function checkedName(name: string, what: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > NAME_CHARS_MAX || /\p{Cc}/u.test(trimmed)) {
    throw new AccountError(
      'invalid_name',
      `The name of an ${what} is 1 to ${NAME_CHARS_MAX} characters, none a control character.`,
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
