import type { KeyIdentity, RateState } from '../core/billing-terms.js';
import type { AnswerFormat } from '../operations/answer-formats.js';
import type { MeteredRefusal } from './refusals.js';

// What goes into the metered path and what comes out of it.

/**
 * Who sends a request, as the transport knows it before it reads the body. Only the gate knows
 * whether the key is valid.
 */
export interface Caller extends KeyIdentity {
  /** Where the request comes from; see `networkOf`. */
  readonly network: string;
  /** Made by this server and unique for ever: the cause of the ledger entry. */
  readonly requestId: string;
  /** As the caller sent it, not yet checked. */
  readonly idempotencyKey?: string | undefined;
  /** How many requests this one counts as against the rate limit. */
  readonly hits: number;
  /**
   * A signal that is aborted when the client hangs up before its answer; for computations that take
   * long.
   */
  readonly left?: (() => AbortSignal) | undefined;
}

/** What a transport asks of an answer. */
export interface PerformOptions {
  /** Longest answer of a computed operation in bytes; a longer one is refused before the charge. */
  readonly answerBytesMax?: number | undefined;
}

/** An answer that is paid for and may be sent. */
export interface MeteredAnswer {
  readonly kind: 'answer';
  readonly json: string;
  readonly rate: RateState;
  readonly replayed: boolean;
}

/** An answer that is paid for and is sent part by part. */
export interface MeteredParts {
  readonly kind: 'parts';
  readonly format: AnswerFormat;
  /** To be read to the end, or returned. */
  readonly parts: AsyncIterableIterator<Uint8Array>;
  /** Facts about the whole answer, such as the seed. */
  readonly details: Readonly<Record<string, string | number>>;
  readonly remainingFreeCalls: number | undefined;
  readonly rate: RateState;
  readonly replayed: boolean;
}

/** Result of a metered request. */
export type MeteredResult = MeteredAnswer | MeteredParts | MeteredRefusal;
