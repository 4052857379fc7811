import { sql, type Transaction } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import { isDataError } from '../database/errors.js';
import type { Schema } from '../database/schema.js';
import { ownerOf, REQUEST_CAUSE, type UsageRow } from './charge.js';
import {
  type AnsweredCharge,
  type Booking,
  type LedgerColumns,
  type LockedBalance,
  planBooking,
} from './plan-booking.js';

type Trx = Transaction<Schema>;

/** Result of a batch. */
export interface Booked {
  readonly booked: number;
  /** Charges that were booked before: a worker died between its commit and the trimming of the stream. */
  readonly known: number;
  /** Credits forgiven by corrections. */
  readonly forgiven: number;
  readonly dead: readonly DeadCharge[];
}

/** A charge that cannot be booked, and why. */
export interface DeadCharge {
  readonly charge: AnsweredCharge;
  readonly reason: string;
}

/**
 * Books charges on PostgreSQL in their order: entries, balances, usage per day and answers. Two
 * callers must not book charges of the same accounts at once.
 *
 * @throws the error of PostgreSQL; if one charge breaks a constraint, none is booked
 */
export async function bookCharges(trx: Trx, charges: readonly AnsweredCharge[]): Promise<Booked> {
  const known = await bookedCauses(trx, charges);
  const fresh = charges.filter((charge) => {
    const cause = REQUEST_CAUSE + charge.requestId;
    // A cause twice in one batch: the first counts.
    return !known.has(cause) && known.add(cause);
  });
  const balances = await lockBalances(trx, fresh);
  const owned = fresh.filter((charge) => balances.has(ownerOf(charge)));
  const booking = planBooking(owned, balances);
  await write(trx, booking, [...balances.values()]);
  const dead = fresh
    .filter((charge) => !balances.has(ownerOf(charge)))
    .map((charge) => ({ charge, reason: `There is no account "${charge.accountId}".` }));
  return {
    booked: owned.length,
    known: charges.length - fresh.length,
    forgiven: booking.forgiven,
    dead,
  };
}

/**
 * Books a batch that `bookCharges` cannot book as a whole. A piece that fails is halved until only
 * the charge that cannot be booked is left.
 *
 * @throws an error of PostgreSQL that no charge causes
 */
export async function bookInPieces(trx: Trx, charges: readonly AnsweredCharge[]): Promise<Booked> {
  const [first] = charges;
  if (first === undefined) return { booked: 0, known: 0, forgiven: 0, dead: [] };
  try {
    return await inSavepoint(trx, () => bookCharges(trx, charges));
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (charges.length === 1) {
      const dead = [{ charge: first, reason: error.message }];
      return { booked: 0, known: 0, forgiven: 0, dead };
    }
    const middle = charges.length >> 1;
    const left = await bookInPieces(trx, charges.slice(0, middle));
    const right = await bookInPieces(trx, charges.slice(middle));
    return {
      booked: left.booked + right.booked,
      known: left.known + right.known,
      forgiven: left.forgiven + right.forgiven,
      dead: [...left.dead, ...right.dead],
    };
  }
}

/** Causes of those charges that are in the ledger. */
export async function bookedCauses(
  trx: Trx,
  charges: readonly Pick<AnsweredCharge, 'requestId'>[],
): Promise<Set<string>> {
  const causes = charges.map(({ requestId }) => REQUEST_CAUSE + requestId);
  const rows = await trx
    .selectFrom('ledger_entries')
    .select('cause')
    .where('cause', '=', sql<string>`any(${causes}::text[])`)
    .execute();
  return new Set(rows.map(({ cause }) => cause));
}

/**
 * Runs work that can be undone without the rest of the batch. Deferred constraints are checked
 * before the savepoint is released. Otherwise they would fail at the commit, with the whole batch.
 */
async function inSavepoint<Result>(trx: Trx, run: () => Promise<Result>): Promise<Result> {
  await sql`savepoint piece`.execute(trx);
  try {
    const result = await run();
    await sql`set constraints all immediate`.execute(trx);
    await sql`set constraints all deferred`.execute(trx);
    await sql`release savepoint piece`.execute(trx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint piece`.execute(trx);
    throw error;
  }
}

/** Locks the balances of the accounts charged, always in the same order. */
async function lockBalances(
  trx: Trx,
  charges: readonly AnsweredCharge[],
): Promise<Map<string, LockedBalance>> {
  const owners = new Map<string, AnsweredCharge>();
  for (const charge of charges) owners.set(ownerOf(charge), charge);
  const accounts = [...owners.values()].map(({ accountId }) => accountId);
  const modes = [...owners.values()].map(({ mode }) => mode);
  const { rows } = await sql<{ account_id: string; mode: Mode; paid_credits: string }>`
    select account_id, mode, paid_credits from balances
    where (account_id, mode) in (select * from unnest(${accounts}::text[], ${modes}::text[]))
    order by account_id, mode for update`.execute(trx);
  return new Map(
    rows.map(({ account_id: accountId, mode, paid_credits }) => {
      const counts = { paidCredits: Number(paid_credits), forgiven: 0, corrections: 0, spent: 0 };
      return [ownerOf({ accountId, mode }), { accountId, mode, ...counts }];
    }),
  );
}

async function write(
  trx: Trx,
  { ledger, days, answers }: Booking,
  balances: readonly LockedBalance[],
): Promise<void> {
  if (ledger.ids.length === 0) return;
  await writeLedger(trx, ledger);
  await writeBalances(
    trx,
    balances.filter(({ spent, corrections }) => spent > 0 || corrections > 0),
  );
  await writeUsage(trx, days);
  if (answers.length > 0) await writeAnswers(trx, answers);
}

async function writeLedger(trx: Trx, ledger: LedgerColumns): Promise<void> {
  await sql`
    insert into ledger_entries (id, account_id, mode, kind, credits, free_calls, cause, operation,
      key_id, rate_hits, at_ms, balance_after)
    select * from unnest(${ledger.ids}::text[], ${ledger.accounts}::text[],
      ${ledger.modes}::text[], ${ledger.kinds}::text[], ${ledger.credits}::bigint[],
      ${ledger.freeCalls}::int[], ${ledger.causes}::text[], ${ledger.operations}::text[],
      ${ledger.keys}::text[], ${ledger.rateHits}::int[], ${ledger.atMs}::bigint[],
      ${ledger.balancesAfter}::bigint[])`.execute(trx);
}

async function writeBalances(trx: Trx, changed: readonly LockedBalance[]): Promise<void> {
  if (changed.length === 0) return;
  const column = <Value>(read: (balance: LockedBalance) => Value) => changed.map(read);
  await sql`
    update balances set
      paid_credits = balances.paid_credits + change.forgiven - change.spent,
      credited = balances.credited + change.forgiven,
      credit_version = balances.credit_version + change.corrections
    from unnest(${column((row) => row.accountId)}::text[], ${column((row) => row.mode)}::text[],
      ${column((row) => row.spent)}::bigint[], ${column((row) => row.forgiven)}::bigint[],
      ${column((row) => row.corrections)}::int[])
      as change (account_id, mode, spent, forgiven, corrections)
    where balances.account_id = change.account_id and balances.mode = change.mode`.execute(trx);
}

async function writeUsage(trx: Trx, days: readonly UsageRow[]): Promise<void> {
  const column = <Value>(read: (day: UsageRow) => Value) => days.map(read);
  await sql`
    insert into usage_days (account_id, mode, day, key_id, operation, calls, credits, free_calls,
      last_at_ms)
    select * from unnest(${column((row) => row.accountId)}::text[],
      ${column((row) => row.mode)}::text[], ${column((row) => row.day)}::text[],
      ${column((row) => row.keyId)}::text[], ${column((row) => row.operation)}::text[],
      ${column((row) => row.calls)}::int[], ${column((row) => row.credits)}::bigint[],
      ${column((row) => row.freeCalls)}::int[], ${column((row) => row.lastAtMs)}::bigint[])
    on conflict (account_id, mode, day, key_id, operation) do update set
      calls = usage_days.calls + excluded.calls,
      credits = usage_days.credits + excluded.credits,
      free_calls = usage_days.free_calls + excluded.free_calls,
      last_at_ms = greatest(usage_days.last_at_ms, excluded.last_at_ms)`.execute(trx);
}

async function writeAnswers(trx: Trx, charges: readonly AnsweredCharge[]): Promise<void> {
  const column = <Value>(read: (charge: AnsweredCharge) => Value) => charges.map(read);
  await sql`
    insert into idempotent_answers (account_id, mode, operation, key, fingerprint, answer_json,
      remaining_free_calls, at_ms)
    select * from unnest(${column((row) => row.accountId)}::text[],
      ${column((row) => row.mode)}::text[], ${column((row) => row.operation)}::text[],
      ${column((row) => row.answer?.key)}::text[],
      ${column((row) => row.answer?.fingerprint)}::text[],
      ${column((row) => row.answer?.json)}::text[],
      ${column((row) => row.answer?.remainingFreeCalls ?? null)}::int[],
      ${column((row) => row.atMs)}::bigint[])
    on conflict (account_id, mode, operation, key) do update set
      fingerprint = excluded.fingerprint, answer_json = excluded.answer_json,
      remaining_free_calls = excluded.remaining_free_calls, at_ms = excluded.at_ms`.execute(trx);
}
