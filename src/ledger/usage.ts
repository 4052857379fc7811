import type { Mode } from '../core/billing-terms.js';
import { DAY_MS } from '../core/time.js';
import type { Database } from '../database/schema.js';
import { dayOf } from './charge.js';

/** Usage of one operation by one key on one day. */
export interface UsageDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly keyId: string;
  readonly operation: string;
  /** Charged requests. */
  readonly calls: number;
  readonly credits: number;
  readonly freeCalls: number;
}

/** All calls of a key, and the time of the last call. */
export interface KeyUsage {
  readonly calls: number;
  readonly lastAtMs: number;
}

/** The last `count` days up to today, in UTC, the oldest first. */
export function lastDays(count: number, nowMs: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => dayOf(nowMs - (count - 1 - index) * DAY_MS));
}

/** Usage of an account in a mode from the first day to the last, both included. */
export async function usageByDay(
  db: Database,
  accountId: string,
  mode: Mode,
  firstDay: string,
  lastDay: string,
): Promise<readonly UsageDay[]> {
  const rows = await db
    .selectFrom('usage_days')
    .select((eb) => [
      'day',
      'key_id',
      'operation',
      eb.fn.sum<number>('calls').as('calls'),
      eb.fn.sum<number>('credits').as('credits'),
      eb.fn.sum<number>('free_calls').as('free_calls'),
    ])
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('day', '>=', firstDay)
    .where('day', '<=', lastDay)
    .groupBy(['day', 'key_id', 'operation'])
    .orderBy('day')
    .orderBy('key_id')
    .orderBy('operation')
    .execute();
  return rows.map((row) => ({
    day: row.day,
    keyId: row.key_id,
    operation: row.operation,
    calls: Number(row.calls),
    credits: Number(row.credits),
    freeCalls: Number(row.free_calls),
  }));
}

/** Usage of each key of an account by the key's id; keys that were never used are left out. */
export async function usageByKey(
  db: Database,
  accountId: string,
): Promise<ReadonlyMap<string, KeyUsage>> {
  const rows = await db
    .selectFrom('usage_days')
    .select((eb) => [
      'key_id',
      eb.fn.sum<number>('calls').as('calls'),
      eb.fn.max('last_at_ms').as('last_at_ms'),
    ])
    .where('account_id', '=', accountId)
    .groupBy('key_id')
    .execute();
  return new Map(
    rows.map((row) => [row.key_id, { calls: Number(row.calls), lastAtMs: Number(row.last_at_ms) }]),
  );
}
