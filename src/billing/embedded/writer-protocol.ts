import type { Mode } from '../../core/billing-terms.js';
import type { GateStep } from '../gate.js';

/**
 * Messages between the gate and its writer thread. They are flat arrays of strings and numbers:
 * cloning those costs a fraction of cloning an object per step, and this is the hot path.
 */

/** A value of a flat message. */
export type Field = string | number | null;

/** What the gate knows of an API key. */
export interface KeyInfo {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly revoked: boolean;
}

/** How the writer thread is started. */
export interface WriterOptions {
  readonly path: string;
  readonly nowMs: number;
}

/** Work for the writer: keys to look up by hash, then steps to decide in one transaction. */
export interface WorkMessage {
  readonly kind: 'work';
  readonly hashes: readonly string[];
  readonly steps: readonly Field[];
}

/** Ends the writer: `close` in order, `crash` (tests of recovery) at once and without a word. */
export interface EndMessage {
  readonly kind: 'close' | 'crash';
}

/** Answers a work message; `error` when the batch was not committed. */
export interface DoneMessage {
  readonly kind: 'done';
  readonly keys: readonly (KeyInfo | null)[];
  readonly outcomes: readonly Field[];
  readonly error: string | null;
  /** Another connection wrote: what is cached of keys may be old. */
  readonly changed: boolean;
  /** The disk takes long to flush. */
  readonly slowDisk: boolean;
}

/** What the writer says. */
export type WriterMessage =
  | {
      readonly kind: 'ready';
      /** `id, hits, made at` of the rate-limit hits of the last 60 s, oldest first. */
      readonly hits: readonly Field[];
    }
  | { readonly kind: 'failed_start'; readonly error: Error }
  | DoneMessage
  | { readonly kind: 'changed' }
  | { readonly kind: 'closed' };

/** A step as the writer sees it; the rate limit has let it in. */
export interface WriterStep {
  readonly keyId: string;
  readonly atMs: number;
  readonly requestId: string;
  readonly operation: string;
  readonly cost: number;
  readonly hits: number;
  readonly idempotency: GateStep['idempotency'];
}

/** Appends a step to a message. */
export function encodeStep(fields: Field[], keyId: string, atMs: number, step: GateStep): void {
  const { idempotency } = step;
  fields.push(keyId, atMs, step.requestId, step.operation, step.cost, step.hits);
  if (idempotency === undefined) fields.push(null);
  else fields.push(idempotency.key, idempotency.fingerprint, idempotency.answerJson);
}

/** Reads a flat message field by field; both ends are ours, so a wrong type is a broken program. */
export class FieldReader {
  readonly #fields: readonly Field[];
  #next = 0;

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
  }

  get done(): boolean {
    return this.#next >= this.#fields.length;
  }

  text(): string {
    const value = this.#fields[this.#next++];
    if (typeof value !== 'string') throw new TypeError('Expected a text field.');
    return value;
  }

  number(): number {
    const value = this.#fields[this.#next++];
    if (typeof value !== 'number') throw new TypeError('Expected a number field.');
    return value;
  }

  textOrNull(): string | null {
    return this.#fields[this.#next] === null ? this.#skip() : this.text();
  }

  #skip(): null {
    this.#next++;
    return null;
  }
}

/** Reads the next step of a message. */
export function decodeStep(reader: FieldReader): WriterStep {
  const keyId = reader.text();
  const atMs = reader.number();
  const requestId = reader.text();
  const operation = reader.text();
  const cost = reader.number();
  const hits = reader.number();
  const key = reader.textOrNull();
  const idempotency =
    key === null ? undefined : { key, fingerprint: reader.text(), answerJson: reader.text() };
  return { keyId, atMs, requestId, operation, cost, hits, idempotency };
}

/** First field of an outcome; the others follow as its comment says. */
export const OUTCOME = {
  unauthorized: 0,
  counted: 1,
  charged: 2,
  /** remaining free calls */
  chargedFree: 3,
  /** answer */
  replayed: 4,
  /** answer, remaining free calls */
  replayedFree: 5,
  idempotencyConflict: 6,
  insufficientCredits: 7,
  /** resets at, ms since the epoch */
  freeTierExhausted: 8,
  /** The request id has been charged before: a mistake of the caller. */
  duplicateRequest: 9,
} as const;
