import type { Mode } from '../../core/billing-terms.js';

/**
 * Names of what Redis holds. Everything of a partition bears its hash tag, so that one script may
 * touch all of it, on a cluster too.
 */
function name(partition: number, rest: string): string {
  return `{p${partition}}:${rest}`;
}

/**
 * Hash of a partition: `generation`, number of this incarnation of its data; `oldest`, Redis' time
 * in ms of its oldest event not drained, absent when there is none; once Redis' clock was set back
 * also `mark` and `marked_at` (see `stream-status.lua`).
 */
export function stateKey(partition: number): string {
  return name(partition, 'state');
}

/** Hash of an API key: `id`, `account`, `mode`, `revoked` (`0` or `1`; a tombstone has only this). */
export function apiKeyKey(partition: number, keyHash: string): string {
  return name(partition, `key:${keyHash}`);
}

/** List of the times of a key's hits in the rate limit's window, in ms, oldest first. */
export function rateKey(partition: number, keyId: string): string {
  return name(partition, `rate:${keyId}`);
}

/**
 * Hash of an account in a mode. `credited`, `version` (number of its credits' entries) and `spent`
 * only grow; `free` is its uses of the free tier's window as `packFreeUses` writes them;
 * `answers_from`, ms, says from when on Redis has all its idempotent answers (absent: always).
 */
export function fundsKey(partition: number, accountId: string, mode: Mode): string {
  return name(partition, `funds:${accountId}:${mode}`);
}

/** Stored answer of an idempotency key: fingerprint, free calls left or `-`, ms, JSON; by blanks. */
export function answerKey(
  partition: number,
  accountId: string,
  mode: Mode,
  operation: string,
  idempotencyKey: string,
): string {
  return name(partition, `answer:${accountId}:${mode}:${operation}:${idempotencyKey}`);
}

/** Stream of a partition's charges on their way to the ledger (see `event.ts`). */
export function eventsKey(partition: number): string {
  return name(partition, 'events');
}
