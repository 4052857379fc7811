import { setImmediate as nextTurn } from 'node:timers/promises';
import { Charging, type ChargingParts } from '../charging/charging.js';
import { checkIdempotencyKey } from '../charging/idempotency.js';
import type { MeteredRefusal } from '../charging/refusals.js';
import type { Caller, MeteredResult, PerformOptions } from '../charging/requests.js';
import type { Computer } from '../compute/pool.js';
import type { RateState } from '../core/billing-terms.js';
import { Problem } from '../core/errors.js';
import { inTurns } from '../core/pieces.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { requestFaults, validateRequest } from '../operations/validate.js';
import { checkWork } from '../operations/work.js';
import { ComputedPath } from './computed-path.js';
import { LightPath } from './light-path.js';

/** Admits every paid request, whatever its transport, and chooses its path. */
export interface Meter {
  /**
   * Validates a request and answers it on its path. A request of a computed operation is counted before it
   * is validated; any other is counted in the step that charges it. Never rejects.
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
   * Refuses a caller whose key is not valid, before the body is read; undefined for any other. See
   * `Charging.admit`.
   */
  admit(caller: Caller): MeteredRefusal | undefined | Promise<MeteredRefusal | undefined>;
  /** Number of gate steps in progress. */
  pending(): number;
}

/** What a meter needs. */
export interface MeterParts extends ChargingParts {
  /** The model to answer from; called once per request, so that it may change between requests. */
  readonly model: () => PredictionModel;
  /** Secret of the deployment; see `seedOf`. */
  readonly seedSecret: string;
  /** Computes computed operations; without it, they run like the others. */
  readonly computer?: Computer | undefined;
}

/** Creates the metered path. */
export function createMeter({ model, computer, seedSecret, ...parts }: MeterParts): Meter {
  const charging = new Charging(parts);
  const light = new LightPath(charging, model);
  const artifactVersion = () => model().artifactVersion;
  const computed =
    computer === undefined
      ? undefined
      : new ComputedPath({ charging, computer, artifactVersion, seedSecret });

  async function perform(
    operation: Operation,
    body: unknown,
    caller: Caller,
    options: PerformOptions = {},
  ): Promise<MeteredResult> {
    if (operation.computed === true) return performHeavy(operation, body, caller, options);
    let input: object;
    try {
      if (caller.idempotencyKey !== undefined) checkIdempotencyKey(caller.idempotencyKey);
      input = validateRequest(operation, body);
    } catch (error) {
      return charging.refuse(problemOf(error, caller), caller, operation.name);
    }
    return light.perform(operation, input, caller);
  }

  /** Counts one request before it does any work for it. The charging step counts its further hits. */
  async function performHeavy(
    operation: Operation,
    body: unknown,
    caller: Caller,
    options: PerformOptions,
  ): Promise<MeteredResult> {
    const counted = await charging.count(caller);
    if (counted.kind === 'refusal') return charging.refused(operation.name, counted);
    // The body was just read, which may have taken a while, too.
    await nextTurn();
    const { idempotencyKey: key } = caller;
    let input: object;
    let cost = 0;
    let isLight: boolean;
    try {
      if (key !== undefined) checkIdempotencyKey(key);
      const faults = requestFaults(operation, body);
      if (faults !== undefined) throw faults.problem();
      input = body as object;
      const quick = isQuick(operation, input, key, options);
      if (!quick) {
        cost = await costOf(operation, input);
        checkWork(operation, input);
      }
      isLight = quick || computed === undefined;
    } catch (error) {
      const problem = problemOf(error, caller);
      return charging.refused(operation.name, { kind: 'refusal', problem, rate: counted.rate });
    }
    const further = { ...caller, hits: (operation.hits?.(input as never) ?? 1) - 1 };
    return computed === undefined || isLight
      ? light.perform(operation, input, further)
      : computed.perform(operation, input, cost, further, options);
  }

  function problemOf(error: unknown, caller: Caller): Problem {
    return error instanceof Problem ? error : charging.inferenceError(error, caller);
  }

  return {
    perform,
    refuse: (problem, caller, operation = 'none') => charging.refuse(problem, caller, operation),
    count: (caller) => charging.count(caller),
    admit: (caller) => charging.admit(caller),
    pending: () => charging.pending,
  };
}

async function costOf(operation: Operation, input: object): Promise<number> {
  const pieces = operation.costInPieces?.(input as never);
  return pieces === undefined ? operation.cost(input as never) : inTurns(pieces);
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
