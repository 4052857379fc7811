import type { Selectable } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import type { Database, PurchasesTable, RefundsTable } from '../database/schema.js';
import type { Price, ProviderName } from './provider.js';

/** State of a purchase; `refused` means paid, but not as agreed, and therefore not credited. */
export type PurchaseState = PurchasesTable['state'];

/** A refund of a purchase, or of a part of it. */
export interface Refund {
  readonly id: string;
  readonly price: Price;
  /** Whether the refund failed, so that the money stayed here. */
  readonly failed: boolean;
  /** Credits in proportion to the refunded money. */
  readonly creditsDue: number;
  /** Credits that were taken back because they were not spent yet. */
  readonly creditsTaken: number;
  readonly atMs: number;
}

/** The purchase of a pack, paid or not. */
export interface Purchase {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly credits: number;
  readonly provider: ProviderName;
  readonly sessionId: string;
  /** The provider's id of the payment; null until paid. */
  readonly paymentId: string | null;
  readonly price: Price;
  readonly state: PurchaseState;
  /** Why the purchase was refused; null otherwise. */
  readonly note: string | null;
  readonly createdAtMs: number;
  /** When the purchase was paid, failed, expired or refused; null before. */
  readonly settledAtMs: number | null;
  readonly refunds: readonly Refund[];
}

/** Maximum number of purchases in a list. */
export const PURCHASES_MAX = 100;

/** The newest purchases of an account, at most 100. */
export async function listPurchases(db: Database, accountId: string): Promise<readonly Purchase[]> {
  const rows = await db
    .selectFrom('purchases')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(PURCHASES_MAX)
    .execute();
  return await withRefunds(db, rows);
}

/** A purchase of an account; undefined if the account has no purchase with that id. */
export async function findPurchase(
  db: Database,
  accountId: string,
  purchaseId: string,
): Promise<Purchase | undefined> {
  const rows = await db
    .selectFrom('purchases')
    .selectAll()
    .where('id', '=', purchaseId)
    .where('account_id', '=', accountId)
    .execute();
  return (await withRefunds(db, rows))[0];
}

async function withRefunds(
  db: Database,
  rows: readonly Selectable<PurchasesTable>[],
): Promise<readonly Purchase[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const refunds = await db
    .selectFrom('refunds')
    .selectAll()
    .where('purchase_id', 'in', ids)
    .orderBy('created_at_ms')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    credits: row.credits,
    provider: row.provider,
    sessionId: row.session_id,
    paymentId: row.payment_id,
    price: { amountMinor: row.amount_minor, currency: row.currency },
    state: row.state,
    note: row.note,
    createdAtMs: row.created_at_ms,
    settledAtMs: row.settled_at_ms,
    refunds: refunds.filter(({ purchase_id }) => purchase_id === row.id).map(asRefund),
  }));
}

function asRefund(row: Selectable<RefundsTable>): Refund {
  return {
    id: row.id,
    price: { amountMinor: row.amount_minor, currency: row.currency },
    failed: row.failed === 1,
    creditsDue: row.credits_due,
    creditsTaken: row.credits_taken,
    atMs: row.created_at_ms,
  };
}
