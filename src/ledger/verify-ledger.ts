import { type RawBuilder, sql } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import { utcDay } from '../database/dialect.js';
import type { Database } from '../database/schema.js';

/** A stored figure that differs from the ledger. */
export interface LedgerDrift {
  readonly accountId: string;
  readonly mode: Mode;
  /**
   * `paid_credits`, `credited`, `credit_version`, `debt_credits`, `debt_version`, or a figure of a day's usage with day and key.
   */
  readonly figure: string;
  /** The stored value; null when there is no such row. */
  readonly stored: number | null;
  /** The value according to the ledger; null when it has no such entries. */
  readonly ledger: number | null;
}

type Row = Readonly<Record<string, unknown>> & {
  readonly account_id: string;
  readonly mode: Mode;
};

const BALANCE_FIGURES = ['paid_credits', 'credited', 'credit_version'];
const DEBT_FIGURES = ['debt_credits', 'debt_version'];
const USAGE_FIGURES = ['calls', 'credits', 'free_calls', 'last_at_ms'];

/**
 * Compares every balance, every debt and every day's usage with the sum of their entries. Reads the
 * whole ledger.
 *
 * @returns the figures that differ; empty when all agree
 */
export async function verifyLedger(db: Database): Promise<readonly LedgerDrift[]> {
  return [...(await balanceDrifts(db)), ...(await debtDrifts(db)), ...(await usageDrifts(db))];
}

async function debtDrifts(db: Database): Promise<LedgerDrift[]> {
  const rows = await compare(db, {
    names: ['account_id', 'mode'],
    figures: DEBT_FIGURES,
    stored: sql`select account_id, mode, debt_credits, debt_version from balances`,
    ledger: sql`select account_id, 'live' as mode, sum(credits) as debt_credits,
      count(*) as debt_version from debts group by account_id`,
  });
  return rows.flatMap((row) => drifts(row, DEBT_FIGURES, (figure) => figure, 0));
}

async function balanceDrifts(db: Database): Promise<LedgerDrift[]> {
  const rows = await compare(db, {
    names: ['account_id', 'mode'],
    figures: BALANCE_FIGURES,
    stored: sql`select account_id, mode, paid_credits, credited, credit_version from balances`,
    ledger: sql`select account_id, mode, sum(credits) as paid_credits,
        sum(case when kind = 'usage' then 0 else credits end) as credited,
        sum(case when kind = 'usage' then 0 else 1 end) as credit_version
      from ledger_entries group by account_id, mode`,
  });
  // All figures of a balance without entries must be zero.
  return rows.flatMap((row) => drifts(row, BALANCE_FIGURES, (figure) => figure, 0));
}

async function usageDrifts(db: Database): Promise<LedgerDrift[]> {
  const rows = await compare(db, {
    names: ['account_id', 'mode', 'day', 'key_id', 'operation'],
    figures: USAGE_FIGURES,
    stored: sql`select account_id, mode, day, key_id, operation, sum(calls) as calls,
        sum(credits) as credits, sum(free_calls) as free_calls, max(last_at_ms) as last_at_ms
      from usage_days group by account_id, mode, day, key_id, operation`,
    ledger: sql`select account_id, mode, day, key_id, operation, count(*) as calls,
        -sum(credits) as credits, sum(free_calls) as free_calls, max(at_ms) as last_at_ms
      from (select ledger_entries.*, ${utcDay(db, 'at_ms')} as day from ledger_entries
        where kind = 'usage') as dated
      group by account_id, mode, day, key_id, operation`,
  });
  return rows.flatMap((row) => {
    const name = (figure: string) => `${figure} ${row.day} ${row.key_id} ${row.operation}`;
    return drifts(row, USAGE_FIGURES, name, null);
  });
}

interface Comparison {
  /** Columns that identify a row. */
  readonly names: readonly string[];
  readonly figures: readonly string[];
  readonly stored: RawBuilder<unknown>;
  readonly ledger: RawBuilder<unknown>;
}

/**
 * Joins both sides: columns `stored_<figure>` and `ledger_<figure>`, null where a row is missing.
 */
async function compare(
  db: Database,
  { names, figures, stored, ledger }: Comparison,
): Promise<readonly Row[]> {
  const name = sql.join(names.map((column) => sql.ref(column)));
  const joined = (side: string) =>
    sql.join(
      names.map((column) => sql`${sql.ref(`${side}.${column}`)} = ${sql.ref(`owners.${column}`)}`),
      sql` and `,
    );
  const columns = ['stored', 'ledger'].flatMap((side) =>
    figures.map(
      (figure) => sql`${sql.ref(`${side}.${figure}`)} as ${sql.ref(`${side}_${figure}`)}`,
    ),
  );
  const { rows } = await sql<Row>`with stored as (${stored}), ledger as (${ledger}),
      owners as (select ${name} from stored union select ${name} from ledger)
    select owners.*, ${sql.join(columns)} from owners
    left join stored on ${joined('stored')} left join ledger on ${joined('ledger')}`.execute(db);
  return rows;
}

function drifts(
  row: Row,
  figures: readonly string[],
  name: (figure: string) => string,
  emptyLedger: 0 | null,
): LedgerDrift[] {
  return figures
    .map((figure) => ({
      accountId: row.account_id,
      mode: row.mode,
      figure: name(figure),
      stored: numberOr(row[`stored_${figure}`], null),
      ledger: numberOr(row[`ledger_${figure}`], emptyLedger),
    }))
    .filter(({ stored, ledger }) => stored !== ledger);
}

function numberOr(value: unknown, empty: 0 | null): number | null {
  return value === null ? empty : Number(value);
}
