import { HOUR_MS } from './time.js';

/** Which ledger of an account a key spends from: live credits or the separate test ledger. */
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

/** A price in words. The free tier pays for a request as a whole or not at all. */
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
/**
 * Bytes that a stored answer counts besides its text and its key: fingerprint, names and indexes.
 */
export const ANSWER_EXTRA_BYTES = 256;
/** Bytes of stored answers that an account may keep in a mode. */
export const ANSWERS_BYTES_MAX_DEFAULT = 64 * 1024 * 1024;
/** Requests per key and window (specification, 8). */
export const RATE_LIMIT_DEFAULT = 120;
/** Requests with unknown API keys that an address may send in a minute, by default. */
export const KEY_FAILURES_DEFAULT = 100;
/** Length of the rate limit's window (specification, 8). */
export const RATE_WINDOW_SECONDS = 60;
/** Length of the rate limit's window (specification, 8). */
export const RATE_WINDOW_MS = RATE_WINDOW_SECONDS * 1000;
/** Test credits an account may be granted in 24 hours. */
export const TEST_CREDITS_PER_DAY = 1000;
/** The same for an account whose e-mail address is not confirmed (decision 0041). */
export const TEST_CREDITS_UNCONFIRMED = 100;

/** Sizes of the packs on sale, in credits (specification, 8.6). */
export const PACKS = [100, 500, 1000] as const;
/** One of them. */
export type PackCredits = (typeof PACKS)[number];

/** The pack of that size, or undefined where there is none. */
export function packOf(credits: number): PackCredits | undefined {
  return PACKS.find((pack) => pack === credits);
}

/** What an API key tells without a look-up. */
export interface KeyIdentity {
  /** SHA-256 of the whole API key, lower-case hex. */
  readonly keyHash: string;
  /** Partition of the account the key belongs to, if the key exists: 0 to 1023. */
  readonly partition: number;
}

/** Free calls one request used, at the time they are booked. */
export interface FreeUse {
  readonly atMs: number;
  readonly calls: number;
}

/**
 * The uses in the window that ends now. Uses later than now, from a clock that ran ahead, count as
 * made now; the next step of the account stores that.
 */
export function usesInWindow(uses: readonly FreeUse[], nowMs: number): FreeUse[] {
  return uses
    .filter(({ atMs }) => atMs > nowMs - FREE_WINDOW_MS)
    .map(({ atMs, calls }) => ({ atMs: Math.min(atMs, nowMs), calls }));
}

/** What an account can spend in one mode. */
export interface AccountFunds {
  readonly paidCredits: number;
  /** Credits owed for reversed payments. While there are any, live keys are refused. */
  readonly debtCredits: number;
  /** Uses that have not left the free tier's window, oldest first. */
  readonly freeUses: readonly FreeUse[];
}

/** State of a key's rate limit after the step. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until more requests are free, rounded up; 0 with the limit untouched. */
  readonly resetSeconds: number;
}
