import type { FastifyInstance } from 'fastify';
import { Problem } from '../core/errors.js';
import { problemOfError, sendProblem } from '../http/problems.js';
import { PaymentError } from '../payments/errors.js';
import type { Payments } from '../payments/payments.js';

/** Largest message of a provider; Stripe's have a few kilobytes. */
const MESSAGE_LIMIT_BYTES = 512 * 1024;

/**
 * Registers `POST /webhooks/stripe`, in a scope of its own: the signature covers the very bytes of
 * the body, so it must not be parsed before. A message that was taken in is answered 200, so that
 * it is not sent again, also where it changes nothing; one that could not be booked 500, so that it
 * is.
 */
export function webhookRoutes(app: FastifyInstance, payments: Payments): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error, _request, reply) => {
    const problem = problemOfError(error);
    // Our own faults are logged and answered outside.
    if (problem.status >= 500) throw error;
    return sendProblem(reply, problem);
  });
  const options = { bodyLimit: MESSAGE_LIMIT_BYTES, schema: { hide: true } };
  app.post('/webhooks/stripe', options, async (request, reply) => {
    const signature = request.headers['stripe-signature'];
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    try {
      await payments.receive('stripe', body, typeof signature === 'string' ? signature : '');
    } catch (error) {
      const forged = error instanceof PaymentError && error.reason === 'forged';
      throw forged ? new Problem('validation_error', error.message) : error;
    }
    return reply.code(200).send({ received: true });
  });
}
