import type { SqliteStatement } from '../../database/sqlite.js';
import type { KeyState } from './writer-state.js';

const DAY_MS = 24 * 3600 * 1000;

/** Usage of one key, operation and day. */
interface UsageRow {
  readonly key: KeyState;
  readonly operation: string;
  /** Days since the epoch. */
  readonly day: number;
  calls: number;
  credits: number;
  freeCalls: number;
  lastAtMs: number;
}

/** Adds up what a batch charges, so that each row of `usage_days` is written once for it. */
export class BatchUsage {
  readonly #rows = new Map<KeyState, UsageRow[]>();

  /** Notes one charged request; all counts are 0 or more. */
  add(key: KeyState, operation: string, credits: number, freeCalls: number, atMs: number): void {
    const day = Math.floor(atMs / DAY_MS);
    let rows = this.#rows.get(key);
    if (rows === undefined) {
      rows = [];
      this.#rows.set(key, rows);
    }
    // A handful at most: there are five operations, and midnight is once a day.
    let row = rows.find((one) => one.operation === operation && one.day === day);
    if (row === undefined) {
      row = { key, operation, day, calls: 0, credits: 0, freeCalls: 0, lastAtMs: atMs };
      rows.push(row);
    }
    row.calls += 1;
    row.credits += credits;
    row.freeCalls += freeCalls;
    row.lastAtMs = Math.max(row.lastAtMs, atMs);
  }

  /** Writes what was added and forgets it. */
  flush(statement: SqliteStatement): void {
    for (const rows of this.#rows.values()) {
      for (const { key, operation, day, calls, credits, freeCalls, lastAtMs } of rows) {
        const { id, accountId, mode } = key.info;
        const name = [accountId, mode, dayName(day), id, operation];
        statement.run(...name, calls, credits, freeCalls, lastAtMs);
      }
    }
    this.#rows.clear();
  }

  /** Forgets what was added. */
  clear(): void {
    this.#rows.clear();
  }
}

let named = { day: Number.NaN, name: '' };

/** `YYYY-MM-DD` of a day since the epoch; nearly always the same as the last. */
function dayName(day: number): string {
  if (named.day !== day) named = { day, name: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  return named.name;
}
