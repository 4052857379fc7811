import type { RateState } from '../core/billing-terms.js';
import { Problem } from '../core/errors.js';
import { fingerprintInPieces } from '../core/fingerprint.js';
import { inTurns } from '../core/pieces.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { requestFaults } from '../operations/validate.js';
import { checkWork } from '../operations/work.js';
import type {
  Caller,
  EarlierRequest,
  LargeBody,
  MeteredParts,
  MeteredResult,
  PerformOptions,
} from './caller.js';
import { Charging, type ChargingParts } from './charging.js';
import { ComputedPath } from './computed-path.js';
import { checkIdempotencyKey } from './idempotency.js';
import { LargeBodies } from './large-bodies.js';
import { LightPath } from './light-path.js';
import type { Computer } from './pool.js';
import type { ComputeBudget } from './queue.js';
import { accountBusy, type MeteredRefusal } from './refusals.js';

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
   * The file of an earlier request of the same account, without charge and without a hit; undefined where
   * there is none. It is to be read to its end.
   */
  file(
    operation: Operation,
    earlier: EarlierRequest,
    caller: Caller,
  ): Promise<MeteredParts | MeteredRefusal | undefined>;
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
  /**
   * Counts an admitted request with a large body before the body is received, or refuses it. The caller
   * of everything that follows holds what this returns, and counts one hit less. Never rejects.
   */
  enter(caller: Caller): Promise<LargeBody | MeteredRefusal>;
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
  /** The processor time of accounts; without it, there is no limit. */
  readonly budget?: ComputeBudget | undefined;
}

/** Creates the metered path. */
export function createMeter({ model, computer, seedSecret, budget, ...parts }: MeterParts): Meter {
  const charging = new Charging(parts);
  const light = new LightPath(charging, model);
  const bodies = new LargeBodies(charging, budget);
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
    try {
      if (caller.idempotencyKey !== undefined) checkIdempotencyKey(caller.idempotencyKey);
      // Not thrown: that would take as long as the validation of a valid request.
      const faults = requestFaults(operation, body);
      if (faults !== undefined) return charging.refuse(faults.problem(), caller, operation.name);
      if (operation.work !== undefined) checkWork(operation, body as object);
    } catch (error) {
      return charging.refuse(problemOf(error, caller), caller, operation.name);
    }
    return light.perform(operation, body as object, caller);
  }

  /** Counts one request before it does any work for it. The charging step counts its further hits. */
  async function performHeavy(
    operation: Operation,
    body: unknown,
    caller: Caller,
    options: PerformOptions,
  ): Promise<MeteredResult> {
    const { idempotencyKey: key, body: large } = caller;
    const counted =
      large !== undefined && caller.hits === 0
        ? ({ kind: 'counted', rate: large.rate } as const)
        : await charging.count(caller);
    if (counted.kind === 'refusal') return charging.refused(operation.name, counted);
    const { rate } = counted;
    // Before the work of validation. An earlier answer may be under a key, and some requests are light.
    const mayBeLight = key !== undefined || operation.isQuick !== undefined;
    if (!mayBeLight && computed?.isBusy(caller) === true) {
      return charging.refused(operation.name, accountBusy(rate));
    }
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
        const pieces = operation.costInPieces?.(input as never);
        const work = large?.work ?? inTurns;
        cost = pieces === undefined ? operation.cost(input as never) : await work(pieces);
        checkWork(operation, input);
        if (key !== undefined && large !== undefined) {
          await large.work(fingerprintInPieces(input));
        }
      }
      isLight = quick || computed === undefined;
    } catch (error) {
      const problem = problemOf(error, caller);
      return charging.refused(operation.name, { kind: 'refusal', problem, rate });
    }
    const further = { ...caller, hits: (operation.hits?.(input as never) ?? 1) - 1 };
    if (computed === undefined || isLight) return light.perform(operation, input, further);
    large?.rest();
    return computed.perform(operation, input, cost, further, options);
  }

  function problemOf(error: unknown, caller: Caller): Problem {
    return error instanceof Problem ? error : charging.inferenceError(error, caller);
  }

  return {
    perform,
    file: async (operation, earlier, caller) => computed?.file(operation, earlier, caller),
    refuse: (problem, caller, operation = 'none') => charging.refuse(problem, caller, operation),
    count: (caller) => charging.count(caller),
    admit: (caller) => charging.admit(caller),
    enter: (caller) => bodies.enter(caller),
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
