import type { ErrorCode, Problem } from './generated/api.js';

/** Codes of failures without an answer of the service. */
export type ConnectionCode = 'connection_failed' | 'timed_out' | 'unexpected_answer';

/** What an error is made from. */
export interface ErrorParts {
  readonly status?: number;
  readonly problem?: Partial<Problem>;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** A refusal or a failure of a call. `message` is the text of the service. */
export class VitruviaError extends Error {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly code: ErrorCode | ConnectionCode;
  /** What is wrong and what to do about it. */
  readonly detail: string;
  /** Id of the request, for questions about it. */
  readonly requestId: string | undefined;
  /** The first faults of the request (400). */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole answer, with members such as `minimum` and `resets_at`. */
  readonly problem: Partial<Problem>;

  constructor(code: ErrorCode | ConnectionCode, detail: string, parts: ErrorParts = {}) {
    super(detail, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'VitruviaError';
    this.status = parts.status ?? 0;
    this.code = code;
    this.detail = detail;
    this.problem = parts.problem ?? {};
    this.requestId = parts.requestId ?? this.problem.request_id;
    this.errors = this.problem.errors ?? [];
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }
}

/**
 * Makes the error for an answer that is not a success.
 *
 * @param status HTTP status, or the status of an entry of a batch
 * @param body the problem, or any other text or value
 */
export function errorOf(status: number, body: unknown, headers?: Headers): VitruviaError {
  const wait = Number(headers?.get('retry-after') ?? Number.NaN);
  const parts = {
    status,
    requestId: headers?.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
  };
  if (isProblem(body)) {
    return new VitruviaError(body.code, body.detail, { ...parts, problem: body });
  }
  return new VitruviaError('unexpected_answer', `The service answered with ${status}.`, parts);
}

/**
 * Makes the error for a call that got no answer, or only a part of one.
 *
 * @param address of the service
 */
export function connectionError(cause: unknown, address: string): VitruviaError {
  const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError';
  const code = isTimeout ? 'timed_out' : 'connection_failed';
  // The outer errors of a fetch only say that it failed.
  let first = cause;
  while (first instanceof Error && first.cause instanceof Error) first = first.cause;
  const { message, code: system } = first as { readonly message?: string; readonly code?: string };
  const why = message || system || String(first);
  const remedy =
    system === 'ECONNREFUSED'
      ? '. Nothing listens there: start the service, or give its address.'
      : '';
  const detail = `There was no complete answer from ${address}: ${why}${remedy}`;
  // The detail says all of an error of the system. Node.js would print its stacks in twenty lines.
  return new VitruviaError(code, detail, system === undefined ? { cause } : {});
}

/** Characters of a key in an `Authorization` header (RFC 6750, 2.1). */
const NOT_IN_KEYS = /[^\w.~+/=-]/;
const NAMES: Readonly<Record<string, string>> = {
  '\n': 'a line break',
  '\r': 'a line break',
  ' ': 'a space',
};

/**
 * Checks a key before it is sent. The error does not contain the key, because errors are logged.
 *
 * @throws VitruviaError `unauthorized` with status 0
 */
export function checkKey(apiKey: string): void {
  const at = apiKey.search(NOT_IN_KEYS);
  if (apiKey !== '' && at < 0) return;
  const found = NAMES[apiKey[at] ?? ''] ?? 'a character that no key has';
  const fault = apiKey === '' ? 'is empty' : `has ${found} at position ${at + 1}`;
  const remedy = 'Nothing was sent. Give the key as it was shown, without anything around it.';
  throw new VitruviaError('unauthorized', `The API key ${fault}. ${remedy}`);
}

function isProblem(body: unknown): body is Partial<Problem> & Pick<Problem, 'code' | 'detail'> {
  if (typeof body !== 'object' || body === null) return false;
  const { code, detail } = body as Partial<Problem>;
  return typeof code === 'string' && typeof detail === 'string';
}
