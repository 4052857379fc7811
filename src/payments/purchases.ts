import type { Selectable } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import type { Database, PurchasesTable, RefundsTable } from '../database/schema.js';
import type { Price, ProviderName } from './provider.js';

/** What has become of a purchase; `refused` means paid, but not as agreed, and not credited. */
export type PurchaseState = PurchasesTable['state'];

/** Money given back for a purchase. */
export interface Refund {
  readonly id: string;
  readonly price: Price;
  /** The money did not go back after all. */
  readonly failed: boolean;
  /** Credits that belong to the money. */
  readonly creditsDue: number;
  /** Those of them that had not been spent yet and were taken back. */
  readonly creditsTaken: number;
  readonly atMs: number;
}

/** A pack bought, or about to be. */
export interface Purchase {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly credits: number;
  readonly provider: ProviderName;
  readonly sessionId: string;
  /** Known once paid. */
  readonly paymentId: string | null;
  readonly price: Price;
  readonly state: PurchaseState;
  /** Why it was refused. */
  readonly note: string | null;
  readonly createdAtMs: number;
  /** When it came to be paid, failed, expired or refused. */
  readonly settledAtMs: number | null;
  readonly refunds: readonly Refund[];
}

/** Most purchases one page lists. */
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

/** A purchase of an account; undefined where that account has none of that id. */
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
