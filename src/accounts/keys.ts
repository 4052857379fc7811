import type { Mode } from '../billing/gate.js';
import { newId } from '../database/ids.js';
import type { Database } from '../database/schema.js';
import { checkedName, findAccount } from './accounts.js';
import { displayStart, generateApiKey, hashApiKey } from './api-key.js';
import { AccountError } from './errors.js';

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
}

/** A key just made; `apiKey` is never to be had again. */
export interface CreatedKey extends KeyRecord {
  readonly apiKey: string;
}

/**
 * Creates an API key of an account.
 *
 * @param account id or name
 * @throws AccountError `unknown_account` or `invalid_name`
 */
export async function createKey(
  db: Database,
  account: string,
  mode: Mode,
  name = 'default',
  nowMs: number = Date.now(),
): Promise<CreatedKey> {
  const owner = await findAccount(db, account);
  const apiKey = generateApiKey(mode, owner.partition);
  const record: KeyRecord = {
    id: newId('key'),
    accountId: owner.id,
    mode,
    name: checkedName(name, 'API key'),
    displayStart: displayStart(apiKey),
    createdAtMs: nowMs,
    revokedAtMs: null,
  };
  await db
    .insertInto('api_keys')
    .values({
      id: record.id,
      account_id: record.accountId,
      mode,
      name: record.name,
      hash: hashApiKey(apiKey),
      display_start: record.displayStart,
      created_at_ms: nowMs,
      revoked_at_ms: null,
    })
    .execute();
  return { ...record, apiKey };
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
    .select('revoked_at_ms')
    .orderBy('created_at_ms')
    .orderBy('id');
  if (account !== undefined) {
    query = query.where('account_id', '=', (await findAccount(db, account)).id);
  }
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    name: row.name,
    displayStart: row.display_start,
    createdAtMs: row.created_at_ms,
    revokedAtMs: row.revoked_at_ms,
  }));
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
      .execute();
  });
}
