/** One request as a client saw it. The client's log has it as a line of JSON. */
export interface Seen {
  /** Real times at which the request was sent and ended, ms since the epoch. */
  readonly sentMs: number;
  readonly endedMs: number;
  /** Index of the key in the client's plan. */
  readonly key: number;
  /** Cost of the request if it is answered. */
  readonly cost: number;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** `X-Request-Id` of the answer. */
  readonly requestId?: string;
  readonly replayed?: true;
  /** `remaining_free_calls` in an answer that was paid with a free call. */
  readonly freeLeft?: number;
  readonly idempotencyKey?: string;
}

/** The work of a client process. */
export interface ClientPlan {
  readonly seed: number;
  readonly addresses: readonly string[];
  readonly keys: readonly string[];
  readonly concurrency: number;
  readonly seconds: number;
  /** File for its log. */
  readonly logFile: string;
}

/** True for an answer that this request paid for. */
export const wasPaid = (seen: Seen): boolean => seen.status === 200 && seen.replayed !== true;

/** True when a client cannot know whether the request was charged. */
export const isUnknown = (seen: Seen): boolean => seen.status === 0 || seen.status >= 500;
