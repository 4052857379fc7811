import { createHash, createHmac } from 'node:crypto';
import { Problem } from '../core/errors.js';
import { IDEMPOTENCY_KEY_CHARS_MAX, STORED_ANSWER_CHARS_MAX } from '../core/limits.js';
import { atOnce, type Pieces } from '../core/pieces.js';

// What makes a request safe to repeat: its key, its fingerprint and its stored answer.

const IDEMPOTENCY_KEY = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_CHARS_MAX}}$`);

/** @throws Problem `validation_error` for a key that is not allowed */
export function checkIdempotencyKey(key: string): void {
  if (IDEMPOTENCY_KEY.test(key)) return;
  const message = `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} visible ASCII characters without spaces, sent once.`;
  throw new Problem('validation_error', message);
}

/** @throws Problem `validation_error` for an answer that is too long to be stored */
export function checkAnswerSize(json: string): void {
  if (json.length <= STORED_ANSWER_CHARS_MAX) return;
  const message = `The answer is longer than the ${STORED_ANSWER_CHARS_MAX} characters that are stored for an Idempotency-Key. Ask for less, or send the request without the key.`;
  throw new Problem('validation_error', message);
}

/** How an answer that is too long to be stored is made again. */
export interface Recipe {
  readonly artifactVersion: string;
  /** What the operation drew; see `Operation.draw`. */
  readonly drawn: object;
}

const RECIPE = 'recompute';

/** A recipe as text to store in place of the answer. Answers are objects, this is a list. */
export function recipeText({ artifactVersion, drawn }: Recipe): string {
  return JSON.stringify([RECIPE, artifactVersion, drawn]);
}

/** The recipe in a stored text; undefined for an answer. */
export function recipeOf(stored: string): Recipe | undefined {
  if (!stored.startsWith('[')) return undefined;
  const [, artifactVersion, drawn] = JSON.parse(stored) as [string, string, object];
  return { artifactVersion, drawn };
}

const FINGERPRINTS = new WeakMap<object, string>();

/**
 * SHA-256 of a validated input; it does not depend on the order of the fields, at any depth. It is
 * computed once for each input, because that of a large batch takes milliseconds.
 */
export function fingerprint(input: object): string {
  return FINGERPRINTS.get(input) ?? atOnce(fingerprintInPieces(input));
}

/** The same in pieces: one for each item of its lists. */
export function* fingerprintInPieces(input: object): Pieces<string> {
  const hash = createHash('sha256');
  let between = '[';
  for (const [name, value] of sortedEntries(input)) {
    hash.update(`${between}[${JSON.stringify(name)},`);
    between = ',';
    if (Array.isArray(value)) {
      hash.update('[');
      for (const [index, item] of value.entries()) {
        hash.update(`${index === 0 ? '' : ','}${JSON.stringify(canonical(item))}`);
        yield;
      }
      hash.update(']');
    } else hash.update(JSON.stringify(canonical(value)));
    hash.update(']');
  }
  const found = hash.update(between === '[' ? '[]' : ']').digest('hex');
  FINGERPRINTS.set(input, found);
  return found;
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  return Object.fromEntries(sortedEntries(value).map(([name, inner]) => [name, canonical(inner)]));
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Whose request a seed is for. */
export interface SeedScope {
  /** Account and mode, as the gate tells them. */
  readonly account: string;
  /** Path of the operation's route. */
  readonly path: string;
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * A seed for all requests under one idempotency key: every process of the deployment finds the same, also
 * when they arrive at once. HMAC-SHA-256 (RFC 2104) keeps callers from choosing it by their key.
 *
 * @returns 0 to 2³² − 1
 */
export function seedOf(secret: string, { account, path, key, fingerprint }: SeedScope): number {
  const text = JSON.stringify([account, path, key, fingerprint]);
  return createHmac('sha256', secret).update(text).digest().readUInt32BE(0);
}
