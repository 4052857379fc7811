import { randomInt } from 'node:crypto';
import type { Mode } from '../core/billing-terms.js';
import { DAY_MS } from '../core/time.js';
import { newId } from '../database/ids.js';

/** A charged request, as the ledger books it. */
export interface Charge {
  /** Unique; see `REQUEST_CAUSE`. */
  readonly requestId: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly operation: string;
  /** Paid credits that the charge cost; 0 if the free tier paid. */
  readonly credits: number;
  /** Free calls it used; 0 where credits paid. */
  readonly freeCalls: number;
  /** Requests it counted against the rate limit. */
  readonly hits: number;
  /** When it is booked, ms since the epoch. */
  readonly atMs: number;
}

/** An idempotency key, with the account and mode in which it is valid. */
export interface AnswerScope {
  readonly accountId: string;
  readonly mode: Mode;
  readonly operation: string;
  readonly key: string;
}

/** The answer kept for an idempotency key. */
export interface StoredAnswer {
  /** Hash of the body of the request that was answered. */
  readonly fingerprint: string;
  readonly json: string;
  /** Free calls left after the charge; null if credits paid. */
  readonly remainingFreeCalls: number | null;
}

/**
 * The cause of a charge's ledger entry is this text followed by the id of the request. The ledger
 * books a cause once.
 */
export const REQUEST_CAUSE = 'request:';

/** Name of an account in a mode, for use as the key of a map. */
export function ownerOf({ accountId, mode }: Pick<Charge, 'accountId' | 'mode'>): string {
  return `${mode} ${accountId}`;
}

/** Width of a millisecond count in base 36; nine digits last until the year 5188. */
const TIME_CHARS = 9;
const COUNTER_CHARS = 4;
const COUNTER_END = 36 ** COUNTER_CHARS;

/** The smallest id of an entry of that moment; ids of later moments sort after it. */
export function firstEntryId(atMs: number): string {
  return Math.max(0, Math.floor(atMs)).toString(36).padStart(TIME_CHARS, '0');
}

/**
 * Makes ids of ledger entries that sort by time. So new rows are added at the end of the index, and
 * the entries of the last minute are one range. A random tag makes the ids unique across processes;
 * a counter makes them unique within a process.
 */
export function entryIdMaker(): (atMs: number) => string {
  const tag = newId('').slice(1, 9);
  let counter = randomInt(COUNTER_END);
  return (atMs) => {
    counter = (counter + 1) % COUNTER_END;
    return firstEntryId(atMs) + counter.toString(36).padStart(COUNTER_CHARS, '0') + tag;
  };
}

/** The `entryIdMaker` of this thread. */
export const newEntryId = entryIdMaker();

let latestDay = { number: Number.NaN, name: '' };

/** The day of a moment, `YYYY-MM-DD` in UTC. */
export function dayOf(atMs: number): string {
  const number = Math.floor(atMs / DAY_MS);
  // Nearly every call asks for the same day as the call before, and formatting a date is slow.
  if (latestDay.number !== number) {
    latestDay = { number, name: new Date(number * DAY_MS).toISOString().slice(0, 10) };
  }
  return latestDay.name;
}

/** A row of `usage_days`, as a batch adds to it. */
export interface UsageRow {
  readonly accountId: string;
  readonly mode: Mode;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly keyId: string;
  readonly operation: string;
  calls: number;
  credits: number;
  freeCalls: number;
  /** When the latest charge was booked, ms since the epoch. */
  lastAtMs: number;
}

/** Adds up the charges of a batch, so that the batch writes each row of `usage_days` once. */
export class BatchUsage {
  readonly #rows = new Map<string, UsageRow[]>();

  add({ accountId, mode, keyId, operation, credits, freeCalls, atMs }: Charge): void {
    const day = dayOf(atMs);
    let rows = this.#rows.get(keyId);
    if (rows === undefined) {
      rows = [];
      this.#rows.set(keyId, rows);
    }
    // The list is short: a key belongs to one account and mode, and a batch spans a day or two.
    let row = rows.find(
      (one) =>
        one.operation === operation &&
        one.day === day &&
        one.accountId === accountId &&
        one.mode === mode,
    );
    if (row === undefined) {
      const counts = { calls: 0, credits: 0, freeCalls: 0, lastAtMs: atMs };
      row = { accountId, mode, day, keyId, operation, ...counts };
      rows.push(row);
    }
    row.calls += 1;
    row.credits += credits;
    row.freeCalls += freeCalls;
    row.lastAtMs = Math.max(row.lastAtMs, atMs);
  }

  /** The rows added up so far. */
  rows(): readonly UsageRow[] {
    return [...this.#rows.values()].flat();
  }

  /** Forgets what was added. */
  clear(): void {
    this.#rows.clear();
  }
}
