import type { Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import type { StreamEntry } from './streams.js';

/** An entry that cannot be booked, and why. */
export interface DeadEntry {
  readonly entry: StreamEntry;
  readonly reason: string;
}

/** Stores entries for the operator to look at; one stored before stays as it is. */
export async function storeDeadLetters(
  trx: Transaction<Schema>,
  dead: readonly DeadEntry[],
): Promise<void> {
  if (dead.length === 0) return;
  const nowMs = Date.now();
  const rows = dead.map(({ entry: { partition, streamId, fields }, reason }) => ({
    at_ms: nowMs,
    partition,
    event_id: streamId,
    event_json: JSON.stringify(fields),
    // PostgreSQL text cannot hold NUL, and a reason may quote the event.
    error: reason.replaceAll('\0', '\\0'),
  }));
  await trx
    .insertInto('dead_letters')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['partition', 'event_id']).doNothing())
    .execute();
}
