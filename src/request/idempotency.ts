import { createHmac } from 'node:crypto';
import { Problem } from '../core/errors.js';
import { IDEMPOTENCY_KEY_CHARS_MAX, STORED_ANSWER_CHARS_MAX } from '../core/limits.js';

// A request is safe to repeat by its key, its fingerprint and its stored answer.

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
  /** The seed drawn for the request; see `seeded`. */
  readonly drawn: object;
}

/**
 * A recipe as text to store in place of the answer. Answers are objects, this is a list.
 *
 * @param requestJson the request, where the answer may be asked for without it
 */
export function recipeText({ artifactVersion, drawn }: Recipe, requestJson?: string): string {
  const text = JSON.stringify(['recompute', artifactVersion, drawn]);
  return requestJson === undefined ? text : `${text.slice(0, -1)},${requestJson}]`;
}

/** The recipe in a stored text; undefined for an answer. */
export function recipeOf(stored: string): (Recipe & { readonly input?: object }) | undefined {
  if (!stored.startsWith('[')) return undefined;
  const [, artifactVersion, drawn, input] = JSON.parse(stored) as [string, string, object, object?];
  return { artifactVersion, drawn, ...(input === undefined ? {} : { input }) };
}

/** The request that a seed is for. */
export interface SeedScope {
  /** Account and mode, as the gate returns them. */
  readonly account: string;
  /** Path of the operation's route. */
  readonly path: string;
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * A seed for all requests under one idempotency key. Every process of the deployment computes the
 * same seed, even for concurrent requests. HMAC-SHA-256 (RFC 2104) keeps callers from choosing the
 * seed by their key.
 *
 * @returns 0 to 2³² − 1
 */
export function seedOf(secret: string, { account, path, key, fingerprint }: SeedScope): number {
  const text = JSON.stringify([account, path, key, fingerprint]);
  return createHmac('sha256', secret).update(text).digest().readUInt32BE(0);
}
