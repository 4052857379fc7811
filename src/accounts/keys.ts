import type { Selectable, Transaction } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import { newId } from '../database/ids.js';
import type { ApiKeysTable, Database, Schema } from '../database/schema.js';
import { type Account, checkedName, findAccount } from './accounts.js';
import { displayStart, generateApiKey, hashApiKey } from './api-key.js';
import { AccountError } from './errors.js';

/** Keys in use an account may have, and keys it may make in 24 hours; nobody needs as many. */
export const KEYS_MAX = 100;
export const KEYS_A_DAY = 200;
const DAY_MS = 24 * 3600 * 1000;

/** An API key as lists show it. */
export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly displayStart: string;
  readonly createdAtMs: number;
  /** When the key was revoked; null while it is good. */
  readonly revokedAtMs: number | null;
  /** When the key revokes itself, a successor having been made; null for one that does not. */
  readonly endsAtMs: number | null;
}

/** A key just made; `apiKey` is never to be had again. */
export interface CreatedKey extends KeyRecord {
  readonly apiKey: string;
}

/**
 * Creates an API key of an account.
 *
 * @param account id or name
 * @throws AccountError `unknown_account`, `account_closed`, `too_many_keys` or `invalid_name`
 */
export async function createKey(
  db: Database,
  account: string,
  mode: Mode,
  name = 'default',
  nowMs: number = Date.now(),
): Promise<CreatedKey> {
  const owner = await findAccount(db, account);
  const checked = checkedName(name, 'API key');
  return await db.transaction().execute((trx) => insertKey(trx, owner, mode, checked, nowMs));
}

/**
 * `createKey` within a transaction of the caller's; the name is checked.
 *
 * @throws AccountError `account_closed` or `too_many_keys`
 */
export async function insertKey(
  trx: Transaction<Schema>,
  owner: Pick<Account, 'id' | 'partition'>,
  mode: Mode,
  name: string,
  nowMs: number,
): Promise<CreatedKey> {
  const apiKey = generateApiKey(mode, owner.partition);
  const row = {
    id: newId('key'),
    account_id: owner.id,
    mode,
    name,
    display_start: displayStart(apiKey),
    created_at_ms: nowMs,
    revoked_at_ms: null,
    ends_at_ms: null,
  };
  await lockOpenAccount(trx, owner.id);
  await refuseTooManyKeys(trx, owner.id, nowMs);
  await trx
    .insertInto('api_keys')
    .values({ ...row, hash: hashApiKey(apiKey) })
    .execute();
  return { ...asRecord(row), apiKey };
}

/**
 * Keeps an account from being closed until the transaction ends: a key made meanwhile would outlive
 * it. The update changes nothing; it is how both databases lock a row.
 *
 * @throws AccountError `account_closed`
 */
export async function lockOpenAccount(trx: Transaction<Schema>, accountId: string): Promise<void> {
  const open = await trx
    .updateTable('accounts')
    .set({ closed_at_ms: null })
    .where('id', '=', accountId)
    .where('closed_at_ms', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (open !== undefined) return;
  throw new AccountError('account_closed', `The account ${accountId} has been deleted.`);
}

/** Within the lock on the account, so that no two keys take the last place. */
async function refuseTooManyKeys(
  trx: Transaction<Schema>,
  accountId: string,
  nowMs: number,
): Promise<void> {
  const { in_use, fresh } = await trx
    .selectFrom('api_keys')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('revoked_at_ms', 'is', null).as('in_use'),
      eb.fn
        .countAll<number>()
        .filterWhere('created_at_ms', '>', nowMs - DAY_MS)
        .as('fresh'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(in_use) >= KEYS_MAX) {
    throw new AccountError('too_many_keys', `${KEYS_MAX} keys are in use; revoke one first.`);
  }
  if (Number(fresh) >= KEYS_A_DAY) {
    const message = `${KEYS_A_DAY} keys were made in 24 hours; make another tomorrow.`;
    throw new AccountError('too_many_keys', message);
  }
}

/**
 * Keys of one account, or of all, the oldest first; revoked ones too.
 *
 * @param account id or name
 * @throws AccountError `unknown_account`
 */
export async function listKeys(db: Database, account?: string): Promise<readonly KeyRecord[]> {
  let query = db
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'mode', 'name', 'display_start', 'created_at_ms'])
    .select(['revoked_at_ms', 'ends_at_ms'])
    .orderBy('created_at_ms')
    .orderBy('id');
  if (account !== undefined) {
    query = query.where('account_id', '=', (await findAccount(db, account)).id);
  }
  const rows = await query.execute();
  return rows.map(asRecord);
}

/** A key of an account; undefined where that account has none of that id. */
export async function findKey(
  db: Database,
  accountId: string,
  keyId: string,
): Promise<KeyRecord | undefined> {
  return (await listKeys(db, accountId)).find(({ id }) => id === keyId);
}

function asRecord(row: Omit<Selectable<ApiKeysTable>, 'hash'>): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    name: row.name,
    displayStart: row.display_start,
    createdAtMs: row.created_at_ms,
    revokedAtMs: row.revoked_at_ms,
    endsAtMs: row.ends_at_ms,
  };
}

/**
 * Revokes a key for good; revoking it again changes nothing. A running server refuses the key
 * within a second, and charges nothing for it from this moment.
 *
 * @param keyId id of the key
 * @throws AccountError `unknown_key`
 */
export async function revokeKey(
  db: Database,
  keyId: string,
  nowMs: number = Date.now(),
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const key = await trx
      .selectFrom('api_keys')
      .select('revoked_at_ms')
      .where('id', '=', keyId)
      .executeTakeFirst();
    if (key === undefined) throw new AccountError('unknown_key', `No API key "${keyId}".`);
    if (key.revoked_at_ms !== null) return;
    await trx
      .updateTable('api_keys')
      .set({ revoked_at_ms: nowMs })
      .where('id', '=', keyId)
      .where('revoked_at_ms', 'is', null)
      .execute();
  });
}
