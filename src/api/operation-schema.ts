import {
  IDEMPOTENCY_TTL_HOURS,
  RATE_LIMIT_DEFAULT,
  RATE_WINDOW_SECONDS,
} from '../core/billing-terms.js';
import { ERRORS, type ErrorCode, problemBody } from '../core/errors.js';
import { IDEMPOTENCY_KEY_CHARS_MAX } from '../core/limits.js';
import { type AnswerFormat, CONTENT_TYPES } from '../operations/answer-formats.js';
import { ERROR_NOTES } from '../operations/catalog.js';
import type { Operation } from '../operations/operation.js';
import { refusalsOf, sampleProblem } from '../operations/refusals.js';

/** Name of the problem schema among the OpenAPI components. */
export const PROBLEM_SCHEMA_ID = 'Problem';

/** RFC 9457 problem details with this service's members. */
export const PROBLEM_SCHEMA = {
  $id: PROBLEM_SCHEMA_ID,
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'code', 'message', 'request_id'],
  properties: {
    type: { type: 'string', description: 'Where the code is described.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong and what to do about it.' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    message: { type: 'string', description: 'The same text as `detail`.' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      description: 'The first 20 faults of the request (400).',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer (RFC 6901) into the body.' },
          message: { type: 'string' },
        },
      },
    },
    errorsOmitted: { type: 'integer', description: 'Faults that `errors` does not list.' },
    resets_at: {
      type: 'string',
      format: 'date-time',
      description: 'When the free tier covers the request again (`free_tier_exhausted`).',
    },
    minimum: {
      type: 'number',
      description: 'Smallest value that is answered (`value_out_of_range`).',
    },
    maximum: {
      type: 'number',
      description: 'Largest value that is answered (`value_out_of_range`).',
    },
    unit: { type: 'string', description: 'Unit of `minimum`, `maximum` and `residuals`.' },
    residuals: {
      type: 'array',
      description:
        'What a body comes nearest to, the largest difference first (`body_out_of_reach`).',
      items: {
        type: 'object',
        required: ['measurement', 'asked', 'achieved', 'difference'],
        properties: {
          measurement: { type: 'string' },
          asked: { type: 'number' },
          achieved: { type: 'number' },
          difference: { type: 'number' },
        },
      },
    },
  },
};

const RATE_HEADERS = {
  'RateLimit-Policy': {
    type: 'string',
    description: `Quota and window in seconds, as \`"default";q=${RATE_LIMIT_DEFAULT};w=${RATE_WINDOW_SECONDS}\`.`,
  },
  RateLimit: {
    type: 'string',
    description: `Requests left and seconds until more are free, as \`"default";r=${RATE_LIMIT_DEFAULT - 1};t=${RATE_WINDOW_SECONDS}\`.`,
  },
};
const REQUEST_ID = { 'X-Request-Id': { type: 'string', description: 'Id of this request.' } };
const REPLAYED = {
  'Idempotent-Replayed': {
    type: 'string',
    description: '`true` if an earlier answer was returned without charge.',
  },
};
/** Headers of answers as CSV or Arrow. `docs/api.md` lists the headers of each table. */
const TABLE_HEADERS = {
  'X-Artifact-Version': {
    type: 'string',
    description: 'CSV and Arrow: version of the data behind the answer.',
  },
  'X-Remaining-Free-Calls': {
    type: 'integer',
    description: 'CSV and Arrow: free calls left; only when the free tier paid.',
  },
};
/** Headers of answers that are files. */
const FILE_HEADERS = {
  'Vitruvia-Body-Worst': {
    type: 'number',
    description: 'File of one body: largest difference of asked and achieved, mm.',
  },
  ETag: { type: 'string', description: 'File: hash of the request and of the artifact.' },
  'X-Remaining-Free-Calls': {
    type: 'integer',
    description: 'File: free calls left; only when the free tier paid.',
  },
};
const RETRY_AFTER = { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } };
const EXTRA_HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { type: 'string', description: '`Bearer`' } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** The schema of an operation's route for Fastify and the OpenAPI document. */
export function operationSchema(operation: Operation) {
  const about = {
    description: `${operation.title}: the paid answer.`,
    headers: {
      ...{ ...REQUEST_ID, ...RATE_HEADERS, ...REPLAYED },
      ...(operation.rows === undefined ? {} : TABLE_HEADERS),
      ...(operation.file === undefined ? {} : FILE_HEADERS),
    },
  };
  const ok =
    operation.rows === undefined && operation.file === undefined
      ? { ...operation.response, ...about }
      : { ...about, content: contentOf(operation) };
  return {
    operationId: operation.name,
    summary: operation.title,
    description: `${operation.description} Cost: ${operation.price}.`,
    tags: ['predictions'],
    security: [{ bearer: [] }],
    headers: IDEMPOTENCY_HEADER,
    body: { ...operation.request, 'x-examples': { example: { value: operation.example } } },
    response: { 200: ok, ...problemResponses(operation) },
  };
}

/** The answer in each of its formats. */
function contentOf({ response, file }: Operation) {
  if (file !== undefined) {
    const binary = { schema: { type: 'string', format: 'binary' } };
    const files = Object.values(file.types).map((type) => [type, binary]);
    const json = file.alsoJson ? { 'application/json': { schema: response } } : {};
    return { ...json, ...Object.fromEntries(files) };
  }
  return {
    'application/json': { schema: response },
    [mediaType('csv')]: { schema: { type: 'string', description: 'Lines of CSV (RFC 4180).' } },
    [mediaType('arrow')]: {
      schema: { type: 'string', format: 'binary', description: 'An Arrow IPC stream.' },
    },
  };
}

function mediaType(format: AnswerFormat): string {
  return CONTENT_TYPES[format].split(';')[0] as string;
}

const IDEMPOTENCY_HEADER = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_CHARS_MAX,
      description: `Makes a request safe to repeat: within ${IDEMPOTENCY_TTL_HOURS} hours the first answer is returned without charge.`,
    },
  },
};

function problemResponses(operation: Operation): Record<number, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(operation)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  byStatus.set(413, ['validation_error']);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, problemResponse(status, codes)]),
  );
}

/** Statuses of refusals before the request is counted, and of faults of the service. */
const WITHOUT_RATE: ReadonlySet<number> = new Set([401, 415, 500]);

function problemResponse(status: number, codes: readonly ErrorCode[]): object {
  const rates = WITHOUT_RATE.has(status) ? {} : RATE_HEADERS;
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_NOTES[code]}`).join('\n\n'),
    headers: { ...REQUEST_ID, ...rates, ...EXTRA_HEADERS[status] },
    content: {
      'application/problem+json': {
        schema: { $ref: `${PROBLEM_SCHEMA_ID}#` },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code, status) }])),
      },
    },
  };
}

function example(code: ErrorCode, status: number): object {
  return problemBody(sampleProblem(code, status), 'req_0mb1x2y3z00010123456789abcdef');
}
