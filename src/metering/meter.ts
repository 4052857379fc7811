import type { Gate, GateOutcome, GateStep } from '../billing/gate.js';
import type { Computer } from '../compute/pool.js';
import { KEY_FAILURES_DEFAULT, type RateState } from '../core/billing-terms.js';
import { Problem } from '../core/errors.js';
import { isInParts } from '../operations/answer-formats.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { answerJson, validateRequest } from '../operations/validate.js';
import { ComputedPath, type ReturnCharge } from './computed-path.js';
import { checkAnswerSize, checkIdempotencyKey, fingerprint } from './idempotency.js';
import { KeyGuesses } from './key-guesses.js';
import { type FaultLog, type MeterObserver, stepFailureLog } from './observer.js';
import { chargeAfter, type MeteredRefusal, refusalOf, type StepOutcome } from './refusals.js';
import type { Caller, MeteredAnswer, MeteredResult, PerformOptions } from './requests.js';

/** The one path of every paid request, whatever its transport. */
export interface Meter {
  /**
   * Validates, runs, charges in one atomic step, answers. An operation that costs nothing is counted
   * in place of the charge. A computed operation takes the path of `ComputedPath`. Never rejects.
   */
  perform(
    operation: Operation,
    body: unknown,
    caller: Caller,
    options?: PerformOptions,
  ): Promise<MeteredResult>;
  /**
   * Counts a request that the transport itself refuses (such as a body that is not JSON) against the
   * rate limit. Resolves to that problem, or to `unauthorized` or `rate_limited`, which take
   * precedence.
   */
  refuse(problem: Problem, caller: Caller, operation?: string): Promise<MeteredRefusal>;
  /** Counts a request that costs nothing, such as reading the catalog over MCP. */
  count(caller: Caller): Promise<{ readonly kind: 'counted'; rate: RateState } | MeteredRefusal>;
  /**
   * The refusal of a caller whose network has sent too many unknown keys; undefined for any other.
   * Costs no look-up and does not need the body.
   */
  limited(caller: Caller): MeteredRefusal | undefined;
  /** Number of gate steps in progress. */
  pending(): number;
}

/** What a meter needs. */
export interface MeterParts {
  readonly gate: Gate;
  /** The model to answer from; called once per request, so that it may change between requests. */
  readonly model: () => PredictionModel;
  /** Computes computed operations; without it, they run like the others. */
  readonly computer?: Computer | undefined;
  /** Books the price of an answer back that failed on the way. */
  readonly returnCharge: ReturnCharge;
  readonly log: FaultLog;
  readonly observer?: MeterObserver | undefined;
  /** Unknown keys that a network may send in a minute; 100 by default. */
  readonly keyFailuresMax?: number | undefined;
}

/** Creates the metered path. */
export function createMeter(parts: MeterParts): Meter {
  const { gate, model, log, observer } = parts;
  const guesses = new KeyGuesses(parts.keyFailuresMax ?? KEY_FAILURES_DEFAULT);
  const logFailure = stepFailureLog(log);
  let pending = 0;
  const computed = computedPath();

  async function step(request: GateStep, { network, keyHash }: Caller): Promise<StepOutcome> {
    pending++;
    try {
      const trusted = guesses.trusts(network, keyHash);
      const outcome = trusted
        ? await gate.step(request)
        : await guesses.ask(network, keyHash, () => gate.step(request));
      if (outcome.kind === 'unauthorized') {
        observer?.keyRefused('unknown');
        if (trusted) guesses.failed(network, keyHash);
      } else if (outcome.kind === 'guesses_limited') observer?.keyRefused('limited');
      return outcome;
    } catch (error) {
      logFailure(error, request.requestId);
      return { kind: 'failed', charge: chargeAfter(error, request) };
    } finally {
      pending--;
    }
  }

  async function count(caller: Caller, decided = false) {
    const { keyHash, partition, requestId, hits } = caller;
    const request = { keyHash, partition, requestId, operation: 'refused', cost: 0, hits };
    const outcome = await step(decided ? { ...request, decided } : request, caller);
    return outcome.kind === 'counted' ? outcome : refusalOf(outcome);
  }

  async function refuse(problem: Problem, caller: Caller, operation = 'none') {
    const outcome = await count(caller, true);
    const refusal: MeteredRefusal =
      outcome.kind === 'counted' ? { kind: 'refusal', problem, rate: outcome.rate } : outcome;
    return refused(operation, refusal);
  }

  async function perform(
    operation: Operation,
    body: unknown,
    caller: Caller,
    options: PerformOptions = {},
  ) {
    let input: ReturnType<typeof validateRequest> | undefined;
    let request: GateStep;
    let json: string;
    try {
      const { idempotencyKey: key } = caller;
      if (key !== undefined) checkIdempotencyKey(key);
      input = validateRequest(operation, body);
      if (
        operation.computed === true &&
        computed !== undefined &&
        !isQuick(operation, input, key, options)
      ) {
        return await computed.perform(operation, input, operation.cost(input), caller, options);
      }
      if (operation.rows !== undefined && isInParts(operation, input)) {
        throw new Error('answers in parts need a computer');
      }
      const drawn = operation.draw === undefined ? input : { ...input, ...operation.draw(input) };
      const found = operation.run(drawn, model());
      json = answerJson(operation, found);
      if (key !== undefined) checkAnswerSize(json);
      const cost = operation.charged?.(found) ?? operation.cost(input);
      const hits = operation.hits?.(input);
      const asked = hits === undefined ? caller : { ...caller, hits: caller.hits * hits };
      request = stepOf(operation, input, asked, cost, json);
    } catch (error) {
      const problem = error instanceof Problem ? error : inferenceError(error, caller, log);
      return replayOrRefuse(operation, input, problem, caller);
    }
    return settled(operation, await step(request, caller), json, request.cost);
  }

  /** The answer or the refusal after the charging step. */
  function settled(
    operation: Operation,
    outcome: StepOutcome,
    json: string,
    cost: number,
  ): MeteredResult {
    if (outcome.kind === 'charged') {
      const free = outcome.remainingFreeCalls;
      observer?.answered(operation.name, free === undefined ? 'credits' : 'free', cost);
      return answer(withFreeCalls(json, free), outcome.rate, false);
    }
    if (outcome.kind === 'replayed') return replay(operation, outcome, cost);
    if (outcome.kind === 'counted' && cost === 0) {
      observer?.answered(operation.name, 'none', 0);
      return answer(json, outcome.rate, false);
    }
    return refused(operation.name, refusalOf(outcome, cost));
  }

  function refused(operation: string, refusal: MeteredRefusal): MeteredRefusal {
    observer?.refused(operation, refusal.problem.code);
    return refusal;
  }

  /**
   * Refuses a request that has no answer. If it was answered before under its idempotency key, it
   * gets that answer again, even though the model has changed since.
   */
  async function replayOrRefuse(
    operation: Operation,
    input: object | undefined,
    problem: Problem,
    caller: Caller,
  ): Promise<MeteredResult> {
    if (input === undefined || caller.idempotencyKey === undefined) {
      return refuse(problem, caller, operation.name);
    }
    const outcome = await step(stepOf(operation, input, caller, 0), caller);
    if (outcome.kind === 'replayed') return replay(operation, outcome, 0);
    const asWithoutKey = outcome.kind === 'counted' || outcome.kind === 'idempotency_conflict';
    const refusal: MeteredRefusal = asWithoutKey
      ? { kind: 'refusal', problem, rate: outcome.rate }
      : refusalOf(outcome);
    return refused(operation.name, refusal);
  }

  function replay(
    operation: Operation,
    { answerJson, remainingFreeCalls, rate }: Extract<GateOutcome, { kind: 'replayed' }>,
    cost: number,
  ): MeteredAnswer {
    observer?.answered(operation.name, 'replay', cost);
    return answer(withFreeCalls(answerJson, remainingFreeCalls), rate, true);
  }

  function limited({ network, keyHash }: Caller): MeteredRefusal | undefined {
    const limit = guesses.refusal(network, keyHash);
    if (limit === undefined) return undefined;
    observer?.keyRefused('limited');
    return refused('none', refusalOf(limit));
  }

  function computedPath(): ComputedPath | undefined {
    const { computer } = parts;
    if (computer === undefined) return undefined;
    const artifactVersion = () => model().artifactVersion;
    const failed = (error: unknown, caller: Caller) => inferenceError(error, caller, log);
    return new ComputedPath({
      computer,
      artifactVersion,
      step,
      stepOf,
      settled,
      inferenceError: failed,
      refused,
      returnCharge: parts.returnCharge,
    });
  }

  return { perform, refuse, count: (caller) => count(caller), limited, pending: () => pending };
}

/**
 * Whether a request of a computed operation is computed at once. Only the computed path can repeat answers
 * that are too long to be stored, and limit their length.
 */
function isQuick(
  operation: Operation,
  input: object,
  key: string | undefined,
  { answerBytesMax }: PerformOptions,
): boolean {
  if (key !== undefined || answerBytesMax !== undefined) return false;
  return operation.isQuick?.(input as never) === true;
}

/** The answer to send: with the number of free calls left if the free tier paid. */
function withFreeCalls(json: string, remainingFreeCalls: number | undefined): string {
  if (remainingFreeCalls === undefined) return json;
  return `${json.slice(0, -1)},"remaining_free_calls":${remainingFreeCalls}}`;
}

function answer(json: string, rate: RateState, replayed: boolean): MeteredAnswer {
  return { kind: 'answer', json, rate, replayed };
}

function stepOf(
  operation: Operation,
  input: object,
  caller: Caller,
  cost: number,
  json = '',
): GateStep {
  const { keyHash, partition, requestId, hits, idempotencyKey: key } = caller;
  const plain = { keyHash, partition, requestId, operation: operation.name, cost, hits };
  if (key === undefined) return plain;
  return { ...plain, idempotency: { key, fingerprint: fingerprint(input), answerJson: json } };
}

function inferenceError(error: unknown, caller: Caller, log: FaultLog): Problem {
  log.error({ err: error, request_id: caller.requestId }, 'an operation failed');
  const message =
    'The prediction failed on our side. Nothing was charged. Report the request_id if it persists.';
  return new Problem('inference_error', message);
}
