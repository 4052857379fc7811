import { randomBytes } from 'node:crypto';
import { fingerprint } from '../core/fingerprint.js';
import type { Operation } from '../operations/operation.js';
import type { EarlierRequest } from '../request/caller.js';

// Links to the files of bodies. A call of the tool is charged under an idempotency key. The gate keeps the request
// under that key for a day, and only for the account. The link names the key and the fingerprint of the request. On
// every gate, the step that charges therefore also records the right to read the file.

const PREFIX = 'vitruvia://bodies/';
/** Template of the URIs of files. */
export const BODY_TEMPLATE = `${PREFIX}{hash}.{format}`;
/** Number of random bytes in a key, if the caller gives none. The key is unique among the account's keys of a day. */
const KEY_BYTES = 8;
const HASH_CHARS = 64;
const LINK = new RegExp(`^${PREFIX}([0-9a-f]{${HASH_CHARS}})((?:[0-9a-f]{2})+)\\.[a-z]+$`);

/** A key for a call that has none. */
export function linkKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/** The URI of the file for a request that was charged under a key. */
export function bodyUri(input: object, key: string, format: string): string {
  return `${PREFIX}${fingerprint(input)}${Buffer.from(key).toString('hex')}.${format}`;
}

/** Key and fingerprint of the charged request for a file; undefined if the URI has another form. */
export function earlierRequest(uri: string): EarlierRequest | undefined {
  const [, hash, key] = LINK.exec(uri) ?? [];
  if (hash === undefined || key === undefined) return undefined;
  return { fingerprint: hash, key: Buffer.from(key, 'hex').toString() };
}

/** Whether the ending of a file's URI names the format of its media type. */
export function isNamed({ file }: Operation, uri: string, type: string): boolean {
  const format = uri.slice(uri.lastIndexOf('.') + 1);
  return file !== undefined && Object.hasOwn(file.types, format) && file.types[format] === type;
}

/** Format and media type of the file that answers a request; undefined if the answer is no file. */
export function fileOf(
  { file }: Operation,
  input: object,
): { readonly format: string; readonly type: string } | undefined {
  const format = file?.formatOf(input as never);
  const type = format === undefined ? undefined : file?.types[format];
  return format === undefined || type === undefined ? undefined : { format, type };
}
