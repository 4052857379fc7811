import { Charging, type ChargingParts } from '../charging/charging.js';
import { checkIdempotencyKey } from '../charging/idempotency.js';
import type { MeteredRefusal } from '../charging/refusals.js';
import type { Caller, MeteredResult, PerformOptions } from '../charging/requests.js';
import type { Computer } from '../compute/pool.js';
import type { RateState } from '../core/billing-terms.js';
import { Problem } from '../core/errors.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { validateRequest } from '../operations/validate.js';
import { ComputedPath } from './computed-path.js';
import { LightPath } from './light-path.js';

/** Admits every paid request, whatever its transport, and chooses its path. */
export interface Meter {
  /**
   * Validates a request and answers it on its path: the light one, or the computed one for computed
   * operations. Never rejects.
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
export interface MeterParts extends ChargingParts {
  /** The model to answer from; called once per request, so that it may change between requests. */
  readonly model: () => PredictionModel;
  /** Computes computed operations; without it, they run like the others. */
  readonly computer?: Computer | undefined;
}

/** Creates the metered path. */
export function createMeter({ model, computer, ...parts }: MeterParts): Meter {
  const charging = new Charging(parts);
  const light = new LightPath(charging, model);
  const artifactVersion = () => model().artifactVersion;
  const computed =
    computer === undefined ? undefined : new ComputedPath(charging, computer, artifactVersion);

  async function perform(
    operation: Operation,
    body: unknown,
    caller: Caller,
    options: PerformOptions = {},
  ): Promise<MeteredResult> {
    const { idempotencyKey: key } = caller;
    let input: object;
    let path: ComputedPath | undefined;
    let cost = 0;
    try {
      if (key !== undefined) checkIdempotencyKey(key);
      input = validateRequest(operation, body);
      if (operation.computed === true && !isQuick(operation, input, key, options)) path = computed;
      if (path !== undefined) cost = operation.cost(input as never);
    } catch (error) {
      const problem = error instanceof Problem ? error : charging.inferenceError(error, caller);
      return charging.refuse(problem, caller, operation.name);
    }
    return path === undefined
      ? light.perform(operation, input, caller)
      : path.perform(operation, input, cost, caller, options);
  }

  return {
    perform,
    refuse: (problem, caller, operation = 'none') => charging.refuse(problem, caller, operation),
    count: (caller) => charging.count(caller),
    limited: (caller) => charging.limited(caller),
    pending: () => charging.pending,
  };
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
