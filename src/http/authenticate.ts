import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyIdentity } from '../core/billing-terms.js';
import { type Caller, unauthorized } from '../metering/meter.js';
import { keyFinder } from './bearer.js';
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
 * @param identifyKey what the gate needs of a well-formed API key; undefined for what cannot be one
 * @param takesKey whether the `Idempotency-Key` header counts
 */
export function authenticate(
  app: FastifyInstance,
  identifyKey: (key: string) => KeyIdentity | undefined,
  takesKey: boolean,
): void {
  const keyOf = keyFinder(identifyKey);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, reply, done) => {
    const key = keyOf(request.headers.authorization);
    if (key === undefined) {
      sendProblem(reply, unauthorized());
      return;
    }
    const idempotencyKey = takesKey
      ? (request.headers['idempotency-key'] as string | undefined)
      : undefined;
    const { keyHash, partition } = key;
    request.caller = { keyHash, partition, requestId: request.id, idempotencyKey, hits: 1 };
    done();
  });
}

/** The caller `authenticate` found. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('a metered route ran before authentication');
  return request.caller;
}
