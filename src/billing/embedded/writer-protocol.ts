import type { Mode } from '../../core/billing-terms.js';
import type { Field, FieldReader, GateStep } from '../gate.js';

/**
 * Messages between the gate and its writer thread. Steps and outcomes are flat arrays of strings
 * and numbers: cloning those costs a fraction of cloning an object per step, on the hot path.
 */

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

/** Ends the writer: `close` in order, `crash` (in tests of recovery) at once, without a reply. */
export interface EndMessage {
  readonly kind: 'close' | 'crash';
}

/** Answers a work message; `error` when the batch was not committed. */
export interface DoneMessage {
  readonly kind: 'done';
  readonly keys: readonly (KeyInfo | null)[];
  readonly outcomes: readonly Field[];
  readonly error: string | null;
  /** Another connection has written: cached keys may be out of date. */
  readonly changed: boolean;
  /** The last flush was slow. */
  readonly slowDisk: boolean;
}

/** What the writer sends. */
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

/** A step as the writer gets it; the rate limit has admitted it. */
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
