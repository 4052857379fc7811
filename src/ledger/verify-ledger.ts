import { type RawBuilder, sql } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import { isPostgres, utcDay } from '../database/dialect.js';
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
 * whole ledger. On PostgreSQL archived partitions count with the sums that were kept of them.
 *
 * @returns the figures that differ; empty when all agree
 */
export async function verifyLedger(db: Database): Promise<readonly LedgerDrift[]> {
  const debts = await debtDrifts(db);
  const drifts = [...(await balanceDrifts(db)), ...debts, ...(await usageDrifts(db))];
  if (!isPostgres(db)) return drifts;
  return [...drifts, ...(await creditDrifts(db)), ...(await archiveDrifts(db))];
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
  const entries = sql`select account_id, mode, sum(credits) as paid_credits,
      sum(case when kind = 'usage' then 0 else credits end) as credited,
      sum(case when kind = 'usage' then 0 else 1 end) as credit_version
    from ledger_entries group by account_id, mode`;
  const rows = await compare(db, {
    names: ['account_id', 'mode'],
    figures: BALANCE_FIGURES,
    stored: sql`select account_id, mode, paid_credits, credited, credit_version from balances`,
    ledger: isPostgres(db)
      ? sql`select account_id, mode, sum(paid_credits) as paid_credits, sum(credited) as credited,
          sum(credit_version) as credit_version
        from (${entries} union all select account_id, mode, credits, credited, credit_version
          from ledger_archived_sums) as parts group by account_id, mode`
      : entries,
  });
  // All figures of a balance without entries must be zero.
  return rows.flatMap((row) => drifts(row, BALANCE_FIGURES, (figure) => figure, 0));
}

const ARCHIVED = sql`exists (select from ledger_archives where day >= from_day and day < to_day)`;

async function usageDrifts(db: Database): Promise<LedgerDrift[]> {
  const open = isPostgres(db) ? sql`where not ${ARCHIVED}` : sql``;
  const rows = await compare(db, {
    names: ['account_id', 'mode', 'day', 'key_id', 'operation'],
    figures: USAGE_FIGURES,
    stored: sql`select account_id, mode, day, key_id, operation, sum(calls) as calls,
        sum(credits) as credits, sum(free_calls) as free_calls, max(last_at_ms) as last_at_ms
      from usage_days ${open} group by account_id, mode, day, key_id, operation`,
    ledger: sql`select * from (${usageOfDays(db)}) as days ${open}`,
  });
  return rows.flatMap((row) => {
    const name = (figure: string) => `${figure} ${row.day} ${row.key_id} ${row.operation}`;
    return drifts(row, USAGE_FIGURES, name, null);
  });
}

function usageOfDays(db: Database): RawBuilder<unknown> {
  return sql`select account_id, mode, day, key_id, operation, count(*) as calls,
      -sum(credits) as credits, sum(free_calls) as free_calls, max(at_ms) as last_at_ms
    from (select ledger_entries.*, ${utcDay(db, 'at_ms')} as day from ledger_entries
      where kind = 'usage') as dated
    group by account_id, mode, day, key_id, operation`;
}

/** The copies of credits against the entries they are copies of. */
async function creditDrifts(db: Database): Promise<LedgerDrift[]> {
  const figures = ['credited', 'credit_version'];
  const rows = await compare(db, {
    names: ['account_id', 'mode'],
    figures,
    stored: sql`select account_id, mode, sum(credits) as credited, count(*) as credit_version
      from ledger_credits group by account_id, mode`,
    ledger: sql`select account_id, mode, sum(credited) as credited,
        sum(credit_version) as credit_version
      from (select account_id, mode, credits as credited, 1 as credit_version
          from ledger_entries where kind <> 'usage'
        union all select account_id, mode, credited, credit_version from ledger_archived_sums
          where credit_version > 0) as parts
      group by account_id, mode`,
  });
  return rows.flatMap((row) => drifts(row, figures, (figure) => `${figure} of ledger_credits`, 0));
}

/** The usage of archived days against the sums of the archives. */
async function archiveDrifts(db: Database): Promise<LedgerDrift[]> {
  const figures = ['calls', 'credits', 'free_calls'];
  const sums = sql`sum(calls) as calls, sum(credits) as credits, sum(free_calls) as free_calls`;
  const within = sql`join ledger_archives on day >= from_day and day < to_day`;
  const rows = await compare(db, {
    names: ['account_id', 'mode', 'archive'],
    figures,
    stored: sql`select account_id, mode, name as archive, ${sums} from usage_days ${within}
      group by account_id, mode, name`,
    // Entries that came after the archive was made are in the default partition.
    ledger: sql`select account_id, mode, archive, ${sums} from (
        select account_id, mode, archive, calls, usage_credits as credits, free_calls
          from ledger_archived_sums where calls > 0
        union all select account_id, mode, name, calls, credits, free_calls
          from (${usageOfDays(db)}) as days ${within}) as parts
      group by account_id, mode, archive`,
  });
  return rows.flatMap((row) =>
    drifts(row, figures, (figure) => `${figure} of ${row.archive}`, null),
  );
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
