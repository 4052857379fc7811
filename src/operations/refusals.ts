import { ERRORS, type ErrorCode, Problem, type ProblemExtras } from '../core/errors.js';
import { ERROR_NOTES } from './catalog.js';
import { OPERATIONS } from './index.js';
import type { Operation, OperationName } from './operation.js';
import type { PredictionModel } from './prediction-model.js';
import { validateRequest } from './validate.js';

/** Codes only one operation can answer with. */
const ONLY: Partial<Record<ErrorCode, OperationName>> = {
  value_out_of_range: 'percentile_lookup',
};

/** The codes an operation can refuse with, in the catalogue's order. */
export function refusalsOf(operation: Operation): readonly ErrorCode[] {
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => {
    const only = ONLY[code];
    return only === undefined || only === operation.name;
  });
}

const EXTRAS: Partial<Record<ErrorCode, ProblemExtras>> = {
  validation_error: {
    errors: [{ pointer: '/age', message: 'age is required; add it.' }],
  },
  free_tier_exhausted: { resets_at: '2026-01-02T03:04:05.678Z' },
  value_out_of_range: { minimum: 1560.2, maximum: 1925.4, unit: 'mm' },
};

/** A problem of every code, with the members that come with it; the figures are made up. */
export function sampleProblem(code: ErrorCode, status: number = ERRORS[code].status): Problem {
  return new Problem(code, ERROR_NOTES[code], { ...EXTRAS[code], status });
}

/** A request that is refused. */
export interface RefusedRequest {
  readonly operation: OperationName;
  readonly body: object;
}

/** A request for each code that depends on the body alone. */
export const REFUSED_REQUESTS: Partial<Record<ErrorCode, RefusedRequest>> = {
  validation_error: {
    operation: 'predict',
    body: { measurement: 'Stature', gender: 'Female', percentile: 150 },
  },
  unknown_measurement: {
    operation: 'predict',
    body: { measurement: 'Height', gender: 'Female', age: 30, percentile: 50 },
  },
  unknown_clothing: {
    operation: 'predict',
    body: { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50, clothing: 'coat' },
  },
  unknown_posture: {
    operation: 'predict',
    body: { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50, posture: 'lying' },
  },
  model_not_found: {
    operation: 'predict',
    body: { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50, posture: 'sitting' },
  },
  gender_not_supported: {
    operation: 'predict',
    body: {
      measurement: 'FemaleChestCircumferenceBelowBreasts',
      gender: 'Male',
      age: 30,
      percentile: 50,
    },
  },
  value_out_of_range: {
    operation: 'percentile_lookup',
    body: { measurement: 'Stature', gender: 'Female', age: 30, value: 2500 },
  },
};

/**
 * The problem a request is refused with.
 *
 * @throws Error when it is answered, or fails for another reason
 */
export function refuse({ operation: name, body }: RefusedRequest, model: PredictionModel): Problem {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  try {
    operation.run(validateRequest(operation, body), model);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`${name} answers ${JSON.stringify(body)}`);
}
