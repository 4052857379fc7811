import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type KeyIdentity, type Mode, PARTITIONS } from '../core/billing-terms.js';

const TAG_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 base62 characters hold 190 bits. The display start reveals 4 of them, which leaves 166 bits. */
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;
const DISPLAY_CHARS = 14;
const PATTERN = /^vt_(live|test)_([0-9a-hjkmnp-tv-z]{2})[0-9A-Za-z]{38}$/;

/** The content of an API key, readable without a database. */
export interface ParsedApiKey {
  readonly mode: Mode;
  /** The account's partition, 0 to 1023. */
  readonly partition: number;
}

/**
 * Creates an API key: `vt_<mode>_`, a partition tag of two characters, 190 random bits, a checksum.
 *
 * @param partition of the account, 0 to 1023
 * @throws RangeError for any other partition
 */
export function generateApiKey(mode: Mode, partition: number): string {
  if (!Number.isInteger(partition) || partition < 0 || partition >= PARTITIONS) {
    throw new RangeError(`The partition must be 0 to ${PARTITIONS - 1}, not ${partition}.`);
  }
  let body = `vt_${mode}_${TAG_ALPHABET.charAt(partition >> 5)}${TAG_ALPHABET.charAt(partition & 31)}`;
  for (let index = 0; index < RANDOM_CHARS; index++) body += BASE62.charAt(randomInt(62));
  return body + checksum(body);
}

/** Mode and partition of a key; undefined if its format or checksum is wrong. */
export function parseApiKey(key: string): ParsedApiKey | undefined {
  const match = PATTERN.exec(key);
  if (match === null) return undefined;
  const [, mode, tag] = match;
  if ((mode !== 'live' && mode !== 'test') || tag === undefined) return undefined;
  if (!key.endsWith(checksum(key.slice(0, -CHECKSUM_CHARS)))) return undefined;
  const partition = TAG_ALPHABET.indexOf(tag.charAt(0)) * 32 + TAG_ALPHABET.indexOf(tag.charAt(1));
  return { mode, partition };
}

/** SHA-256 of a key in lower-case hex. Keys are stored only in this form. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Data about a key for the gate; undefined for a malformed key. */
export function identifyApiKey(key: string): KeyIdentity | undefined {
  const parsed = parseApiKey(key);
  return parsed && { keyHash: hashApiKey(key), partition: parsed.partition };
}

/** The start of a key, which lists may show. */
export function displayStart(key: string): string {
  return key.slice(0, DISPLAY_CHARS);
}

/** CRC-32 in base62. It detects mistyped keys; it is no protection against forgery. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM_CHARS; index++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
