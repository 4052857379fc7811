import { hash } from 'node:crypto';
import type { Database } from '../database/schema.js';
import { PersonError } from './person-error.js';

/** So many attempts in a window that begins with the first. */
export interface Limit {
  /** Tells the counts of two limits apart. */
  readonly name: string;
  readonly attempts: number;
  readonly windowMs: number;
}

/**
 * Counts an attempt before it is made, so that many at once get no further than one by one.
 *
 * @param subject what is counted for: an address, a person
 * @throws PersonError `throttled` when the window's attempts are used up; nothing is counted then
 */
export async function countAttempt(
  db: Database,
  limit: Limit,
  subject: string,
  nowMs: number,
): Promise<void> {
  const bucket = bucketOf(limit, subject);
  // A flood is turned away by reading only.
  const known = await db
    .selectFrom('attempts')
    .select(['attempts', 'ends_at_ms'])
    .where('bucket', '=', bucket)
    .where('ends_at_ms', '>', nowMs)
    .executeTakeFirst();
  if (known !== undefined && known.attempts >= limit.attempts) throw full(known.ends_at_ms, nowMs);
  const endsAtMs = nowMs + limit.windowMs;
  const counted = await db
    .insertInto('attempts')
    .values({ bucket, attempts: 1, ends_at_ms: endsAtMs })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet((eb) => {
        const over = eb('attempts.ends_at_ms', '<=', nowMs);
        return {
          attempts: eb
            .case()
            .when(over)
            .then(1)
            .else(eb('attempts.attempts', '+', 1))
            .end(),
          ends_at_ms: eb.case().when(over).then(endsAtMs).else(eb.ref('attempts.ends_at_ms')).end(),
        };
      }),
    )
    .returning(['attempts', 'ends_at_ms'])
    .executeTakeFirstOrThrow();
  if (counted.attempts > limit.attempts) throw full(Number(counted.ends_at_ms), nowMs);
}

/** Forgets what was counted. */
export async function clearAttempts(db: Database, limit: Limit, subject: string): Promise<void> {
  await db.deleteFrom('attempts').where('bucket', '=', bucketOf(limit, subject)).execute();
}

/**
 * Who an internet address stands for: of IPv6 the first 64 bits, which one customer has for himself
 * (RFC 6177).
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [left = '', right] = address.split('%', 1)[0]?.split('::') ?? [];
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const groups = right === undefined ? head : [...head, ...zeros, ...tail];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function bucketOf(limit: Limit, subject: string): string {
  return hash('sha256', `${limit.name}:${subject}`, 'hex');
}

function full(endsAtMs: number, nowMs: number): PersonError {
  const seconds = Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000));
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return new PersonError('throttled', `Too many attempts. Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  });
}
