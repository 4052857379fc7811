import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, unauthorized } from '../metering/meter.js';
import { keyHashFinder } from './bearer.js';
import { sendProblem } from './problems.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set on authenticated routes before the body is read. */
    caller: Caller | null;
  }
}

/**
 * Refuses requests of a scope that name no well-formed key, before their body is read. Whether the
 * key is valid only the charging step knows.
 *
 * @param hashKey SHA-256 of a well-formed API key, or undefined for one that cannot be a key
 * @param takesKey whether the `Idempotency-Key` header counts
 */
export function authenticate(
  app: FastifyInstance,
  hashKey: (key: string) => string | undefined,
  takesKey: boolean,
): void {
  const keyHashOf = keyHashFinder(hashKey);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, reply, done) => {
    const keyHash = keyHashOf(request.headers.authorization);
    if (keyHash === undefined) {
      sendProblem(reply, unauthorized());
      return;
    }
    const idempotencyKey = takesKey
      ? (request.headers['idempotency-key'] as string | undefined)
      : undefined;
    request.caller = { keyHash, requestId: request.id, idempotencyKey, hits: 1 };
    done();
  });
}

/** The caller `authenticate` found. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('a metered route ran before authentication');
  return request.caller;
}
