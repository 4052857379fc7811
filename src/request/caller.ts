import type { KeyIdentity, RateState } from '../core/billing-terms.js';
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
  /** How many requests this one counts as against the rate limit, besides that of its large body. */
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
  /** Aborted when the request is over, or the client has gone. */
  readonly left: AbortSignal;
  /** Gives its place to another body: it was read, and is computed now. */
  rest(): void;
  /** The request is over, or the client has gone. */
  close(): void;
}

/** A large message that is not read; to be refused with this. */
export class BodyRefused extends Error {
  readonly refusal: MeteredRefusal;

  constructor(refusal: MeteredRefusal) {
    super(refusal.problem.message);
    this.name = 'BodyRefused';
    this.refusal = refusal;
  }
}

/** What a transport asks of an answer. */
export interface PerformOptions {
  /** Longest answer of a computed operation in bytes; a longer one is refused before the charge. */
  readonly answerBytesMax?: number | undefined;
  /** Whether JSON answers where the request asks for a file. */
  readonly inJson?: boolean;
}

/** What an earlier request was charged under: its idempotency key, and the fingerprint of its body. */
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
  /** Headers besides the type: facts about the whole answer, such as the seed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly remainingFreeCalls: number | undefined;
  readonly rate: RateState;
  readonly replayed: boolean;
}

/** Result of a metered request. */
export type MeteredResult = MeteredAnswer | MeteredStream | MeteredRefusal;
