import type { Mode } from '../core/billing-terms.js';
import { DAY_MS } from '../core/time.js';
import type { Database, EntryKind } from '../database/schema.js';
import { dayOf } from './charge.js';

/** A line of an account's ledger as people read it: one entry, or the usage of a whole day. */
export interface LedgerLine {
  readonly kind: EntryKind;
  /** When the entry was booked; for usage, the last moment of its day. */
  readonly atMs: number;
  /** Signed change of the paid balance. */
  readonly credits: number;
  readonly freeCalls: number;
  /** Calls of the day; 0 for other lines. */
  readonly calls: number;
  /** Cause of the entry, such as `purchase:<id>`; `usage:<day>` for a day. */
  readonly cause: string;
  /** Paid balance after the entry; for usage, the balance at the end of its day. */
  readonly balanceAfter: number;
}

/** Some lines, the newest first, and the cursor of the next page. */
export interface LedgerPage {
  readonly lines: readonly LedgerLine[];
  /** The `before` of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** Lines of a page. */
const PAGE_LINES = 50;
const CURSOR = /^(\d{1,15})\.([\w:.-]{1,40})$/;
/** A time after every entry. */
const FAR_MS = Date.UTC(9999, 0);
/**
 * Sorts after the id of every entry, so that a day comes before entries of its last millisecond.
 */
const DAY_ID = 'zzzz';
/** Digits of the largest integer id of an entry. */
const ID_DIGITS = 16;

/** Where a page begins: the lines before it in time. */
interface Moment {
  readonly atMs: number;
  readonly id: string;
}

interface Keyed {
  readonly id: string;
  readonly line: LedgerLine;
}

/**
 * A page of an account's ledger. Purchases, grants and corrections have a line each; usage has a
 * line per day. It reads an index and the daily sums, so it is fast even after much usage.
 *
 * @param before `next` of the previous page; any other text starts at the newest line
 */
export async function ledgerPage(
  db: Database,
  accountId: string,
  mode: Mode,
  before?: string,
): Promise<LedgerPage> {
  const [, atText, id] = CURSOR.exec(before ?? '') ?? [];
  const from =
    atText === undefined || id === undefined
      ? { atMs: FAR_MS, id: DAY_ID }
      : { atMs: Math.min(Number(atText), FAR_MS), id };
  const entries = await readEntries(db, accountId, mode, from);
  const days = await readDays(db, accountId, mode, from.atMs);
  const all = [...entries, ...days].sort(newestFirst);
  const top = days.length === 0 ? 0 : await balanceAt(db, accountId, mode, from);
  const shown = withBalances(all.slice(0, PAGE_LINES), top);
  const last = shown.at(-1);
  const more = all.length > shown.length && last !== undefined;
  return {
    lines: shown.map(({ line }) => line),
    next: more ? `${last.line.atMs}.${last.id}` : undefined,
  };
}

/**
 * Sets the balance of the lines of usage.
 *
 * @param top balance after the first line
 */
function withBalances(lines: readonly Keyed[], top: number): readonly Keyed[] {
  let balance = top;
  return lines.map(({ id, line }) => {
    const balanceAfter = line.kind === 'usage' ? balance : line.balanceAfter;
    balance -= line.credits;
    return { id, line: { ...line, balanceAfter } };
  });
}

/** The balance at a moment: the sum of all lines up to it. Entries and days are kept for ever. */
async function balanceAt(
  db: Database,
  accountId: string,
  mode: Mode,
  from: Moment,
): Promise<number> {
  const { spent } = await db
    .selectFrom('usage_days')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('credits'), eb.lit(0)).as('spent'))
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('day', '<=', dayOf(from.atMs - DAY_MS))
    .executeTakeFirstOrThrow();
  const { booked } = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('credits'), eb.lit(0)).as('booked'))
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('kind', '<>', 'usage')
    .where('at_ms', '<=', from.atMs)
    .where((eb) => eb.or([eb('at_ms', '<', from.atMs), eb('id', '<', from.id)]))
    .executeTakeFirstOrThrow();
  return Number(booked) - Number(spent);
}

function newestFirst(one: Keyed, other: Keyed): number {
  if (one.line.atMs !== other.line.atMs) return other.line.atMs - one.line.atMs;
  return one.id < other.id ? 1 : -1;
}

async function readEntries(
  db: Database,
  accountId: string,
  mode: Mode,
  from: Moment,
): Promise<Keyed[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['id', 'kind', 'at_ms', 'credits', 'free_calls', 'cause', 'balance_after'])
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('kind', '<>', 'usage')
    .where('at_ms', '<=', from.atMs)
    .where((eb) => eb.or([eb('at_ms', '<', from.atMs), eb('id', '<', from.id)]))
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE_LINES + 1)
    .execute();
  return rows.map((row) => ({
    // With leading zeros, the integers of SQLite sort as text, and SQLite reads them as integers.
    id: String(row.id).padStart(ID_DIGITS, '0'),
    line: {
      kind: row.kind,
      atMs: row.at_ms,
      credits: row.credits,
      freeCalls: row.free_calls,
      calls: 0,
      cause: row.cause,
      balanceAfter: row.balance_after,
    },
  }));
}

/** Usage of the days that ended before a moment. */
async function readDays(
  db: Database,
  accountId: string,
  mode: Mode,
  beforeMs: number,
): Promise<Keyed[]> {
  const rows = await db
    .selectFrom('usage_days')
    .select((eb) => [
      'day',
      eb.fn.sum<number>('calls').as('calls'),
      eb.fn.sum<number>('credits').as('credits'),
      eb.fn.sum<number>('free_calls').as('free_calls'),
    ])
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('day', '<=', dayOf(beforeMs - DAY_MS))
    .groupBy('day')
    .orderBy('day', 'desc')
    .limit(PAGE_LINES + 1)
    .execute();
  return rows.map((row) => ({
    id: DAY_ID,
    line: {
      kind: 'usage',
      atMs: Date.parse(row.day) + DAY_MS - 1,
      credits: 0 - Number(row.credits),
      freeCalls: Number(row.free_calls),
      calls: Number(row.calls),
      cause: `usage:${row.day}`,
      // Set by `withBalances`.
      balanceAfter: 0,
    },
  }));
}
