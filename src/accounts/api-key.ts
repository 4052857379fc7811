import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type KeyIdentity, type Mode, PARTITIONS } from '../core/billing-terms.js';

const TAG_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 base62 characters are 190 bits; the display start shows 4 of them, which leaves 166. */
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;
const DISPLAY_CHARS = 14;
const PATTERN = /^vt_(live|test)_([0-9a-hjkmnp-tv-z]{2})[0-9A-Za-z]{38}$/;

/** What an API key says of itself, without a database. */
export interface ParsedApiKey {
  readonly mode: Mode;
  /** The account's partition, 0 to 1023. */
  readonly partition: number;
}

/**
 * A new API key: `vt_<mode>_`, two characters of partition tag, 190 random bits, a checksum.
 *
 * @param partition of the account, 0 to 1023
 * @throws RangeError for any other partition
 */
export function generateApiKey(mode: Mode, partition: number): string {
  if (!Number.isInteger(partition) || partition < 0 || partition >= PARTITIONS) {
    throw new RangeError(`A partition is 0 to ${PARTITIONS - 1}, not ${partition}.`);
  }
  let body = `vt_${mode}_${TAG_ALPHABET.charAt(partition >> 5)}${TAG_ALPHABET.charAt(partition & 31)}`;
  for (let index = 0; index < RANDOM_CHARS; index++) body += BASE62.charAt(randomInt(62));
  return body + checksum(body);
}

/** Mode and partition of a well-formed key; undefined when form or checksum is wrong. */
export function parseApiKey(key: string): ParsedApiKey | undefined {
  const match = PATTERN.exec(key);
  if (match === null) return undefined;
  const [, mode, tag] = match;
  if ((mode !== 'live' && mode !== 'test') || tag === undefined) return undefined;
  if (!key.endsWith(checksum(key.slice(0, -CHECKSUM_CHARS)))) return undefined;
  const partition = TAG_ALPHABET.indexOf(tag.charAt(0)) * 32 + TAG_ALPHABET.indexOf(tag.charAt(1));
  return { mode, partition };
}

/** SHA-256 of a whole key, lower-case hex: the only form in which a key is stored. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What the gate needs to know of a well-formed key; undefined for what cannot be one. */
export function identifyApiKey(key: string): KeyIdentity | undefined {
  const parsed = parseApiKey(key);
  return parsed && { keyHash: hashApiKey(key), partition: parsed.partition };
}

/** The start of a key that may be shown in lists. */
export function displayStart(key: string): string {
  return key.slice(0, DISPLAY_CHARS);
}

/** CRC-32 in base62: tells a mistyped key from an unknown one; it is no protection. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM_CHARS; index++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
