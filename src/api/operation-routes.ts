import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { KeyIdentity } from '../core/billing-terms.js';
import { CONTENT_TYPES } from '../operations/answer-formats.js';
import { OPERATIONS } from '../operations/index.js';
import { bodyBytesMaxOf, type Operation } from '../operations/operation.js';
import { PRODUCTS_PATH } from '../operations/product-request.js';
import { productList } from '../operations/products.js';
import type { MeteredResult } from '../request/caller.js';
import type { FaultLog } from '../request/charging.js';
import {
  authenticate,
  callerOf,
  leftSignal,
  rateHeaders,
  readJsonBodies,
  sendRefusal,
} from '../request/http.js';
import { LargeText } from '../request/large-text.js';
import type { Meter } from '../request/meter.js';
import { problemOfError } from '../request/problems.js';

/** Dependencies of the authenticated routes. */
export interface OperationRouteParts {
  readonly meter: Meter;
  /** Returns what the gate needs to know of an API key, or undefined if the key is not well-formed. */
  readonly identifyKey: (key: string) => KeyIdentity | undefined;
  readonly log: FaultLog;
  /** The operations to serve; all by default. */
  readonly operations?: readonly Operation[] | undefined;
}

/** Registers the operations as POST routes on the metered path, and the catalogue of products. */
export function operationRoutes(app: FastifyInstance, parts: OperationRouteParts): void {
  const { meter } = parts;
  // Fastify accepts text bodies by default. Here every body is JSON.
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app, async (text) => new LargeText(text));
  authenticate(app, parts, true);
  app.setErrorHandler(async (error, request, reply) => {
    const problem = problemOfError(error, request.routeOptions.bodyLimit);
    if (problem.status >= 500) {
      parts.log.error({ err: error, request_id: request.id }, 'a route failed');
    }
    const operation = request.routeOptions.config.operation ?? 'none';
    return sendRefusal(reply, await meter.charging.refuse(problem, callerOf(request), operation));
  });
  for (const operation of parts.operations ?? OPERATIONS) {
    const config = { operation: operation.name, takesLargeBodies: operation.computed === true };
    app.post(
      operation.path,
      { config, bodyLimit: bodyBytesMaxOf(operation) },
      async (request, reply) => {
        const caller = callerOf(request);
        const asked = operation.computed ? { ...caller, left: () => leftSignal(reply) } : caller;
        const result = await meter.perform(operation, withAccepted(operation, request), asked);
        return send(reply, result);
      },
    );
  }
  app.get(PRODUCTS_PATH, { config: { operation: productList.name } }, async (request, reply) =>
    send(reply, await meter.perform(productList, {}, callerOf(request))),
  );
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the operation that a route serves. */
    operation?: string;
  }
}

function send(reply: FastifyReply, result: MeteredResult): FastifyReply {
  if (result.kind === 'refusal') return sendRefusal(reply, result);
  rateHeaders(reply, result.rate);
  if (result.replayed) reply.header('idempotent-replayed', 'true');
  reply.header('x-request-id', reply.request.id);
  if (result.kind === 'answer') {
    return reply.header('content-type', CONTENT_TYPES.json).send(result.json);
  }
  const { contentType, headers, remainingFreeCalls } = result;
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  if (remainingFreeCalls !== undefined) reply.header('x-remaining-free-calls', remainingFreeCalls);
  result.follow(reply.raw);
  const parts = Readable.from(result.chunks, { objectMode: false });
  return reply.header('content-type', contentType).send(parts);
}

/**
 * Returns the body with the file format from the `Accept` header. This applies only if the operation writes files and
 * the body has no format. A header without a known format changes nothing.
 */
function withAccepted({ file }: Operation, request: FastifyRequest): unknown {
  const { body } = request;
  if (file?.alsoJson !== true || request.headers.accept === undefined) return body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const formats = { ...file.types, json: 'application/json' };
  const [accepted] = new Negotiator(request).mediaTypes(Object.values(formats));
  const format = Object.entries(formats).find(([, type]) => type === accepted)?.[0];
  if (format === undefined) return body;
  return body instanceof LargeText ? new LargeText(body.text, { format }) : { format, ...body };
}
