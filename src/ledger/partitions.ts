import { sql } from 'kysely';
import type { PartitionUnit } from '../core/billing-terms.js';
import { DAY_MS } from '../core/time.js';
import type { Database } from '../database/schema.js';
import { dayOf, firstEntryId } from './charge.js';

/** A partition of the ledger on PostgreSQL. All bounds are midnights in UTC. */
export interface LedgerPartition {
  readonly name: string;
  /** Its first moment; null for the partition without a beginning. */
  readonly fromMs: number | null;
  /** The moment after its last. */
  readonly toMs: number;
  /** With its indexes. */
  readonly bytes: number;
  /** Estimate of PostgreSQL. */
  readonly entries: number;
}

/** The partition for entries that no other partition takes, such as those of a wrong clock. */
export const DEFAULT_PARTITION = 'ledger_entries_default';
/** Partitions exist so long in advance that an outage of the workers does not matter. */
const AHEAD_MS = 7 * DAY_MS;
/** A clock that is years ahead must not make thousands of partitions. */
const ADDED_MAX = 40;
const LOCK_WAIT_MS = 5000;
/** Keeps two processes from adding the same partition; an arbitrary number. */
const PARTITIONS_LOCK = 7_184_120_237;
const BOUNDS = /^FOR VALUES FROM \((?:MINVALUE|'(\w+)')\) TO \('(\w+)'\)$/;

/** The ledger's partitions except the default one, in order of time. */
export async function ledgerPartitions(db: Database): Promise<readonly LedgerPartition[]> {
  const { rows } = await sql<{ name: string; bounds: string; bytes: number; entries: number }>`
    select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bounds,
      pg_total_relation_size(pg_class.oid) as bytes, greatest(reltuples, 0)::bigint as entries
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'ledger_entries'::regclass`.execute(db);
  return rows
    .flatMap(({ bounds, ...row }) => {
      const [, from, to] = BOUNDS.exec(bounds) ?? [];
      if (to === undefined) return [];
      const fromMs = from === undefined ? null : Number.parseInt(from, 36);
      return { ...row, fromMs, toMs: Number.parseInt(to, 36) };
    })
    .sort((one, other) => one.toMs - other.toMs);
}

/** The moment up to which partitions exist, ms since the epoch. */
export async function partitionedUntilMs(db: Database): Promise<number> {
  return (await ledgerPartitions(db)).at(-1)?.toMs ?? 0;
}

/**
 * Adds the partitions of the next days. Booking goes on meanwhile. Entries that the default
 * partition took because a partition was missing are moved.
 *
 * @param unit how much time a new partition holds; the first one ends where the unit ends
 * @returns names of the partitions added
 * @throws what PostgreSQL reports, such as 55P03 when other transactions hold the tables for long
 */
export async function addPartitions(
  db: Database,
  unit: PartitionUnit,
  nowMs: number,
): Promise<readonly string[]> {
  const added: string[] = [];
  while (added.length < ADDED_MAX) {
    const name = await addNext(db, unit, nowMs);
    if (name === undefined) break;
    added.push(name);
  }
  return added;
}

async function addNext(
  db: Database,
  unit: PartitionUnit,
  nowMs: number,
): Promise<string | undefined> {
  return await db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(PARTITIONS_LOCK)})`.execute(trx);
    const fromMs = await partitionedUntilMs(trx);
    if (fromMs >= nowMs + AHEAD_MS) return undefined;
    const name = `ledger_entries_${dayOf(fromMs).replaceAll('-', '')}`;
    const toId = firstEntryId(endOf(unit, fromMs));
    await sql`select ledger_add_partition(${name}, ${firstEntryId(fromMs)}, ${toId})`.execute(trx);
    return name;
  });
}

/** When the day or month of a moment ends, in UTC. */
function endOf(unit: PartitionUnit, atMs: number): number {
  if (unit === 'day') return (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
