import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { DAY_MS, HOUR_MS } from '../core/time.js';
import type { Database, Schema } from '../database/schema.js';
import { type Account, findAccount } from './accounts.js';
import { AccountError } from './errors.js';
import { type CreatedKey, insertKey, lockOpenAccount } from './keys.js';

/** The longest time for which a rotated key can still work. */
export const OVERLAP_MS_MAX = 30 * DAY_MS;

/**
 * Creates a successor of a key with the same name and mode. The old key ends after the overlap. A
 * running server refuses the old key within a second after that.
 *
 * @param overlapMs how long both keys work, 0 to 30 days; with 0 the old key is revoked immediately
 * @returns the successor; its `apiKey` cannot be read again later
 * @throws AccountError `unknown_key`, `account_closed`, `too_many_keys`; `key_ended` for a key that
 * is revoked or already has a successor; `invalid_amount` for an overlap out of range
 */
export async function rotateKey(
  db: Database,
  keyId: string,
  overlapMs: number,
  nowMs: number = Date.now(),
): Promise<CreatedKey> {
  return await db.transaction().execute((trx) => rotateKeyWithin(trx, keyId, overlapMs, nowMs));
}

/** `rotateKey` within the caller's transaction. */
export async function rotateKeyWithin(
  trx: Transaction<Schema>,
  keyId: string,
  overlapMs: number,
  nowMs: number,
): Promise<CreatedKey> {
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > OVERLAP_MS_MAX) {
    throw new AccountError('invalid_amount', 'The overlap must be between 0 and 30 days.');
  }
  const end =
    overlapMs === 0
      ? { revoked_at_ms: nowMs, ends_at_ms: nowMs }
      : { ends_at_ms: nowMs + overlapMs };
  const owner = await ownerOf(trx, keyId);
  // Locks the account before its keys, in the same order as the deletion of an account.
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
    const message = `The API key ${keyId} is revoked or was already rotated. Rotate an active key.`;
    throw new AccountError('key_ended', message);
  }
  return await insertKey(trx, owner, old.mode, old.name, nowMs);
}

async function ownerOf(trx: Transaction<Schema>, keyId: string): Promise<Account> {
  const key = await trx
    .selectFrom('api_keys')
    .select('account_id')
    .where('id', '=', keyId)
    .executeTakeFirst();
  if (key === undefined) throw new AccountError('unknown_key', `There is no API key "${keyId}".`);
  return await findAccount(trx, key.account_id);
}

/**
 * Revokes the keys whose overlap has ended. Several processes may do so at the same time.
 *
 * @returns number of keys that this call revoked
 */
export async function endRotatedKeys(db: Database, nowMs: number = Date.now()): Promise<number> {
  // Reads first, because usually no key is due. On SQLite, a write would wait for other writers.
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

/** The overlaps that users can choose. */
export const OVERLAPS = {
  now: { label: 'immediately', ms: 0 },
  '1h': { label: 'after 1 hour', ms: HOUR_MS },
  '24h': { label: 'after 24 hours', ms: 24 * HOUR_MS },
  '7d': { label: 'after 7 days', ms: 7 * 24 * HOUR_MS },
} as const;

/** Name of an overlap. */
export type Overlap = keyof typeof OVERLAPS;

/** Names of the overlaps, the shortest first. */
export const OVERLAP_NAMES = Object.keys(OVERLAPS) as readonly Overlap[];

/** The gate checks the keys every 250 ms too, so a key ends well within a second. */
export const SWEEP_EVERY_MS = 250;

/**
 * Starts to revoke rotated keys whose overlap has ended. Every serving process does this. The first
 * process that finds such a key revokes it, and informs all gates, as for any revoked key.
 *
 * @returns a function that stops the sweep, after waiting for the current pass
 */
export function startKeySweep(db: Database, log: Pick<Logger, 'error'>): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  let failing = false;
  const sweep = () => {
    // A slow database must not get a second query while the first is running.
    running ??= endRotatedKeys(db)
      .then(
        () => {
          failing = false;
        },
        (error: unknown) => {
          // Logged once, not four times a second while the database is unavailable.
          if (!failing) log.error({ err: error }, 'rotated keys could not be revoked; retrying');
          failing = true;
        },
      )
      .finally(() => {
        running = undefined;
      });
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
