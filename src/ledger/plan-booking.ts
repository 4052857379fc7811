import type { Mode } from '../core/billing-terms.js';
import {
  BatchUsage,
  type Charge,
  newEntryId,
  ownerOf,
  REQUEST_CAUSE,
  type StoredAnswer,
  type UsageRow,
} from './charge.js';

/** A charge, with the answer to store if its request had an idempotency key. */
export interface AnsweredCharge extends Charge {
  readonly answer?: StoredAnswer & { readonly key: string };
}

/** A balance as it is locked for a booking; it changes while entries are planned. */
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

/** The rows that a batch of charges writes. */
export interface Booking {
  readonly ledger: LedgerColumns;
  readonly days: readonly UsageRow[];
  /** Charges whose answer is stored: the last charge of each idempotency key. */
  readonly answers: readonly AnsweredCharge[];
  /** Credits forgiven because the balance could not pay. */
  readonly forgiven: number;
}

/**
 * Turns charges into rows, in their order, and changes the balances accordingly. A balance may be
 * too low for a charge, because Redis has lost charges or credits. A correction before the charge
 * then forgives the difference: the answer was already given, and a balance is never below zero.
 *
 * @param balances by `ownerOf`, one for the account of every charge
 */
export function planBooking(
  charges: readonly AnsweredCharge[],
  balances: ReadonlyMap<string, LockedBalance>,
): Booking {
  const ledger = emptyLedger();
  const days = new BatchUsage();
  const answers = new Map<string, AnsweredCharge>();
  let forgiven = 0;
  for (const charge of charges) {
    const balance = balances.get(ownerOf(charge));
    if (balance === undefined) throw new Error(`no balance of account ${charge.accountId}`);
    const missing = charge.credits - balance.paidCredits;
    if (missing > 0) {
      forgive(ledger, balance, charge, missing);
      forgiven += missing;
    }
    balance.paidCredits -= charge.credits;
    balance.spent += charge.credits;
    addEntry(ledger, charge, balance.paidCredits);
    days.add(charge);
    if (charge.answer !== undefined) {
      answers.set(`${ownerOf(charge)} ${charge.operation} ${charge.answer.key}`, charge);
    }
  }
  return { ledger, days: days.rows(), answers: [...answers.values()], forgiven };
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
  charge: Charge,
  credits: number,
): void {
  balance.paidCredits += credits;
  balance.forgiven += credits;
  balance.corrections += 1;
  ledger.ids.push(newEntryId(charge.atMs));
  ledger.accounts.push(charge.accountId);
  ledger.modes.push(charge.mode);
  ledger.kinds.push('correction');
  ledger.credits.push(credits);
  ledger.freeCalls.push(0);
  ledger.causes.push(`correction:forgiven:${REQUEST_CAUSE}${charge.requestId}`);
  ledger.operations.push(null);
  ledger.keys.push(null);
  ledger.rateHits.push(0);
  ledger.atMs.push(charge.atMs);
  ledger.balancesAfter.push(balance.paidCredits);
}

function addEntry(ledger: LedgerColumns, charge: Charge, balanceAfter: number): void {
  ledger.ids.push(newEntryId(charge.atMs));
  ledger.accounts.push(charge.accountId);
  ledger.modes.push(charge.mode);
  ledger.kinds.push('usage');
  ledger.credits.push(-charge.credits);
  ledger.freeCalls.push(charge.freeCalls);
  ledger.causes.push(REQUEST_CAUSE + charge.requestId);
  ledger.operations.push(charge.operation);
  ledger.keys.push(charge.keyId);
  ledger.rateHits.push(charge.hits);
  ledger.atMs.push(charge.atMs);
  ledger.balancesAfter.push(balanceAfter);
}
