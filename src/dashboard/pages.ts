import type { FastifyInstance, FastifyReply } from 'fastify';
import { limitAddresses } from '../http/address-limit.js';
import type { FaultLog } from '../metering/observer.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { assetRoutes } from './assets.js';

/** Parts of the pages. */
export interface PageParts {
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  readonly log: FaultLog;
}

/** Everything comes from this origin, nothing is written in line. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Registers the pages for people, their scripts and styles. */
export async function pageRoutes(app: FastifyInstance, parts: PageParts): Promise<void> {
  await limitAddresses(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    done();
  });
  await assetRoutes(app);
  void parts;
}

/** Sends a page; a browser asks again each time, for pages change and their scripts do not. */
export function sendHtml(reply: FastifyReply, html: string, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(html);
}
