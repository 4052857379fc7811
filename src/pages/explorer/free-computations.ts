import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ComputeError, type Computer } from '../../compute/pool.js';
import { Problem } from '../../core/errors.js';
import { DAY_MS, MINUTE_MS } from '../../core/time.js';
import { OPERATIONS, type OperationName } from '../../operations/index.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { answerJson, validateRequest } from '../../operations/validate.js';

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

/** A request beyond the limit of its address. */
export interface RateRefusal {
  readonly problem: Problem;
  readonly retryAfterSeconds: number;
}

/** Asks the operations of the API on behalf of a page. Nothing is charged. */
export interface FreeComputations {
  /**
   * Counts a request of an address, as IPv6 by /64.
   *
   * @returns why it is refused and for how long, beyond a limit of the minute or the day
   */
  count(request: FastifyRequest): Promise<RateRefusal | undefined>;
  /**
   * The answer of an operation, as the API gives it.
   *
   * @param left aborted when nobody waits for the answer any more
   * @throws Problem as the API throws it; `rate_limited` when too many computations wait
   */
  answer(operation: OperationName, body: object, left?: AbortSignal): Promise<object>;
}

/** Prepares free computations; the scope needs `@fastify/rate-limit`. */
export function freeComputations(
  app: FastifyInstance,
  { model, computer }: FreeParts,
): FreeComputations {
  const limitOf = (max: number, period: string, timeWindow: number) => ({
    ...{ max, period },
    check: app.createRateLimit({ max, timeWindow }),
  });
  const limits = [
    limitOf(FREE_REQUESTS_PER_MINUTE, 'minute', MINUTE_MS),
    limitOf(FREE_REQUESTS_PER_DAY, 'day', DAY_MS),
  ];
  return {
    async count(request) {
      for (const { max, period, check } of limits) {
        const state = await check(request);
        if (state.isAllowed || !state.isExceeded) continue;
        const retryAfterSeconds = Math.max(1, state.ttlInSeconds);
        const message = `You can ask for at most ${max} computations per ${period}. Please try again in ${retryAfterSeconds} seconds.`;
        return { problem: new Problem('rate_limited', message), retryAfterSeconds };
      }
      return undefined;
    },
    async answer(name, body, left) {
      const operation = OPERATIONS.find((one) => one.name === name);
      if (operation === undefined) throw new Error(`operation ${name} is not in OPERATIONS`);
      const input = validateRequest(operation, body);
      const isHeavy = operation.heavy === true && operation.isQuick?.(input as never) !== true;
      if (computer === undefined || !isHeavy) {
        return JSON.parse(answerJson(operation, operation.run(input as never, model())));
      }
      const { artifactVersion } = model();
      const task = { operation: name, input, artifactVersion, free: true } as const;
      const result = await computer.compute(task, left).catch((error: unknown) => {
        if (!(error instanceof ComputeError)) throw error;
        throw new Problem('rate_limited', BUSY[error.reason]);
      });
      if (result.kind === 'problem') throw new Problem(result.code, result.message, result.extras);
      if (result.kind !== 'answer') throw new Error(`a free computation ended as ${result.kind}`);
      return JSON.parse(result.json);
    },
  };
}

const BUSY = {
  full: 'Too many computations are under way. Please try again in a moment.',
  too_long: 'The computation took too long. Choose fewer countries or a shorter range of ages.',
  left: 'The request was cancelled.',
} as const;
