import { hash } from 'node:crypto';
import type { Database } from '../database/schema.js';
import { UserError } from './errors.js';

/** Counts what users attempt. It is never told who made an attempt. */
export interface UserObserver {
  /** Somebody tried to sign in with a password, within the limits. */
  signedIn(outcome: 'succeeded' | 'failed'): void;
  /** An attempt was refused by the limit of this name. */
  throttled(limit: string): void;
}

/** Dependencies of counting attempts. */
export interface AttemptParts {
  readonly db: Database;
  readonly clock: () => number;
  readonly observer?: Pick<UserObserver, 'throttled'> | undefined;
}

/** A number of attempts in a time window that starts with the first attempt. */
export interface Limit {
  /** Part of the stored key of a count; unique for each limit. */
  readonly name: string;
  readonly attempts: number;
  readonly windowMs: number;
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit.
 *
 * @param subject whose attempts are counted, such as an address or a user
 * @throws UserError `throttled` when the limit is reached; such an attempt is not counted
 */
export async function countAttempt(
  { db, clock, observer }: AttemptParts,
  limit: Limit,
  subject: string,
): Promise<void> {
  const endsAtMs = await count(db, limit, subject, clock());
  if (endsAtMs === undefined) return;
  observer?.throttled(limit.name);
  throw limitReached(endsAtMs, clock());
}

/** Counts an attempt, or returns when the window of a limit that is reached ends. */
async function count(
  db: Database,
  limit: Limit,
  subject: string,
  nowMs: number,
): Promise<number | undefined> {
  const bucket = bucketOf(limit, subject);
  // Attempts over the limit cost only a read.
  const known = await db
    .selectFrom('attempts')
    .select(['attempts', 'ends_at_ms'])
    .where('bucket', '=', bucket)
    .where('ends_at_ms', '>', nowMs)
    .executeTakeFirst();
  const endsAtMs = nowMs + limit.windowMs;
  // The stored window ends too late: a clock ran ahead when it began. A new window begins now.
  const isAhead = known !== undefined && known.ends_at_ms > endsAtMs;
  if (known !== undefined && known.attempts >= limit.attempts && !isAhead) return known.ends_at_ms;
  const counted = await db
    .insertInto('attempts')
    .values({ bucket, attempts: 1, ends_at_ms: endsAtMs })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet((eb) => {
        const over = eb('attempts.ends_at_ms', '<=', nowMs);
        const ahead = eb('attempts.ends_at_ms', '>', endsAtMs);
        return {
          attempts: eb
            .case()
            .when(over)
            .then(1)
            .else(eb('attempts.attempts', '+', 1))
            .end(),
          ends_at_ms: eb
            .case()
            .when(eb.or([over, ahead]))
            .then(endsAtMs)
            .else(eb.ref('attempts.ends_at_ms'))
            .end(),
        };
      }),
    )
    .returning(['attempts', 'ends_at_ms'])
    .executeTakeFirstOrThrow();
  return counted.attempts > limit.attempts ? Number(counted.ends_at_ms) : undefined;
}

/** Deletes a count. */
export async function clearAttempts(db: Database, limit: Limit, subject: string): Promise<void> {
  await db.deleteFrom('attempts').where('bucket', '=', bucketOf(limit, subject)).execute();
}

function bucketOf(limit: Limit, subject: string): string {
  return hash('sha256', `${limit.name}:${subject}`, 'hex');
}

function limitReached(endsAtMs: number, nowMs: number): UserError {
  const seconds = Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000));
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return new UserError('throttled', `Too many attempts. Please try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  });
}
