import { sql } from 'kysely';
import type { Database } from '../database/schema.js';
import type { Mode } from './gate.js';

/** A balance that is not what the ledger says. */
export interface LedgerDrift {
  readonly accountId: string;
  readonly mode: Mode;
  /** The stored balance; null where there is none. */
  readonly balance: number | null;
  /** Sum of the ledger's credits. */
  readonly ledgerCredits: number;
}

/**
 * Compares every balance with the sum of its ledger entries. Reads the whole ledger.
 *
 * @returns the balances that differ or are negative; empty when all is well
 */
export async function verifyLedger(db: Database): Promise<readonly LedgerDrift[]> {
  const { rows } = await sql<{
    account_id: string;
    mode: Mode;
    balance: number | null;
    credits: number;
  }>`
    select owners.account_id, owners.mode, balances.paid_credits as balance,
      coalesce(sums.credits, 0) as credits
    from (select account_id, mode from balances
      union select account_id, mode from ledger_entries) as owners
    left join balances on balances.account_id = owners.account_id and balances.mode = owners.mode
    left join (select account_id, mode, sum(credits) as credits from ledger_entries
      group by account_id, mode) as sums
      on sums.account_id = owners.account_id and sums.mode = owners.mode`.execute(db);
  return rows
    .map((row) => ({
      accountId: row.account_id,
      mode: row.mode,
      balance: row.balance === null ? null : Number(row.balance),
      ledgerCredits: Number(row.credits),
    }))
    .filter(({ balance, ledgerCredits }) => balance !== ledgerCredits || balance < 0);
}
