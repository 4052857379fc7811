import { randomBytes } from 'node:crypto';

/** Digits of a millisecond count in base 36; nine last until the year 5188. */
const TIME_CHARS = 9;
const COUNTER_CHARS = 4;
const COUNTER_END = 36 ** COUNTER_CHARS;
/** Random bytes that tell this process from all others. */
const TAG_BYTES = 8;

/**
 * Makes request ids: they sort by time, and are unique by a random tag across processes and by a
 * counter within one. Requests carry no id of the client's, for these are causes in the ledger.
 */
export function requestIdMaker(now: () => number = Date.now): () => string {
  const tag = randomBytes(TAG_BYTES).toString('hex');
  let counter = 0;
  let atMs = 0;
  let time = '';
  return () => {
    const nowMs = now();
    if (nowMs !== atMs) {
      atMs = nowMs;
      time = `req_${nowMs.toString(36).padStart(TIME_CHARS, '0')}`;
    }
    counter = (counter + 1) % COUNTER_END;
    return time + counter.toString(36).padStart(COUNTER_CHARS, '0') + tag;
  };
}
