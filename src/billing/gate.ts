import type { AccountFunds, KeyIdentity, Mode, RateState } from '../core/billing-terms.js';

/** What a request asks of the gate: one atomic step decides all of it. */
export interface GateStep extends KeyIdentity {
  /** Unique per request; the cause of the ledger entry. */
  readonly requestId: string;
  /** Name of the operation, or `refused` for a request that failed before any charge. */
  readonly operation: string;
  /**
   * Credits or free calls the answer costs; 0 only counts the request against the rate limit, or
   * with an idempotency key returns what an earlier request under it was answered.
   */
  readonly cost: number;
  /** Requests this step counts against the rate limit (a JSON-RPC batch counts one per call). */
  readonly hits: number;
  readonly idempotency?: {
    readonly key: string;
    /** Hash of the request's body; another body under the same key is a conflict. */
    readonly fingerprint: string;
    /** The answer to store, without `remaining_free_calls`; nothing is stored at cost 0. */
    readonly answerJson: string;
  };
}

/** Outcome of a step; every kind but `unauthorized` carries the key's rate state. */
export type GateOutcome =
  | { readonly kind: 'unauthorized' }
  | {
      /** The limit is reached; nothing was counted or charged. */
      readonly kind: 'rate_limited';
      readonly rate: RateState;
      readonly retryAfterSeconds: number;
    }
  | {
      /** Cost 0: counted against the rate limit only. */ readonly kind: 'counted';
      readonly rate: RateState;
    }
  | {
      readonly kind: 'charged';
      readonly rate: RateState;
      /** Free calls left; present only when the free tier paid. */
      readonly remainingFreeCalls?: number;
    }
  | {
      /** An earlier request with this idempotency key was answered so; nothing was charged. */
      readonly kind: 'replayed';
      readonly rate: RateState;
      readonly answerJson: string;
      readonly remainingFreeCalls?: number;
    }
  | { readonly kind: 'idempotency_conflict'; readonly rate: RateState }
  | { readonly kind: 'insufficient_credits'; readonly rate: RateState }
  | {
      readonly kind: 'free_tier_exhausted';
      readonly rate: RateState;
      /** When enough calls have left the window for this request, ms since the epoch. */
      readonly resetsAtMs: number;
    };

/** An account and where its data are. */
export interface AccountPlace {
  readonly id: string;
  /** 0 to 1023. */
  readonly partition: number;
}

/**
 * The one place where a request is let in and paid for. Order of refusal within a step: key, rate
 * limit, idempotent replay or conflict, (cost 0 ends here), funds. A step resolves only once what
 * it decided is durable (as the store's own settings make it); it rejects when that could not be
 * reached or is not known, see `GateFailure`.
 */
export interface Gate {
  step(step: GateStep): Promise<GateOutcome>;
  /** Whether steps can be decided now; asks what they depend on, and never rejects. */
  ready(): Promise<boolean>;
  /**
   * What an account can spend now; nothing at all for one that does not exist.
   *
   * @throws GateError when it cannot be found out
   */
  funds(account: AccountPlace, mode: Mode): Promise<AccountFunds>;
  /** Finishes the steps under way and releases the store. */
  close(): Promise<void>;
}
