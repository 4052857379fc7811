import type { FastifyInstance } from 'fastify';
import { ComputeError, type Computer } from '../../compute/pool.js';
import { Problem } from '../../core/errors.js';
import { OPERATIONS, type OperationName } from '../../operations/index.js';
import type { Operation } from '../../operations/operation.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { answerJson, validateRequest } from '../../operations/validate.js';
import { estimatedWorkMs } from '../../operations/work.js';
import { addressLimits, type CountRequest } from './address-limits.js';
import type { ExactCall } from './chart-data-types.js';

/** Requests for computations that one address may make in a minute. */
export const FREE_REQUESTS_PER_MINUTE = 30;

/** Requests for computations that one address may make in a day: too few to copy the data. */
export const FREE_REQUESTS_PER_DAY = 1200;

/** What free computations need. */
export interface FreeParts {
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  /** Computes beside the event loop; without it, in the request. */
  readonly computer?: Computer | undefined;
}

/** Asks the operations of the API on behalf of a page. Nothing is charged. */
export interface FreeComputations {
  readonly count: CountRequest;
  /**
   * The answer of an operation, as the API gives it.
   *
   * @param left aborted when nobody waits for the answer any more
   * @throws Problem as the API throws it; `service_busy` when too many computations wait
   */
  answer(operation: OperationName, body: object, left?: AbortSignal): Promise<object>;
}

/** Prepares free computations; the scope needs `@fastify/rate-limit`. */
export function freeComputations(
  app: FastifyInstance,
  { model, computer }: FreeParts,
): FreeComputations {
  return {
    count: addressLimits(app, {
      perMinute: FREE_REQUESTS_PER_MINUTE,
      perDay: FREE_REQUESTS_PER_DAY,
      allowed: (max) => `ask for at most ${max} computations`,
    }),
    async answer(name, body, left) {
      const operation = OPERATIONS.find((one) => one.name === name);
      if (operation === undefined) throw new Error(`operation ${name} is not in OPERATIONS`);
      const input = validateRequest(operation, body);
      const isComputed =
        operation.computed === true && operation.isQuick?.(input as never) !== true;
      if (computer === undefined || !isComputed) {
        return JSON.parse(answerJson(operation, operation.run(input as never, model())));
      }
      const { artifactVersion } = model();
      const estimateMs = estimatedWorkMs(operation, input);
      const task = { operation: name, input, artifactVersion, spender: NOBODY, estimateMs };
      const result = await computer.compute(task, left).catch((error: unknown) => {
        if (!(error instanceof ComputeError)) throw error;
        throw error.reason === 'too_long'
          ? new Problem('computation_too_large', TOO_LONG)
          : new Problem('service_busy', BUSY);
      });
      if (result.kind === 'problem') throw new Problem(result.code, result.message, result.extras);
      if (result.kind !== 'answer') throw new Error(`a free computation ended as ${result.kind}`);
      return JSON.parse(result.json);
    },
  };
}

const NOBODY = { account: 'pages', rank: 'free' } as const;

const BUSY = 'Many people are computing at this moment. Please wait a few seconds.';
const TOO_LONG =
  'The computation took too long. Choose fewer countries or a shorter range of ages.';

/**
 * A call of the API as a page shows it, with its price.
 *
 * @param body a request whose lists are present; it is not validated
 */
export function exactCallOf(
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
): ExactCall {
  const { name, path } = operation;
  return { operation: name, path, credits: operation.cost(body as never), body };
}
