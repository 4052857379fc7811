import type { Mode } from '../../core/billing-terms.js';
import { entryIdMaker } from '../../database/ids.js';
import type { UsageEvent } from '../redis/event.js';

/** A balance as it is locked for a booking; changed while entries are made. */
export interface LockedBalance {
  readonly accountId: string;
  readonly mode: Mode;
  paidCredits: number;
  /** Credits forgiven by corrections in this booking. */
  forgiven: number;
  corrections: number;
  /** Credits spent in this booking. */
  spent: number;
}

/** Rows of the ledger, a list per column: the form in which `unnest` takes them. */
export interface LedgerColumns {
  readonly ids: string[];
  readonly accounts: string[];
  readonly modes: Mode[];
  readonly kinds: ('usage' | 'correction')[];
  readonly credits: number[];
  readonly freeCalls: number[];
  readonly causes: string[];
  readonly operations: (string | null)[];
  readonly keys: (string | null)[];
  readonly rateHits: number[];
  readonly atMs: number[];
  readonly balancesAfter: number[];
}

/** Usage of one key and operation on one day (UTC). */
export interface UsageDay {
  readonly accountId: string;
  readonly mode: Mode;
  readonly day: string;
  readonly keyId: string;
  readonly operation: string;
  calls: number;
  credits: number;
  freeCalls: number;
  lastAtMs: number;
}

/** What a batch of events comes to. */
export interface Booking {
  readonly ledger: LedgerColumns;
  readonly days: readonly UsageDay[];
  /** Events whose answer is to be kept, the last one of each idempotency key. */
  readonly answers: readonly UsageEvent[];
  /** Credits forgiven because the ledger could not pay. */
  readonly forgiven: number;
}

const DAY_MS = 24 * 3600 * 1000;
const newEntryId = entryIdMaker();

/** Cause of a usage entry; one request is booked once. */
export function causeOf(event: Pick<UsageEvent, 'requestId'>): string {
  return `request:${event.requestId}`;
}

/** Name of an account in a mode, for maps. */
export function ownerOf({ accountId, mode }: { accountId: string; mode: Mode }): string {
  return `${mode} ${accountId}`;
}

/**
 * Turns events into rows, in their order, and changes the balances accordingly. An event the
 * balance cannot pay (Redis lost charges or credits in between) is preceded by a correction that
 * forgives the difference: the answer has been given, and a balance is never below zero.
 *
 * @param balances by `ownerOf`, one for every event's account
 */
export function planBooking(
  events: readonly UsageEvent[],
  balances: ReadonlyMap<string, LockedBalance>,
): Booking {
  const ledger = emptyLedger();
  const days = new Map<string, UsageDay>();
  const answers = new Map<string, UsageEvent>();
  let forgiven = 0;
  for (const event of events) {
    const balance = balances.get(ownerOf(event));
    if (balance === undefined) throw new Error(`no balance of account ${event.accountId}`);
    const missing = event.credits - balance.paidCredits;
    if (missing > 0) {
      forgive(ledger, balance, event, missing);
      forgiven += missing;
    }
    balance.paidCredits -= event.credits;
    balance.spent += event.credits;
    addEntry(ledger, event, balance.paidCredits);
    addUsage(days, event);
    if (event.answer !== undefined) {
      answers.set(`${ownerOf(event)} ${event.operation} ${event.answer.key}`, event);
    }
  }
  return { ledger, days: [...days.values()], answers: [...answers.values()], forgiven };
}

function emptyLedger(): LedgerColumns {
  return {
    ids: [],
    accounts: [],
    modes: [],
    kinds: [],
    credits: [],
    freeCalls: [],
    causes: [],
    operations: [],
    keys: [],
    rateHits: [],
    atMs: [],
    balancesAfter: [],
  };
}

function forgive(
  ledger: LedgerColumns,
  balance: LockedBalance,
  event: UsageEvent,
  credits: number,
): void {
  balance.paidCredits += credits;
  balance.forgiven += credits;
  balance.corrections += 1;
  ledger.ids.push(newEntryId(event.atMs));
  ledger.accounts.push(event.accountId);
  ledger.modes.push(event.mode);
  ledger.kinds.push('correction');
  ledger.credits.push(credits);
  ledger.freeCalls.push(0);
  ledger.causes.push(`correction:forgiven:${causeOf(event)}`);
  ledger.operations.push(null);
  ledger.keys.push(null);
  ledger.rateHits.push(0);
  ledger.atMs.push(event.atMs);
  ledger.balancesAfter.push(balance.paidCredits);
}

function addEntry(ledger: LedgerColumns, event: UsageEvent, balanceAfter: number): void {
  ledger.ids.push(newEntryId(event.atMs));
  ledger.accounts.push(event.accountId);
  ledger.modes.push(event.mode);
  ledger.kinds.push('usage');
  ledger.credits.push(-event.credits);
  ledger.freeCalls.push(event.freeCalls);
  ledger.causes.push(causeOf(event));
  ledger.operations.push(event.operation);
  ledger.keys.push(event.keyId);
  ledger.rateHits.push(event.hits);
  ledger.atMs.push(event.atMs);
  ledger.balancesAfter.push(balanceAfter);
}

function addUsage(days: Map<string, UsageDay>, event: UsageEvent): void {
  const { accountId, mode, keyId, operation } = event;
  const dayNumber = Math.floor(event.atMs / DAY_MS);
  const name = `${dayNumber} ${mode} ${keyId} ${operation} ${accountId}`;
  let row = days.get(name);
  if (row === undefined) {
    const day = new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
    const counts = { calls: 0, credits: 0, freeCalls: 0, lastAtMs: event.atMs };
    row = { accountId, mode, day, keyId, operation, ...counts };
    days.set(name, row);
  }
  row.calls += 1;
  row.credits += event.credits;
  row.freeCalls += event.freeCalls;
  row.lastAtMs = Math.max(row.lastAtMs, event.atMs);
}
