import { sql, type Transaction } from 'kysely';
import { PARTITIONS } from '../../core/billing-terms.js';
import type { Schema } from '../../database/schema.js';

/** Number of groups. A group is drained as a whole, by one worker at a time. */
export const GROUPS = 16;
const PARTITIONS_PER_GROUP = PARTITIONS / GROUPS;
/** First half of the advisory locks' keys. It keeps them apart from other locks in the database. */
const LOCK_CLASS = 0x56_69_74_72;

/** The partitions of a group, in ascending order. */
export function partitionsOf(group: number): readonly number[] {
  const first = group * PARTITIONS_PER_GROUP;
  return Array.from({ length: PARTITIONS_PER_GROUP }, (_, index) => first + index);
}

/** All groups. */
export function allGroups(): readonly number[] {
  return Array.from({ length: GROUPS }, (_, group) => group);
}

/**
 * Takes the group's lock until the transaction ends. A worker holds it while it books or removes
 * events of the group, or compares Redis with the ledger.
 *
 * @returns false when another worker holds the lock
 */
export async function tryLockGroup(trx: Transaction<Schema>, group: number): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK_CLASS}::int, ${group}::int) as locked`.execute(trx);
  return rows[0]?.locked === true;
}

/**
 * Takes the group's lock as `tryLockGroup` does, but waits for it.
 *
 * @param waitMs longest wait, ms
 * @throws PostgreSQL's error 55P03 when another worker holds the lock for longer
 */
export async function lockGroup(
  trx: Transaction<Schema>,
  group: number,
  waitMs: number,
): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(trx);
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, ${group}::int)`.execute(trx);
}
