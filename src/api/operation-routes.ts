import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateState } from '../billing/gate.js';
import { type Caller, type Meter, type MeteredResult, unauthorized } from '../metering/meter.js';
import type { FaultLog } from '../metering/observer.js';
import { OPERATIONS } from '../operations/index.js';
import { keyHashFinder } from './bearer.js';
import { operationSchema } from './operation-schema.js';
import { problemOfError, sendProblem } from './problems.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set on authenticated routes before the body is read. */
    caller: Caller | null;
  }
}

/** Parts of the authenticated routes. */
export interface OperationRouteParts {
  readonly meter: Meter;
  /** SHA-256 of a well-formed API key, or undefined for one that cannot be a key. */
  readonly hashKey: (key: string) => string | undefined;
  readonly rateLimitMax: number;
  readonly log: FaultLog;
}

/** The window of `RateLimit-Policy` in seconds (specification, 8). */
const WINDOW_SECONDS = 60;

/** Registers the five operations as POST routes on the metered path. */
export function operationRoutes(app: FastifyInstance, parts: OperationRouteParts): void {
  const { meter } = parts;
  const policy = `"default";q=${parts.rateLimitMax};w=${WINDOW_SECONDS}`;
  const keyHashOf = keyHashFinder(parts.hashKey);
  app.decorateRequest('caller', null);
  // Fastify would take a text body for JSON's place; here every body is JSON.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', (request, reply, done) => {
    const keyHash = keyHashOf(request.headers.authorization);
    if (keyHash === undefined) {
      sendProblem(reply, unauthorized());
      return;
    }
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    request.caller = { keyHash, requestId: request.id, idempotencyKey, hits: 1 };
    done();
  });
  app.setErrorHandler(async (error, request, reply) => {
    const problem = problemOfError(error);
    if (problem.status >= 500) {
      parts.log.error({ err: error, request_id: request.id }, 'a route failed');
    }
    const operation = request.routeOptions.config.operation ?? 'none';
    const result = await meter.refuse(problem, callerOf(request), operation);
    return send(reply, result, policy);
  });
  for (const operation of OPERATIONS) {
    app.post(
      operation.path,
      { schema: operationSchema(operation), config: { operation: operation.name } },
      async (request, reply) => {
        const result = await meter.perform(operation, request.body, callerOf(request));
        return send(reply, result, policy);
      },
    );
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the operation a route serves. */
    operation?: string;
  }
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('a metered route ran before authentication');
  return request.caller;
}

function send(reply: FastifyReply, result: MeteredResult, policy: string): FastifyReply {
  if (result.rate !== undefined) rateHeaders(reply, result.rate, policy);
  if (result.kind === 'answer') {
    if (result.replayed) reply.header('idempotent-replayed', 'true');
    return reply
      .header('x-request-id', reply.request.id)
      .header('content-type', 'application/json; charset=utf-8')
      .send(result.json);
  }
  if (result.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(result.retryAfterSeconds));
  }
  return sendProblem(reply, result.problem);
}

/** `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-10. */
function rateHeaders(reply: FastifyReply, rate: RateState, policy: string): void {
  reply
    .header('ratelimit-policy', policy)
    .header('ratelimit', `"default";r=${rate.remaining};t=${rate.resetSeconds}`);
}
