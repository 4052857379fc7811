import type { FreeUse, Mode } from '../../core/billing-terms.js';

/**
 * Names of the keys in Redis. All keys of a partition share its hash tag, so that one script may
 * use all of them, also on a cluster.
 */
function name(partition: number, rest: string): string {
  return `{p${partition}}:${rest}`;
}

/**
 * Hash of a partition's state.
 * - `generation`: number of this incarnation of its data; a new number after Redis was emptied
 * - `oldest`: time of Redis, in ms, of the oldest event that is not in the ledger; absent if there
 * is none
 * - `mark` and `marked_at`: only after Redis' clock was set back (see `stream-status.lua`)
 */
export function stateKey(partition: number): string {
  return name(partition, 'state');
}

/**
 * Hash of an API key: `id`, `account`, `mode`, `revoked` (`0` or `1`). The mark of a revoked key
 * has only `revoked`.
 */
export function apiKeyKey(partition: number, keyHash: string): string {
  return name(partition, `key:${keyHash}`);
}

/** List of the times of a key's hits in the window of the rate limit, in ms, oldest first. */
export function rateKey(partition: number, keyId: string): string {
  return name(partition, `rate:${keyId}`);
}

/**
 * Hash of an account's funds in a mode.
 * - `credited`, `version` (the number of entries that credited the account) and `spent` only grow
 * - `free`: its uses in the window of the free tier, see `packFreeUses`
 * - `debt` and `debt_version` (the number of its entries): only if the account was ever in debt
 * - `answers_from`, in ms: Redis has all idempotent answers stored since then; without this field,
 * Redis has all of them
 * - `answer_bytes`: the bytes of these answers, see `steps.lua`
 */
export function fundsKey(partition: number, accountId: string, mode: Mode): string {
  return name(partition, `funds:${accountId}:${mode}`);
}

/**
 * Stored answer of an idempotency key: a MessagePack map of `fingerprint`, `answer`, `at` (ms) and,
 * when the free tier paid, `remaining` (free calls left). It is not a hash, because that takes a
 * third more memory, and answers take most of the memory of Redis.
 */
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

/** Packs free uses as the hash of an account's funds holds them: `ms:calls,ms:calls,…`, oldest first. */
export function packFreeUses(uses: readonly FreeUse[]): string {
  return uses.map(({ atMs, calls }) => `${atMs}:${calls}`).join(',');
}

/**
 * Reads a text of `packFreeUses` or `steps.lua`.
 *
 * @throws TypeError for any other text
 */
export function unpackFreeUses(packed: string): FreeUse[] {
  if (packed === '') return [];
  return packed.split(',').map((use) => {
    const [, atMs, calls] = /^(\d+):(\d+)$/.exec(use) ?? [];
    if (calls === undefined) throw new TypeError(`"${use}" is not a free use.`);
    return { atMs: Number(atMs), calls: Number(calls) };
  });
}
