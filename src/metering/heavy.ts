import type { GateOutcome, GateStep } from '../billing/gate.js';
import { ComputeError, type Computer } from '../compute/pool.js';
import type { RateState } from '../core/billing-terms.js';
import { Problem } from '../core/errors.js';
import { STORED_ANSWER_CHARS_MAX } from '../core/limits.js';
import type { Operation } from '../operations/operation.js';
import { type Recipe, recipeOf, recipeText } from './idempotency.js';
import { computationsBusy, type MeteredRefusal, refusalOf, type StepOutcome } from './refusals.js';
import type { Caller, MeteredResult, PerformOptions } from './requests.js';
import { COMPUTATIONS_MAX, type Reservation, Reservations } from './reservations.js';

/** What the heavy path shares with the meter. */
export interface HeavyParts {
  readonly computer: Computer;
  /** Version of the artifact that new answers are computed from. */
  readonly artifactVersion: () => string;
  step(request: GateStep, caller: Caller): Promise<StepOutcome>;
  stepOf(
    operation: Operation,
    input: object,
    caller: Caller,
    cost: number,
    json?: string,
  ): GateStep;
  /** The answer or the refusal after the charging step. */
  settled(operation: Operation, outcome: StepOutcome, json: string, cost: number): MeteredResult;
  /** Logs a fault of an operation and hides its cause. */
  inferenceError(error: unknown, caller: Caller): Problem;
  refused(operation: string, refusal: MeteredRefusal): MeteredRefusal;
}

type Replayed = Extract<GateOutcome, { kind: 'replayed' }>;

/** An answer before its charge. */
interface Computed {
  readonly kind: 'computed';
  readonly json: string;
  /** What it costs, if that is not the price of the request. */
  readonly cost: number | undefined;
}

/** A validated request of a heavy operation. */
interface HeavyRequest {
  readonly operation: Operation;
  readonly input: object;
  readonly cost: number;
  readonly caller: Caller;
  readonly options: PerformOptions;
  /** Aborted when the client has hung up. */
  readonly left: AbortSignal | undefined;
}

/** A request that the gate has admitted. */
interface Admission {
  readonly reservation: Reservation | undefined;
  /** Price of the other computations under way. */
  readonly reserved: number;
  readonly outcome: StepOutcome;
}

/**
 * The path of the operations that compute for long (decision 0035). A first step of cost 0 counts the
 * request, finds an earlier answer and checks the funds. Then the answer is computed beside the event
 * loop. The last step charges. The price is reserved in memory meanwhile.
 */
export class HeavyPath {
  readonly #parts: HeavyParts;
  readonly #reservations = new Reservations();

  constructor(parts: HeavyParts) {
    this.#parts = parts;
  }

  /** Answers a validated request, or refuses it uncharged. Never rejects. */
  async perform(
    operation: Operation,
    input: object,
    cost: number,
    caller: Caller,
    options: PerformOptions,
  ): Promise<MeteredResult> {
    const hits = caller.hits * (operation.hits?.(input as never) ?? 1);
    const asked = { ...caller, hits };
    const request = { operation, input, cost, caller: asked, options, left: caller.left?.() };
    const { reservation, reserved, outcome } = await this.#admit(request);
    try {
      if (outcome.kind === 'replayed') return await this.#replay(request, outcome, reservation);
      if (outcome.kind !== 'counted') {
        return this.#refused(request, refusalOf(outcome, cost, reserved));
      }
      if (reservation === undefined) {
        return this.#refused(request, computationsBusy('account', outcome.rate));
      }
      return await this.#compute(request, outcome.rate, reservation);
    } finally {
      reservation?.release();
    }
  }

  /** The first step. Without a reservation it only counts the request and finds an earlier answer. */
  async #admit({ operation, input, cost, caller }: HeavyRequest): Promise<Admission> {
    const { step, stepOf } = this.#parts;
    const reservation = this.#reservations.take(caller.keyHash, cost);
    const plain = stepOf(operation, input, caller, 0);
    const ask = (affords: number, hits = plain.hits) => step({ ...plain, affords, hits }, caller);
    if (reservation === undefined) return { reservation, reserved: 0, outcome: await ask(0) };
    const { total } = reservation;
    const outcome = await ask(total);
    if (outcome.kind !== 'counted' || outcome.account === undefined) {
      return { reservation, reserved: total - cost, outcome };
    }
    reservation.moveTo(outcome.account);
    if (reservation.count > COMPUTATIONS_MAX) {
      reservation.release();
      return { reservation: undefined, reserved: 0, outcome };
    }
    if (reservation.total <= total) return { reservation, reserved: total - cost, outcome };
    // Other keys of the account have computations under way, too.
    const all = reservation.total;
    return { reservation, reserved: all - cost, outcome: await ask(all, 0) };
  }

  async #compute(
    request: HeavyRequest,
    rate: RateState,
    reservation: Reservation,
  ): Promise<MeteredResult> {
    const { operation, caller } = request;
    const { step, stepOf, settled, artifactVersion } = this.#parts;
    const recipe: Recipe = {
      artifactVersion: artifactVersion(),
      drawn: operation.draw?.(request.input as never) ?? {},
    };
    const computed = await this.#run(request, recipe, rate);
    if (computed.kind !== 'computed') return this.#refused(request, computed);
    const { json, cost = request.cost } = computed;
    const stored = json.length > STORED_ANSWER_CHARS_MAX ? recipeText(recipe) : json;
    const counted = { ...caller, hits: 0 };
    const outcome = await step(stepOf(operation, request.input, counted, cost, stored), caller);
    if (outcome.kind === 'replayed') return this.#replay(request, outcome, reservation);
    return settled(operation, outcome, json, cost);
  }

  /** Answers as an earlier request with this idempotency key was answered. */
  async #replay(
    request: HeavyRequest,
    outcome: Replayed,
    reservation: Reservation | undefined,
  ): Promise<MeteredResult> {
    const { operation, cost, options } = request;
    const recipe = recipeOf(outcome.answerJson);
    let json = outcome.answerJson;
    if (recipe !== undefined) {
      const computed =
        reservation === undefined
          ? computationsBusy('account', outcome.rate)
          : await this.#run(request, recipe, outcome.rate, true);
      if (computed.kind !== 'computed') return this.#refused(request, computed);
      json = computed.json;
    }
    if (isTooLong(json, options)) {
      return this.#refused(request, refusal(tooLong(options), outcome.rate));
    }
    return this.#parts.settled(operation, { ...outcome, answerJson: json }, json, cost);
  }

  /** Computes an answer; its JSON text, or why there is none. */
  async #run(
    { operation, input, caller, options, left }: HeavyRequest,
    { artifactVersion, drawn }: Recipe,
    rate: RateState,
    replays = false,
  ): Promise<Computed | MeteredRefusal> {
    const { computer, inferenceError } = this.#parts;
    try {
      const task = { operation: operation.name, input: { ...input, ...drawn }, artifactVersion };
      const result = await computer.compute(task, left);
      if (left?.aborted === true) throw new ComputeError('left');
      if (result.kind === 'no_such_version') {
        if (replays) return refusal(replayExpired(artifactVersion), rate);
        throw new Error(`artifact ${artifactVersion} is not there`);
      }
      if (result.kind === 'problem') {
        return refusal(new Problem(result.code, result.message, result.extras), rate);
      }
      if (isTooLong(result.json, options)) return refusal(tooLong(options), rate);
      const { json, cost } = result;
      return { kind: 'computed', json, cost };
    } catch (error) {
      if (!(error instanceof ComputeError)) return refusal(inferenceError(error, caller), rate);
      if (error.reason === 'full') return computationsBusy('service', rate);
      if (error.reason === 'left') return refusal(clientLeft(), rate);
      inferenceError(error, caller);
      return refusal(tookTooLong(computer.timeLimitSeconds), rate);
    }
  }

  #refused({ operation, left }: HeavyRequest, why: MeteredRefusal): MeteredRefusal {
    return left?.aborted === true ? why : this.#parts.refused(operation.name, why);
  }
}

function refusal(problem: Problem, rate: RateState): MeteredRefusal {
  return { kind: 'refusal', problem, rate };
}

function isTooLong(json: string, { answerBytesMax }: PerformOptions): boolean {
  return answerBytesMax !== undefined && Buffer.byteLength(json) > answerBytesMax;
}

function tooLong({ answerBytesMax }: PerformOptions): Problem {
  const message = `The answer is longer than the ${answerBytesMax} bytes that a tool may return. Nothing was charged. Ask for less: fewer measurements, percentiles, people or groups. Or send the request to the REST route, which has no such limit.`;
  return new Problem('validation_error', message);
}

function replayExpired(version: string): Problem {
  const message = `This request was answered from artifact ${version}, which is not available any more, and its answer was too long to be stored. Nothing was charged. Send the request with a new Idempotency-Key.`;
  return new Problem('replay_expired', message);
}

function tookTooLong(seconds: number): Problem {
  const message = `The computation took longer than ${seconds} s and was ended. Nothing was charged. Ask for less.`;
  return new Problem('inference_error', message);
}

/** Nobody reads this. */
function clientLeft(): Problem {
  return new Problem('inference_error', 'The client has hung up. Nothing was charged.');
}
