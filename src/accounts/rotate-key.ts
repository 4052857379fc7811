import type { Database } from '../database/schema.js';
import { findAccount } from './accounts.js';
import { AccountError } from './errors.js';
import { type CreatedKey, insertKey } from './keys.js';

/** Longest time for which a rotated key goes on. */
export const OVERLAP_MS_MAX = 30 * 24 * 3600 * 1000;

/**
 * Makes a successor of a key, of the same name and mode, and lets the old one end by itself after
 * an overlap. A running server refuses it within a second of that moment.
 *
 * @param overlapMs how long both are good, 0 to 30 days; at 0 the old key is revoked at once
 * @returns the successor; its `apiKey` is never to be had again
 * @throws AccountError `unknown_key`; `key_ended` for a key that is revoked or has a successor
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
    const old = await trx
      .updateTable('api_keys')
      .set(end)
      .where('id', '=', keyId)
      .where('revoked_at_ms', 'is', null)
      .where('ends_at_ms', 'is', null)
      .returning(['account_id', 'mode', 'name'])
      .executeTakeFirst();
    if (old === undefined) return await refuse(trx, keyId);
    return await insertKey(trx, await findAccount(trx, old.account_id), old.mode, old.name, nowMs);
  });
}

async function refuse(db: Pick<Database, 'selectFrom'>, keyId: string): Promise<never> {
  const key = await db
    .selectFrom('api_keys')
    .select('revoked_at_ms')
    .where('id', '=', keyId)
    .executeTakeFirst();
  if (key === undefined) throw new AccountError('unknown_key', `No API key "${keyId}".`);
  const why = key.revoked_at_ms === null ? 'has a successor already' : 'is revoked';
  throw new AccountError('key_ended', `The API key ${keyId} ${why}; rotate one that is in use.`);
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
