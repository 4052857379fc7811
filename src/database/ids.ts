import { randomBytes, randomInt } from 'node:crypto';

const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_CHARS = 20;
/** Width of a millisecond count in base 36; nine digits last until the year 5188. */
const TIME_CHARS = 9;
const COUNTER_CHARS = 4;
const COUNTER_END = 36 ** COUNTER_CHARS;

/** A new random id of 100 bits, such as `acc_…`. */
export function newId(prefix: string): string {
  let id = `${prefix}_`;
  for (const byte of randomBytes(ID_CHARS)) id += ID_ALPHABET.charAt(byte & 31);
  return id;
}

/** The smallest ledger entry id of that moment; ids of later moments sort after it. */
export function firstEntryId(atMs: number): string {
  return Math.max(0, Math.floor(atMs)).toString(36).padStart(TIME_CHARS, '0');
}

/**
 * Makes ids for ledger entries that sort by time, so that new rows land at the end of the index
 * and the last minute's entries are one range. Unique across processes by a random tag, within
 * one by a counter.
 */
export function entryIdMaker(): (atMs: number) => string {
  const tag = newId('').slice(1, 9);
  let counter = randomInt(COUNTER_END);
  return (atMs) => {
    counter = (counter + 1) % COUNTER_END;
    return firstEntryId(atMs) + counter.toString(36).padStart(COUNTER_CHARS, '0') + tag;
  };
}

/** `entryIdMaker` of this thread, for code that books single entries. */
export const newEntryId = entryIdMaker();
