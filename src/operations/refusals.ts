import { ERRORS, type ErrorCode, Problem, type ProblemExtras, wrong } from '../core/errors.js';
import { ERROR_NOTES } from './catalog.js';
import { OPERATIONS } from './index.js';
import type { Operation } from './operation.js';
import { predict } from './predict.js';
import type { PredictionModel } from './prediction-model.js';
import { validateRequest } from './validate.js';

/** Codes that not every operation can answer with. */
const SPECIAL_CODES = new Set(OPERATIONS.flatMap(({ refusals }) => Object.keys(refusals)));

/** Codes of an account that cannot pay. */
const PAYMENT_CODES: ReadonlySet<string> = new Set(['free_tier_exhausted', 'insufficient_credits']);
/** Codes of operations that are computed outside the event loop. */
const COMPUTED_CODES: ReadonlySet<string> = new Set(['replay_expired', 'service_busy']);
/** Fields whose unknown values have an error code of their own. */
const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  unknown_clothing: '"clothing"',
  unknown_posture: '"posture"',
};

/** The codes with which an operation can refuse a request, in the catalog's order. */
export function refusalsOf(operation: Operation): readonly ErrorCode[] {
  const free = operation.cost(operation.example as never) === 0;
  const fields = JSON.stringify(operation.request);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => {
    // The operation has a path with the right method.
    if (code === 'method_not_allowed') return false;
    if (code === 'computation_too_large') return operation.work !== undefined;
    if (SPECIAL_CODES.has(code)) return code in operation.refusals;
    if (PAYMENT_CODES.has(code)) return !free;
    if (COMPUTED_CODES.has(code)) return operation.computed === true;
    return fields.includes(FIELD_OF[code] ?? '');
  });
}

const EXTRAS: Partial<Record<ErrorCode, ProblemExtras>> = {
  validation_error: {
    errors: [wrong('/age')`is required; add it.`],
  },
  free_tier_exhausted: { resets_at: '2026-01-02T03:04:05.678Z' },
  value_out_of_range: { minimum: 1560.2, maximum: 1925.4, unit: 'mm' },
  body_out_of_reach: {
    residuals: [
      { measurement: 'StandingHipBreadth', asked: 600, achieved: 412.3, difference: -187.7 },
    ],
    unit: 'mm',
  },
};

/** An example problem of a code with all its members; the numbers are invented. */
export function sampleProblem(code: ErrorCode, status: number = ERRORS[code].status): Problem {
  return new Problem(code, ERROR_NOTES[code], { ...EXTRAS[code], status });
}

/** A request that is refused. */
export interface RefusedRequest {
  readonly operation: Operation;
  readonly body: object;
}

const PERSON = { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50 };

/** Requests for `predict`, one for each code that every operation can have. */
const COMMON: Partial<Record<ErrorCode, object>> = {
  validation_error: { measurement: 'Stature', gender: 'Female', percentile: 150 },
  unknown_measurement: { measurement: 'Height', gender: 'Female', age: 30, percentile: 50 },
  unknown_clothing: { ...PERSON, clothing: 'coat' },
  unknown_posture: { ...PERSON, posture: 'lying' },
  model_not_found: { ...PERSON, posture: 'sitting' },
  gender_not_supported: {
    measurement: 'FemaleChestCircumferenceBelowBreasts',
    gender: 'Male',
    age: 30,
    percentile: 50,
  },
};

/** One request for each code that depends only on the body. */
export const REFUSED_REQUESTS: Partial<Record<ErrorCode, RefusedRequest>> = {
  ...requestsFor(predict, COMMON),
  // The first operation that has a code.
  ...Object.assign({}, ...OPERATIONS.map((one) => requestsFor(one, one.refusals)).reverse()),
};

function requestsFor(operation: Operation, bodies: Partial<Record<ErrorCode, object>>) {
  return Object.fromEntries(
    Object.entries(bodies).map(([code, body]) => [code, { operation, body }]),
  );
}

/**
 * The problem with which a request is refused.
 *
 * @throws Error if the request is answered or fails for another reason
 */
export function refuse({ operation, body }: RefusedRequest, model: PredictionModel): Problem {
  try {
    operation.run(validateRequest(operation, body), model);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`${operation.name} answers ${JSON.stringify(body)}`);
}
