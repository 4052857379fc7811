import type { ServerResponse } from 'node:http';
import type { KeyIdentity, RateState } from '../core/billing-terms.js';
import type { MeteredRefusal } from './refusals.js';

// Input and output of the metered path.

/**
 * The sender of a request, as the transport knows it before it reads the body. Only the gate knows
 * whether the key is valid.
 */
export interface Caller extends KeyIdentity {
  /** Internet address that the request comes from. */
  readonly address: string;
  /**
   * Id that this server makes and never reuses. The ledger entry stores it in its cause, after
   * `REQUEST_CAUSE`.
   */
  readonly requestId: string;
  /** As the caller sent it, not yet checked. */
  readonly idempotencyKey?: string | undefined;
  /** Number of hits of this request against the rate limit, besides the hit of its large body. */
  readonly hits: number;
  /** Its body, if it is large. */
  readonly body?: LargeBody | undefined;
  /**
   * A signal that is aborted when the client hangs up before its answer; for computations that take
   * long.
   */
  readonly left?: (() => AbortSignal) | undefined;
}

/**
 * A body that takes long to read. One hit was counted for it before it was received. A thread of the pool
 * reads it; the time is taken from the processor time of its account.
 */
export interface LargeBody {
  /** State of the key's rate limit after that hit. */
  readonly rate: RateState;
  /** Aborted when the request is over or the client has hung up. */
  readonly left: AbortSignal;
  /** Gives the place of this body to another body. This body was read, and its request is computed now. */
  rest(): void;
  /** The request is over, or the client has gone. */
  close(): void;
}

/** A large message is not read. The message is answered with this refusal. */
export class BodyRefused extends Error {
  readonly refusal: MeteredRefusal;

  constructor(refusal: MeteredRefusal) {
    super(refusal.problem.message);
    this.name = 'BodyRefused';
    this.refusal = refusal;
  }
}

/** Wishes of a transport about an answer. */
export interface PerformOptions {
  /** Maximum length in bytes of the answer of a computed operation. A longer answer is refused before the charge. */
  readonly answerBytesMax?: number | undefined;
  /** Whether the answer is JSON even if the request asks for a file. */
  readonly inJson?: boolean;
}

/** The idempotency key and the fingerprint of the body under which an earlier request was charged. */
export interface EarlierRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** An answer that is paid for and may be sent. */
export interface MeteredAnswer {
  readonly kind: 'answer';
  readonly json: string;
  readonly rate: RateState;
  readonly replayed: boolean;
}

/** An answer that is paid for and is sent chunk by chunk. */
export interface MeteredStream {
  readonly kind: 'stream';
  readonly contentType: string;
  /** To be read to the end, or returned. */
  readonly chunks: AsyncIterableIterator<Uint8Array>;
  /** To be called with the HTTP answer that sends the chunks, so that a stop can cut it and return its price. */
  follow(answer: ServerResponse): void;
  /** Headers besides the type: facts about the whole answer, such as the seed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly remainingFreeCalls: number | undefined;
  readonly rate: RateState;
  readonly replayed: boolean;
}

/** Result of a metered request. */
export type MeteredResult = MeteredAnswer | MeteredStream | MeteredRefusal;
