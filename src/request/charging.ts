import { type Gate, GateError, type GateOutcome, type GateStep } from '../billing/gate.js';
import { KEY_FAILURES_DEFAULT, type RateState } from '../core/billing-terms.js';
import { type ErrorCode, Problem } from '../core/errors.js';
import { networkOf } from '../core/network.js';
import { throttledLog } from '../core/throttled-log.js';
import type { Operation } from '../operations/operation.js';
import type { Caller, MeteredAnswer } from './caller.js';
import { KeyGuesses } from './key-guesses.js';
import { ComputeError } from './pool.js';
import {
  chargeAfter,
  clientLeft,
  type MeteredRefusal,
  processorTimeSpent,
  refusalOf,
  type StepOutcome,
  serviceBusy,
  tookTooLong,
} from './refusals.js';
import type { ComputeResult } from './tasks.js';

/** Payment of an answer: `replay` is an earlier request, `none` is for answers that cost nothing. */
export type ChargeSource = 'credits' | 'free' | 'replay' | 'none';

/** Why a key was refused; a malformed key counts as unknown. */
export type KeyRefusal = 'unknown' | 'limited';

/** Counts the outcomes of the metered path. */
export interface MeterObserver {
  answered(operation: string, source: ChargeSource, cost: number): void;
  refused(operation: string, code: ErrorCode): void;
  /** A key was refused: it was malformed, or unknown after a look-up, or the limit prevented its look-up. */
  keyRefused(reason: KeyRefusal): void;
}

/** Where faults of the service are written; pino fits. */
export interface FaultLog {
  error(details: object, message: string): void;
}

/** Logs failed steps, at most one in ten seconds for each reason. */
export function stepFailureLog(log: FaultLog): (error: unknown, requestId: string) => void {
  const byReason = new Map<string, (fault: { err: unknown; request_id: string }) => void>();
  return (err, request_id) => {
    const reason = err instanceof GateError ? err.reason : 'fault';
    let write = byReason.get(reason);
    if (write === undefined) {
      write = throttledLog((fault, omitted) =>
        log.error({ ...fault, omitted }, 'the charging step failed'),
      );
      byReason.set(reason, write);
    }
    write({ err, request_id });
  };
}

/** Dependencies of the charging steps. */
export interface ChargingParts {
  readonly gate: Gate;
  /** Books back the price of an answer that could not be sent completely. */
  readonly returnCharge: ReturnCharge;
  readonly log: FaultLog;
  readonly observer?: MeterObserver | undefined;
  /** Unknown keys that a network may send in a minute; 100 by default. */
  readonly keyFailuresMax?: number | undefined;
}

/**
 * Books back the price of an answer that the service could not send completely.
 *
 * @param account account and mode, as the gate reports them
 * @param requestId id of the charged request
 */
export type ReturnCharge = (account: string, credits: number, requestId: string) => Promise<void>;

/** The outcome of a step that found an earlier answer. */
export type Replayed = Extract<GateOutcome, { kind: 'replayed' }>;

/**
 * The steps in which a request is counted, charged, repeated, refused or paid back. Every path of a
 * request takes these steps. They do not depend on how an answer is made.
 */
export class Charging {
  readonly #parts: ChargingParts;
  readonly #guesses: KeyGuesses;
  readonly #logFailure: ReturnType<typeof stepFailureLog>;
  #pending = 0;
  readonly #returning = new Set<Promise<void>>();

  constructor(parts: ChargingParts) {
    this.#parts = parts;
    this.#guesses = new KeyGuesses(parts.keyFailuresMax ?? KEY_FAILURES_DEFAULT);
    this.#logFailure = stepFailureLog(parts.log);
  }

  /** Number of gate steps in progress. */
  get pending(): number {
    return this.#pending;
  }

  /**
   * Refuses a caller whose key is not valid, or whose network has sent too many unknown keys.
   * Returns undefined for any other caller. A key that this process knows costs nothing; any other
   * key costs at most one look-up. Never rejects.
   */
  admit(caller: Caller): MeteredRefusal | undefined | Promise<MeteredRefusal | undefined> {
    const { address, keyHash } = caller;
    if (this.#parts.gate.knows(keyHash) === true) return undefined;
    const network = networkOf(address);
    const limit = this.#guesses.refusal(network, keyHash);
    return limit === undefined ? this.#lookUp(caller, network) : this.#keyRefused('limited', limit);
  }

  async #lookUp({ keyHash, partition, requestId }: Caller, network: string) {
    const { gate } = this.#parts;
    const lookUp = async () => gate.knows(keyHash) ?? gate.lookUp({ keyHash, partition });
    const trusted = this.#guesses.trusts(network, keyHash);
    try {
      const found = trusted ? await lookUp() : await this.#guesses.ask(network, keyHash, lookUp);
      if (found === true) return undefined;
      if (found !== false) return this.#keyRefused('limited', found);
      if (trusted) this.#guesses.failed(network, keyHash);
      return this.#keyRefused('unknown', { kind: 'unauthorized' });
    } catch (error) {
      this.#logFailure(error, requestId);
      return this.refused('none', refusalOf({ kind: 'failed', charge: 'none' }));
    }
  }

  /** Refuses a key that is not well-formed. It counts like an unknown one, but is not looked up. */
  refuseMalformed(address: string): MeteredRefusal {
    const network = networkOf(address);
    const limit = this.#guesses.refusal(network, '');
    if (limit !== undefined) return this.#keyRefused('limited', limit);
    this.#guesses.failed(network, '');
    return this.#keyRefused('unknown', { kind: 'unauthorized' });
  }

  #keyRefused(reason: KeyRefusal, outcome: StepOutcome): MeteredRefusal {
    this.#parts.observer?.keyRefused(reason);
    return this.refused('none', refusalOf(outcome));
  }

  /** Account and mode of a key that was admitted; the hash of the key if the gate has forgotten it. */
  accountOf({ keyHash }: Caller): string {
    return this.#parts.gate.accountOf(keyHash) ?? keyHash;
  }

  /** Takes a step of the gate. Never rejects. */
  async step(request: GateStep, { address, keyHash }: Caller): Promise<StepOutcome> {
    const { gate, observer } = this.#parts;
    this.#pending++;
    try {
      const outcome = await gate.step(request);
      if (outcome.kind === 'unauthorized') {
        observer?.keyRefused('unknown');
        this.#guesses.failed(networkOf(address), keyHash);
      }
      return outcome;
    } catch (error) {
      this.#logFailure(error, request.requestId);
      return { kind: 'failed', charge: chargeAfter(error, request) };
    } finally {
      this.#pending--;
    }
  }

  /** Counts a request against the rate limit. */
  async count(
    caller: Caller,
  ): Promise<{ readonly kind: 'counted'; readonly rate: RateState } | MeteredRefusal> {
    const { keyHash, partition, requestId, hits } = caller;
    const operation = 'refused';
    const request = { keyHash, partition, requestId, operation, cost: 0, hits, countsOnly: true };
    const outcome = await this.step(request, caller);
    return outcome.kind === 'counted' ? outcome : refusalOf(outcome);
  }

  /** Counts a request and refuses it: with the given problem, or because its key may not send it. */
  async refuse(problem: Problem, caller: Caller, operation: string): Promise<MeteredRefusal> {
    const outcome = await this.count(caller);
    const refusal: MeteredRefusal =
      outcome.kind === 'counted' ? { kind: 'refusal', problem, rate: outcome.rate } : outcome;
    return this.refused(operation, refusal);
  }

  /** The answer or the refusal after the charging step. */
  settled(
    operation: string,
    outcome: StepOutcome,
    json: string,
    cost: number,
  ): MeteredAnswer | MeteredRefusal {
    const { observer } = this.#parts;
    if (outcome.kind === 'charged') {
      const free = outcome.remainingFreeCalls;
      observer?.answered(operation, free === undefined ? 'credits' : 'free', cost);
      return answer(withFreeCalls(json, free), outcome.rate, false);
    }
    if (outcome.kind === 'replayed') return this.replay(operation, outcome, cost);
    if (outcome.kind === 'counted' && cost === 0) {
      observer?.answered(operation, 'none', 0);
      return answer(json, outcome.rate, false);
    }
    return this.refused(operation, refusalOf(outcome, cost));
  }

  /** The answer of an earlier request with the same idempotency key. */
  replay(
    operation: string,
    { answerJson, remainingFreeCalls, rate }: Replayed,
    cost: number,
  ): MeteredAnswer {
    this.#parts.observer?.answered(operation, 'replay', cost);
    return answer(withFreeCalls(answerJson, remainingFreeCalls), rate, true);
  }

  /** Notes a refusal. */
  refused(operation: string, refusal: MeteredRefusal): MeteredRefusal {
    this.#parts.observer?.refused(operation, refusal.problem.code);
    return refusal;
  }

  /** Logs a fault of an operation; the problem hides its cause. */
  inferenceError(error: unknown, { requestId }: Caller): Problem {
    this.#parts.log.error({ err: error, request_id: requestId }, 'an operation failed');
    const message =
      'The prediction failed on our side. Nothing was charged. Report the request_id if it persists.';
    return new Problem('inference_error', message);
  }

  /** The result of a computation, or why there is none. Never rejects. */
  async computed(
    compute: () => Promise<ComputeResult>,
    rate: RateState,
    caller: Caller,
    left: AbortSignal | undefined,
  ): Promise<Exclude<ComputeResult, { kind: 'problem' }> | MeteredRefusal> {
    const refusal = (problem: Problem) => ({ kind: 'refusal', problem, rate }) as const;
    try {
      const result = await compute();
      if (left?.aborted === true) return refusal(clientLeft());
      if (result.kind !== 'problem') return result;
      return refusal(new Problem(result.code, result.sentence, result.extras));
    } catch (error) {
      if (!(error instanceof ComputeError)) return refusal(this.inferenceError(error, caller));
      const { reason, seconds } = error;
      if (reason === 'full' || reason === 'waited') return serviceBusy(rate);
      if (reason === 'spent') return processorTimeSpent(rate, seconds);
      if (reason === 'left') {
        return left?.aborted === true ? refusal(clientLeft()) : serviceBusy(rate);
      }
      // Logged for the operator, because the estimate was within the limits.
      this.inferenceError(error, caller);
      return tookTooLong(rate, seconds);
    }
  }

  /** Books back the price of an answer that could not be sent completely. Logs a failure. */
  giveBack(account: string, credits: number, caller: Caller): void {
    const returning = this.#parts
      .returnCharge(account, credits, caller.requestId)
      .catch((error) => void this.inferenceError(error, caller))
      .finally(() => this.#returning.delete(returning));
    this.#returning.add(returning);
  }

  /** Resolves when all prices that are being booked back are booked. */
  async returned(): Promise<void> {
    await Promise.all(this.#returning);
  }
}

/**
 * The step for a request of an operation.
 *
 * @param hash fingerprint of the request; it is not used without an idempotency key
 * @param json the answer to store, if the request has an idempotency key and is charged
 */
export function stepOf(
  operation: Pick<Operation, 'name'>,
  caller: Caller,
  cost: number,
  hash: string,
  json = '',
): GateStep {
  const { keyHash, partition, requestId, hits, idempotencyKey: key } = caller;
  const plain = { keyHash, partition, requestId, operation: operation.name, cost, hits };
  if (key === undefined) return plain;
  return { ...plain, idempotency: { key, fingerprint: hash, answerJson: json } };
}

/** The answer to send: with the number of free calls left if the free tier paid. */
function withFreeCalls(json: string, remainingFreeCalls: number | undefined): string {
  if (remainingFreeCalls === undefined) return json;
  return `${json.slice(0, -1)},"remaining_free_calls":${remainingFreeCalls}}`;
}

function answer(json: string, rate: RateState, replayed: boolean): MeteredAnswer {
  return { kind: 'answer', json, rate, replayed };
}
