import { sql, type Transaction } from 'kysely';
import { PARTITIONS } from '../../core/billing-terms.js';
import type { Schema } from '../../database/schema.js';

/** Groups of partitions; a drain is one job per group, and one worker at a time has a group. */
export const GROUPS = 16;
const PARTITIONS_PER_GROUP = PARTITIONS / GROUPS;
/** First half of the advisory lock's name, so that other users of the database do not meet it. */
const LOCK_CLASS = 0x56_69_74_72;

/** Partitions of a group, in order. */
export function partitionsOf(group: number): readonly number[] {
  const first = group * PARTITIONS_PER_GROUP;
  return Array.from({ length: PARTITIONS_PER_GROUP }, (_, index) => first + index);
}

/** Every group. */
export function allGroups(): readonly number[] {
  return Array.from({ length: GROUPS }, (_, group) => group);
}

/**
 * Takes the group's lock until the transaction ends; false when another worker has it.
 * Who books or trims events of the group, or compares Redis with the ledger, holds it.
 */
export async function tryLockGroup(trx: Transaction<Schema>, group: number): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK_CLASS}::int, ${group}::int) as locked`.execute(trx);
  return rows[0]?.locked === true;
}

/**
 * As `tryLockGroup`, but waits for it.
 *
 * @param waitMs how long; then PostgreSQL's error 55P03
 */
export async function lockGroup(
  trx: Transaction<Schema>,
  group: number,
  waitMs: number,
): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(trx);
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, ${group}::int)`.execute(trx);
}
