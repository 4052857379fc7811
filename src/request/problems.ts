import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import {
  BUSY_RETRY_SECONDS,
  fault,
  internalError,
  Problem,
  problemBody,
  refusalOf,
} from '../core/errors.js';
import { bodyFault } from '../core/json-text.js';
import { BODY_BYTES_MAX } from '../core/limits.js';
import type { FaultLog } from './charging.js';

/** JSON comes first, so a client that accepts anything or sends no header gets JSON. */
const OFFERED = ['application/json', 'text/html'];

/**
 * Whether a client prefers a page to JSON, by its `Accept` header (RFC 9110, 12.5.1). Browsers do.
 * Programs that accept anything, or send no such header, get JSON. The answer must say in `Vary` that it
 * depends on the header.
 */
export function prefersHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return new Negotiator({ headers }).mediaTypes(OFFERED)[0] === 'text/html';
}

/** Media type of RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json';

/** Sends a problem as RFC 9457 details, with more members. Headers that were set before stay. */
export function sendProblem(reply: FastifyReply, problem: Problem, more = {}): FastifyReply {
  const requestId = reply.request.id;
  if (problem.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  if (problem.code === 'service_busy' && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', String(BUSY_RETRY_SECONDS));
  }
  return reply
    .code(problem.status)
    .header('x-request-id', requestId)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(Object.assign(problemBody(problem, requestId), more)));
}

/** The path of a URL, shortened for a message. */
export function shownPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}

/** The problem of a path without a route. */
export function noSuchRoute(method: string, url: string): Problem {
  const message = `There is no route ${method} ${shownPath(url)}; GET / lists them.`;
  return new Problem('model_not_found', message);
}

const BODY_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Content-Type must be application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body differs from Content-Length.',
};

/** The problem of a body over the limit. */
export function bodyTooLarge(bytesMax: number): Problem {
  const tooLarge = fault('')`The body is larger than ${bytesMax} bytes.`;
  return refusalOf('validation_error', [tooLarge], { status: 413 });
}

/**
 * Turns an error that Fastify threw before a handler ran into a problem. An unreadable body is a
 * fault of the caller, anything else a fault of the service.
 *
 * @param bodyBytesMax largest body of the route
 */
export function problemOfError(error: unknown, bodyBytesMax = BODY_BYTES_MAX): Problem {
  if (error instanceof Problem) return error;
  const { code = '', statusCode } = error as { code?: string; statusCode?: number };
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return internalError();
  if (statusCode === 413) return bodyTooLarge(bodyBytesMax);
  const message =
    BODY_MESSAGES[code] ?? 'The body is not valid JSON, or holds a forbidden property name.';
  return bodyFault(message);
}

/**
 * Answers errors of routes that read no body with a problem, and logs faults of the service.
 *
 * @param withoutRoute answers a request that no route takes
 */
export function answerErrors(
  app: FastifyInstance,
  log: FaultLog,
  withoutRoute = (request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(reply, noSuchRoute(request.method, request.url)),
): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOfError(error);
    // A fault of the caller can only be in the path, and an unreadable body matters less than a missing route.
    if (!(error instanceof Problem) && (request.is404 || problem.status < 500)) {
      return withoutRoute(request, reply);
    }
    if (problem.status >= 500) log.error({ err: error, request_id: request.id }, 'a route failed');
    return sendProblem(reply, problem);
  });
}
