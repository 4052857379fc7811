import type { Selectable, Transaction } from 'kysely';
import type { KeyIdentity, Mode } from '../core/billing-terms.js';
import { DAY_MS } from '../core/time.js';
import { newId } from '../database/ids.js';
import type { ApiKeysTable, Database, Schema } from '../database/schema.js';
import { type Account, checkedName, findAccount, requireConfirmed } from './accounts.js';
import { displayStart, generateApiKey, hashApiKey } from './api-key.js';
import { AccountError } from './errors.js';

/** Maximum number of active keys of an account. */
export const KEYS_MAX = 100;
/** Maximum number of keys that an account may create in 24 hours. */
export const KEYS_PER_DAY = 200;

/** An API key without its secret. */
export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly displayStart: string;
  readonly createdAtMs: number;
  /** When the key was revoked; null for an active key. */
  readonly revokedAtMs: number | null;
  /** When a rotated key ends; null for a key without a successor. */
  readonly endsAtMs: number | null;
}

/** A new key; `apiKey` cannot be read again later. */
export interface CreatedKey extends KeyRecord {
  readonly apiKey: string;
}

/**
 * Creates an API key for an account.
 *
 * @param account id or name
 * @throws AccountError `unknown_account`, `account_closed`, `account_unconfirmed`, `too_many_keys`
 *   or `invalid_name`
 */
export async function createKey(
  db: Database,
  account: string,
  mode: Mode,
  name = 'default',
  nowMs: number = Date.now(),
): Promise<CreatedKey> {
  return await db.transaction().execute((trx) => createKeyWithin(trx, account, mode, name, nowMs));
}

/** `createKey` within the caller's transaction. */
export async function createKeyWithin(
  trx: Transaction<Schema>,
  account: string,
  mode: Mode,
  name: string,
  nowMs: number,
): Promise<CreatedKey> {
  const owner = await findAccount(trx, account);
  return await insertKey(trx, owner, mode, checkedName(name, 'API key'), nowMs);
}

/**
 * `createKey` within the caller's transaction; the name comes from `checkedName`.
 *
 * @throws AccountError `account_closed`, `account_unconfirmed` or `too_many_keys`
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
  // Live free calls need a live key. An account without a confirmed address gets neither.
  if (mode === 'live') await requireConfirmed(trx, owner.id, 'live keys');
  await refuseTooManyKeys(trx, owner.id, nowMs);
  await trx
    .insertInto('api_keys')
    .values({ ...row, hash: hashApiKey(apiKey) })
    .execute();
  return { ...asRecord(row), apiKey };
}

/**
 * Keeps the account from being closed until the transaction ends. Otherwise a new key could outlive
 * its account. The update changes nothing and locks the row in both databases.
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

/** The caller must hold the lock on the account. Otherwise two keys could both be the last allowed key. */
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
    throw new AccountError(
      'too_many_keys',
      `The account has ${KEYS_MAX} active keys, the most allowed. Revoke one first.`,
    );
  }
  if (Number(fresh) >= KEYS_PER_DAY) {
    const message = `The account created ${KEYS_PER_DAY} keys in 24 hours, the most allowed. Try again later.`;
    throw new AccountError('too_many_keys', message);
  }
}

/**
 * All keys of one account, or of all accounts, the oldest first, including revoked keys.
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

/** A key of an account; undefined if the account has no key with that id. */
export async function findKey(
  db: Database,
  accountId: string,
  keyId: string,
): Promise<KeyRecord | undefined> {
  return (await listKeys(db, accountId)).find(({ id }) => id === keyId);
}

/**
 * Data about a key of an account for the gate; undefined if the account has no active key
 * with that id. A page uses it to spend from a key of the signed-in owner without its secret.
 */
export async function identityOfKey(
  db: Database,
  accountId: string,
  keyId: string,
): Promise<KeyIdentity | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.hash', 'accounts.partition'])
    .where('api_keys.id', '=', keyId)
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.revoked_at_ms', 'is', null)
    .executeTakeFirst();
  return row === undefined ? undefined : { keyHash: row.hash, partition: row.partition };
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
 * Revokes a key permanently; revoking it again changes nothing. A running server refuses the key
 * within a second, and charges nothing for it from then on.
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
    if (key === undefined) throw new AccountError('unknown_key', `There is no API key "${keyId}".`);
    if (key.revoked_at_ms !== null) return;
    await trx
      .updateTable('api_keys')
      .set({ revoked_at_ms: nowMs })
      .where('id', '=', keyId)
      .where('revoked_at_ms', 'is', null)
      .execute();
  });
}
