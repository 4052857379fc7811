import type { Transaction } from 'kysely';
import type { Database, Schema } from '../database/schema.js';
import { type Account, findAccount } from './accounts.js';
import { AccountError } from './errors.js';
import { type CreatedKey, insertKey, lockOpenAccount } from './keys.js';

/** Longest time for which a rotated key goes on. */
export const OVERLAP_MS_MAX = 30 * 24 * 3600 * 1000;

/**
 * Makes a successor of a key, of the same name and mode, and lets the old one end by itself after
 * an overlap. A running server refuses it within a second of that moment.
 *
 * @param overlapMs how long both are good, 0 to 30 days; at 0 the old key is revoked at once
 * @returns the successor; its `apiKey` is never to be had again
 * @throws AccountError `unknown_key`, `account_closed`, `too_many_keys`; `key_ended` for a key that is revoked or has a successor
 *   already; `invalid_amount` for an overlap out of range
 */
export async function rotateKey(
  db: Database,
  keyId: string,
  overlapMs: number,
  nowMs: number = Date.now(),
): Promise<CreatedKey> {
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > OVERLAP_MS_MAX) {
    throw new AccountError('invalid_amount', 'An overlap is from no time to 30 days.');
  }
  const end =
    overlapMs === 0
      ? { revoked_at_ms: nowMs, ends_at_ms: nowMs }
      : { ends_at_ms: nowMs + overlapMs };
  return await db.transaction().execute(async (trx) => {
    const owner = await ownerOf(trx, keyId);
    // The account before its keys, in the order in which deleting an account locks them.
    await lockOpenAccount(trx, owner.id);
    const old = await trx
      .updateTable('api_keys')
      .set(end)
      .where('id', '=', keyId)
      .where('revoked_at_ms', 'is', null)
      .where('ends_at_ms', 'is', null)
      .returning(['mode', 'name'])
      .executeTakeFirst();
    if (old === undefined) {
      const message = `The API key ${keyId} is revoked or has a successor; rotate one that is in use.`;
      throw new AccountError('key_ended', message);
    }
    return await insertKey(trx, owner, old.mode, old.name, nowMs);
  });
}

async function ownerOf(trx: Transaction<Schema>, keyId: string): Promise<Account> {
  const key = await trx
    .selectFrom('api_keys')
    .select('account_id')
    .where('id', '=', keyId)
    .executeTakeFirst();
  if (key === undefined) throw new AccountError('unknown_key', `No API key "${keyId}".`);
  return await findAccount(trx, key.account_id);
}

/**
 * Revokes the keys whose overlap is over. Any number of processes may do so at once.
 *
 * @returns how many this call revoked
 */
export async function endRotatedKeys(db: Database, nowMs: number = Date.now()): Promise<number> {
  // A look first: the usual answer is none, and on SQLite only a write waits for other writers.
  const due = await db
    .selectFrom('api_keys')
    .select('id')
    .where('ends_at_ms', 'is not', null)
    .where('revoked_at_ms', 'is', null)
    .where('ends_at_ms', '<=', nowMs)
    .execute();
  if (due.length === 0) return 0;
  const result = await db
    .updateTable('api_keys')
    .set({ revoked_at_ms: nowMs })
    .where('ends_at_ms', 'is not', null)
    .where('revoked_at_ms', 'is', null)
    .where('ends_at_ms', '<=', nowMs)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
