import { HOUR_MS } from './time.js';

/** The ledger of an account that a key spends from: live credits or the separate test ledger. */
export const MODES = ['live', 'test'] as const;
/** `live` or `test`. */
export type Mode = (typeof MODES)[number];

/**
 * Number of partitions of the accounts. An API key names the partition of its account, and Redis
 * keeps all data of a partition in one hash slot.
 */
export const PARTITIONS = 1024;

/** Free calls per rolling window (specification, 8). */
export const FREE_CALLS_PER_WINDOW = 10;

/** A price in words. The free tier pays for a whole request or not at all. */
export function priceText(credits: number): string {
  if (credits === 1) return '1 credit or free call';
  return credits > FREE_CALLS_PER_WINDOW
    ? `${credits} credits`
    : `${credits} credits or free calls`;
}

/** Length of the free tier's rolling window (specification, 8). */
export const FREE_WINDOW_HOURS = 24;
/** Length of the free tier's rolling window (specification, 8). */
export const FREE_WINDOW_MS = FREE_WINDOW_HOURS * HOUR_MS;
/** How long an idempotent answer is kept (decision 0001). */
export const IDEMPOTENCY_TTL_HOURS = 24;
/** How long an idempotent answer is kept (decision 0001). */
export const IDEMPOTENCY_TTL_MS = IDEMPOTENCY_TTL_HOURS * HOUR_MS;
/** Bytes that a stored answer counts in addition to its text and its key, for the fingerprint, names and indexes. */
export const ANSWER_EXTRA_BYTES = 256;
/** Default maximum size of the stored answers of an account in a mode, in bytes. */
export const ANSWERS_BYTES_MAX_DEFAULT = 64 * 1024 * 1024;
/** Requests per key and window (specification, 8). */
export const RATE_LIMIT_DEFAULT = 120;
/** Default number of requests with unknown API keys that an address may send in a minute. */
export const KEY_FAILURES_DEFAULT = 100;
/** Length of the rate limit's window (specification, 8). */
export const RATE_WINDOW_SECONDS = 60;
/** Length of the rate limit's window (specification, 8). */
export const RATE_WINDOW_MS = RATE_WINDOW_SECONDS * 1000;
/** Test credits that an account can get in 24 hours. */
export const TEST_CREDITS_PER_DAY = 1000;
/** Test credits that an account can get in 24 hours while its e-mail address is not confirmed (decision 0041). */
export const TEST_CREDITS_UNCONFIRMED = 100;

/** Sizes of the packs on sale, in credits (specification, 8.6). */
export const PACKS = [100, 500, 1000] as const;
/** Number of credits in a pack. */
export type PackCredits = (typeof PACKS)[number];

/** The pack of that size, or undefined if there is none. */
export function packOf(credits: number): PackCredits | undefined {
  return PACKS.find((pack) => pack === credits);
}

/** The data that an API key contains, without a look-up. */
export interface KeyIdentity {
  /** SHA-256 of the whole API key, lower-case hex. */
  readonly keyHash: string;
  /** Partition of the account to which the key would belong: 0 to 1023. The key need not exist. */
  readonly partition: number;
}

/** Free calls that one request used, at the time of booking. */
export interface FreeUse {
  readonly atMs: number;
  readonly calls: number;
}

/**
 * Returns the uses in the window that ends now. Uses with a later time come from a clock that ran ahead, and get the
 * present time. The next booking of the account stores this change.
 */
export function usesInWindow(uses: readonly FreeUse[], nowMs: number): FreeUse[] {
  return uses
    .filter(({ atMs }) => atMs > nowMs - FREE_WINDOW_MS)
    .map(({ atMs, calls }) => ({ atMs: Math.min(atMs, nowMs), calls }));
}

/** The credits and free calls of an account in one mode. */
export interface AccountFunds {
  readonly paidCredits: number;
  /** Credits owed for reversed payments. While an account owes credits, its live keys are refused. */
  readonly debtCredits: number;
  /** Uses within the free tier's window, oldest first. */
  readonly freeUses: readonly FreeUse[];
}

/** State of a key's rate limit after the step. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until more requests are allowed, rounded up; 0 if the limit is untouched. */
  readonly resetSeconds: number;
}
