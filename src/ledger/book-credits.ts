import type { Transaction } from 'kysely';
import { MODES, type Mode } from '../core/billing-terms.js';
import { isPostgres } from '../database/dialect.js';
import type { EntryKind, Schema } from '../database/schema.js';
import { newEntryId } from './charge.js';

/** A change of a paid balance other than usage. */
export interface CreditEntry {
  readonly accountId: string;
  readonly mode: Mode;
  readonly kind: Exclude<EntryKind, 'usage'>;
  /** Signed; only a correction may take credits. */
  readonly credits: number;
  /** The whole cause, including the kind. The ledger books a cause once. */
  readonly cause: string;
  readonly atMs: number;
}

/** Opens the empty balances of a new account, one for each mode. */
export async function openBalances(trx: Transaction<Schema>, accountId: string): Promise<void> {
  const balances = MODES.map((mode) => ({ account_id: accountId, mode, paid_credits: 0 }));
  await trx.insertInto('balances').values(balances).execute();
}

/** Paid credits of an account in a mode, and what it owes. */
export interface Balance {
  readonly paidCredits: number;
  readonly debtCredits: number;
}

/**
 * Reads a balance and keeps others from changing it until the transaction ends. On SQLite the
 * transaction already holds the only write lock.
 */
export async function lockBalance(
  trx: Transaction<Schema>,
  accountId: string,
  mode: Mode,
): Promise<Balance> {
  const query = trx
    .selectFrom('balances')
    .select(['paid_credits', 'debt_credits'])
    .where('account_id', '=', accountId)
    .where('mode', '=', mode);
  const locked = isPostgres(trx) ? query.forNoKeyUpdate() : query;
  const { paid_credits, debt_credits } = await locked.executeTakeFirstOrThrow();
  return { paidCredits: paid_credits, debtCredits: debt_credits };
}

/**
 * Books credits within the caller's transaction: the balance and its ledger entry.
 *
 * @returns the paid balance after the booking
 * @throws the database's error when the balance would fall below zero or the cause is booked
 */
export async function bookCredits(trx: Transaction<Schema>, entry: CreditEntry): Promise<number> {
  const { accountId, mode, kind, credits, cause, atMs } = entry;
  const { paid_credits: balance } = await trx
    .updateTable('balances')
    .set((eb) => ({
      paid_credits: eb('paid_credits', '+', credits),
      credited: eb('credited', '+', credits),
      credit_version: eb('credit_version', '+', 1),
    }))
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .returning('paid_credits')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('ledger_entries')
    .values({
      ...(isPostgres(trx) ? { id: newEntryId(atMs) } : {}),
      account_id: accountId,
      mode,
      kind,
      credits,
      free_calls: 0,
      cause,
      operation: null,
      key_id: null,
      rate_hits: 0,
      at_ms: atMs,
      balance_after: balance,
    })
    .execute();
  return balance;
}
