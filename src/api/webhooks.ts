import type { FastifyInstance } from 'fastify';
import { Problem } from '../core/errors.js';
import type { Payments } from '../payments/payments.js';
import { PaymentError } from '../payments/provider.js';
import { problemOfError, sendProblem } from '../request/problems.js';

/** Maximum size of a message from a payment provider. Messages of Stripe have a few kilobytes. */
const MESSAGE_LIMIT_BYTES = 512 * 1024;

/**
 * Registers `POST /webhooks/stripe`. The route needs a scope of its own: the signature covers the exact bytes of the
 * body, so the body is not parsed first. A processed message is answered with 200, even if it changes nothing, so that
 * Stripe does not repeat it. An unsigned or malformed message is answered with 400. A message that could not be booked
 * is answered with 500, so that Stripe repeats it.
 */
export function webhookRoutes(app: FastifyInstance, payments: Payments): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error, _request, reply) => {
    const problem = problemOfError(error);
    // The outer error handler logs and answers faults of the service.
    if (problem.status >= 500) throw error;
    return sendProblem(reply, problem);
  });
  const options = { bodyLimit: MESSAGE_LIMIT_BYTES };
  app.post('/webhooks/stripe', options, async (request, reply) => {
    const signature = request.headers['stripe-signature'];
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    try {
      const text = typeof signature === 'string' ? signature : '';
      await payments.receive('stripe', body, text, request.id);
    } catch (error) {
      const refused =
        error instanceof PaymentError &&
        (error.reason === 'forged' || error.reason === 'malformed');
      throw refused ? new Problem('validation_error', error.message) : error;
    }
    return reply.code(200).send({ received: true });
  });
}
