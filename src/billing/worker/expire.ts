import { sql } from 'kysely';
import { IDEMPOTENCY_TTL_MS } from '../../core/billing-terms.js';
import type { Database } from '../../database/schema.js';

/** Rows deleted by one statement: few enough that no one waits long for their locks. */
const BATCH_ROWS = 2000;

/**
 * Deletes idempotent answers older than 24 hours, some rows at a time.
 *
 * @param stop ends the deletion after the current statement
 * @returns how many answers were deleted
 */
export async function expireAnswers(
  db: Database,
  nowMs: number,
  stop?: AbortSignal,
): Promise<number> {
  let answers = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from idempotent_answers where ctid = any(array(
        select ctid from idempotent_answers where at_ms <= ${nowMs - IDEMPOTENCY_TTL_MS}
        order by at_ms limit ${BATCH_ROWS} for update skip locked))`.execute(db);
    answers += Number(numAffectedRows);
    if (numAffectedRows < BATCH_ROWS || stop?.aborted) return answers;
  }
}
