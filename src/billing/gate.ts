import type { AccountFunds, KeyIdentity, Mode, RateState } from '../core/billing-terms.js';
import { ReasonError } from '../core/errors.js';

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Question of a request to the gate. One atomic step decides all parts. */
export interface GateStep extends KeyIdentity {
  /** Unique per request; the cause of the ledger entry. */
  readonly requestId: string;
  /** Name of the operation, or `refused` for a request that failed before any charge. */
  readonly operation: string;
  /**
   * Credits or free calls that the answer costs. A step of cost 0 only counts the request against
   * the rate limit. With an idempotency key, it also returns the answer stored under that key.
   */
  readonly cost: number;
  /**
   * Only for a step of cost 0: credits or free calls that the account must be able to pay now. If
   * it cannot pay, the step is refused like a charge of that cost. The step is also refused if
   * there is no room for an idempotent answer. Nothing is charged or set aside.
   */
  readonly affords?: number;
  /** Requests that this step counts against the rate limit. A JSON-RPC batch counts one for each call. */
  readonly hits: number;
  /**
   * Only for a step of cost 0 that just counts. The gate may answer such a step before its hits are
   * durable, and from what it already knows of the key.
   */
  readonly countsOnly?: boolean;
  readonly idempotency?: {
    readonly key: string;
    /** Hash of the request's body. Another body under the same key is a conflict. */
    readonly fingerprint: string;
    /** The answer to store, without `remaining_free_calls`. Nothing is stored at cost 0. */
    readonly answerJson: string;
  };
}

/** Outcome of a step. Every kind except `unauthorized` has the rate state of the key. */
export type GateOutcome =
  | { readonly kind: 'unauthorized' }
  | {
      /** The limit is reached; nothing was counted or charged. */
      readonly kind: 'rate_limited';
      readonly rate: RateState;
      readonly retryAfterSeconds: number;
    }
  | {
      /**
       * A step of cost 0 was counted against the rate limit. The account has the funds that the
       * step asked for.
       */
      readonly kind: 'counted';
      readonly rate: RateState;
      /** Account and mode of the key, as one text; present if the step asked for funds. */
      readonly account?: string;
    }
  | {
      readonly kind: 'charged';
      readonly rate: RateState;
      /** Free calls left; present only when the free tier paid. */
      readonly remainingFreeCalls?: number;
    }
  | {
      /** An earlier request with this idempotency key got this answer; nothing was charged. */
      readonly kind: 'replayed';
      readonly rate: RateState;
      readonly answerJson: string;
      readonly remainingFreeCalls?: number;
      /** Account and mode of the key, as one text; present if the step asked for funds. */
      readonly account?: string;
    }
  | { readonly kind: 'idempotency_conflict'; readonly rate: RateState }
  | { readonly kind: 'insufficient_credits'; readonly rate: RateState }
  | {
      /** The account owes credits for a reversed payment. Until it pays them, it cannot spend anything. */
      readonly kind: 'in_debt';
      readonly rate: RateState;
      readonly debtCredits: number;
    }
  | {
      readonly kind: 'free_tier_exhausted';
      readonly rate: RateState;
      /** When enough used calls have left the window for this request, ms since the epoch. */
      readonly resetsAtMs: number;
    }
  | {
      /** The account keeps as many idempotent answers as allowed, so nothing was charged. */
      readonly kind: 'answers_full';
      readonly rate: RateState;
      /** When enough of them have expired for this answer. */
      readonly retryAfterSeconds: number;
    };

/** An account and the partition that holds its data. */
export interface AccountPlace {
  readonly id: string;
  /** 0 to 1023. */
  readonly partition: number;
}

/**
 * The one place where a request is admitted and paid for. A step first checks the key, the rate
 * limit and the idempotency key (a replay or a conflict), in this order. If the step costs anything
 * or asks for funds, it then checks the funds and the room for its idempotent answer. It resolves
 * only when its decision is durable (as durable as the settings of the store make it). It rejects
 * when there is no durable decision, or when this is not known: see `GateFailure`.
 */
export interface Gate {
  /**
   * Whether a key is valid, as far as this process knows; undefined for a key that must be looked
   * up. This process learns of a revocation from `step`, or because it forgets the key.
   */
  knows(keyHash: string): boolean | undefined;
  /** Account and mode of a key that this process knows, in the form that `GateOutcome` gives. */
  accountOf(keyHash: string): string | undefined;
  /**
   * Looks up whether a key is valid, and remembers the result.
   *
   * @throws GateError when the look-up fails
   */
  lookUp(key: KeyIdentity): Promise<boolean>;
  step(step: GateStep): Promise<GateOutcome>;
  /** Whether steps can be decided now. Asks the stores that steps depend on; never rejects. */
  ready(): Promise<boolean>;
  /**
   * Funds of an account; none for an account that does not exist.
   *
   * @throws GateError when the funds cannot be read
   */
  funds(account: AccountPlace, mode: Mode): Promise<AccountFunds>;
  /** Finishes the steps under way and releases the store. */
  close(): Promise<void>;
}

/**
 * Why a step could not be decided. Nothing was charged, except perhaps with `unanswered`. After
 * `unanswered`, a repeat with the same idempotency key returns the answer or is charged, so the
 * request is charged at most once.
 */
export type GateFailure =
  | 'overloaded'
  | 'unavailable'
  | 'unanswered'
  | 'not_committed'
  | 'duplicate_request';

/** The gate could not decide a step durably. This is a fault of the service, not of the caller. */
export class GateError extends ReasonError<GateFailure> {}

/** The error of a step whose figures are not counts; undefined for a correct step. */
export function countFault({ cost, affords = 0, hits }: GateStep): RangeError | undefined {
  if (isCount(cost) && isCount(affords) && isCount(hits)) return undefined;
  return new RangeError(
    `Cost, funds and hits must be counts, not ${cost}, ${affords} and ${hits}.`,
  );
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Codes by which a store reports the outcome of a step. The fields that a comment names follow the
 * code. Both stores use these codes; `redis/scripts.ts` makes the Lua constants from this table.
 */
export const OUTCOME = {
  unauthorized: 0,
  counted: 1,
  /** Credits paid. */
  charged: 2,
  /** The free tier paid. Fields: free calls left. */
  chargedFree: 3,
  /** Credits paid for the first request. Fields: its answer. */
  replayed: 4,
  /** The free tier paid for the first request. Fields: its answer, and the free calls left after it. */
  replayedFree: 5,
  idempotencyConflict: 6,
  insufficientCredits: 7,
  /** Fields: when the free tier covers the cost again, ms since the epoch. */
  freeTierExhausted: 8,
  /** Fields: milliseconds until these hits would pass. */
  rateLimited: 9,
  /** A failure: the request id has been charged before. This is a mistake of the caller. */
  duplicateRequest: 10,
  /** A failure: the oldest charge has waited too long to be booked in the ledger. */
  ledgerBehind: 11,
  /** The answer of an idempotency key has no room. Fields: milliseconds until there is room. */
  answersFull: 12,
  /** Fields: credits that the account owes. */
  inDebt: 13,
} as const;

/** Adds the account of the key to an outcome if the step asked for funds. */
export function withAccount(
  outcome: GateOutcome,
  key: { readonly accountId: string; readonly mode: Mode },
): GateOutcome {
  if (outcome.kind !== 'counted' && outcome.kind !== 'replayed') return outcome;
  return { ...outcome, account: accountText(key) };
}

/** Account and mode as one text. */
export function accountText({
  accountId,
  mode,
}: {
  readonly accountId: string;
  readonly mode: Mode;
}): string {
  return `${accountId} ${mode}`;
}

/** The mode of an account that `withAccount` names; the mode of a test key for any other text. */
export function modeOfAccount(account: string): Mode {
  return account.endsWith(' live') ? 'live' : 'test';
}

/** A value of a flat message. */
export type Field = string | number | null;

/**
 * Reads a flat message field by field. This program writes and reads the messages, so a field of
 * another type is a programming error.
 */
export class FieldReader {
  readonly #fields: readonly Field[];
  #next: number;

  /** @param start index of the first field to read */
  constructor(fields: readonly Field[], start = 0) {
    this.#fields = fields;
    this.#next = start;
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
    if (this.#fields[this.#next] !== null) return this.text();
    this.#next++;
    return null;
  }
}

/** A step as the writer gets it. The rate limit has admitted it already. */
export interface WriterStep {
  readonly keyId: string;
  readonly atMs: number;
  readonly requestId: string;
  readonly operation: string;
  readonly cost: number;
  readonly affords: number;
  readonly hits: number;
  readonly idempotency: GateStep['idempotency'];
}

/** Appends a step to a message. */
export function encodeStep(fields: Field[], keyId: string, atMs: number, step: GateStep): void {
  const { idempotency, affords = 0 } = step;
  fields.push(keyId, atMs, step.requestId, step.operation, step.cost, affords, step.hits);
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
  const affords = reader.number();
  const hits = reader.number();
  const key = reader.textOrNull();
  const idempotency =
    key === null ? undefined : { key, fingerprint: reader.text(), answerJson: reader.text() };
  return { keyId, atMs, requestId, operation, cost, affords, hits, idempotency };
}

/**
 * Reads the fields of an outcome.
 *
 * @param code one of `OUTCOME`
 * @param rate state of the key's rate limit after the step
 * @param fields reader that stands at the first field after the code
 * @returns the outcome, or the error with which the step fails
 */
export function decodeOutcome(
  code: Field | undefined,
  rate: RateState,
  fields: FieldReader,
): GateOutcome | GateError {
  switch (code) {
    case OUTCOME.unauthorized:
      return { kind: 'unauthorized' };
    case OUTCOME.counted:
      return { kind: 'counted', rate };
    case OUTCOME.charged:
      return { kind: 'charged', rate };
    case OUTCOME.chargedFree:
      return { kind: 'charged', rate, remainingFreeCalls: fields.number() };
    case OUTCOME.replayed:
      return { kind: 'replayed', rate, answerJson: fields.text() };
    case OUTCOME.replayedFree: {
      const answerJson = fields.text();
      return { kind: 'replayed', rate, answerJson, remainingFreeCalls: fields.number() };
    }
    case OUTCOME.idempotencyConflict:
      return { kind: 'idempotency_conflict', rate };
    case OUTCOME.insufficientCredits:
      return { kind: 'insufficient_credits', rate };
    case OUTCOME.inDebt:
      return { kind: 'in_debt', rate, debtCredits: fields.number() };
    case OUTCOME.freeTierExhausted:
      return { kind: 'free_tier_exhausted', rate, resetsAtMs: fields.number() };
    case OUTCOME.rateLimited: {
      const retryAfterSeconds = Math.ceil(Math.max(1, fields.number()) / 1000);
      return { kind: 'rate_limited', rate, retryAfterSeconds };
    }
    case OUTCOME.answersFull: {
      const retryAfterSeconds = Math.ceil(Math.max(1, fields.number()) / 1000);
      return { kind: 'answers_full', rate, retryAfterSeconds };
    }
    case OUTCOME.duplicateRequest:
      return new GateError('duplicate_request', 'This request id has been charged before.');
    case OUTCOME.ledgerBehind:
      return new GateError('unavailable', 'Charges have waited too long to be booked.');
    default:
      throw new TypeError(`Unknown outcome code ${code}.`);
  }
}
