/** What a client saw of one request; a line of JSON in its log. */
export interface Seen {
  /** Real time of sending and of the end, ms since the epoch. */
  readonly sentMs: number;
  readonly endedMs: number;
  /** Index of the key in the client's plan. */
  readonly key: number;
  /** What the request costs where it is answered. */
  readonly cost: number;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** `X-Request-Id` of the answer. */
  readonly requestId?: string;
  readonly replayed?: true;
  /** `remaining_free_calls` of an answer the free tier paid. */
  readonly freeLeft?: number;
  readonly idempotencyKey?: string;
}

/** What a client process is to do. */
export interface ClientPlan {
  readonly seed: number;
  readonly addresses: readonly string[];
  readonly keys: readonly string[];
  readonly concurrency: number;
  readonly seconds: number;
  /** Where its log goes. */
  readonly logFile: string;
}

/** True for an answer that was paid for by this very request. */
export const wasPaid = (seen: Seen): boolean => seen.status === 200 && seen.replayed !== true;

/** True where nobody can know from outside whether the request was charged. */
export const isUnknown = (seen: Seen): boolean => seen.status === 0 || seen.status >= 500;
