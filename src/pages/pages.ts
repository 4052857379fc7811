import type { FastifyInstance } from 'fastify';
import type { PeopleParts } from '../accounts/people.js';
import type { Gate } from '../billing/gate.js';
import type { Post } from '../email/post.js';
import { limitAddresses } from '../http/address-limit.js';
import type { FaultLog } from '../metering/observer.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import type { Payments } from '../payments/payments.js';
import { accountRoutes } from './account/routes.js';
import { assetRoutes } from './assets.js';
import { docsPages } from './docs/routes.js';
import { explorerRoutes } from './explorer/routes.js';
import { sendMessage } from './message-page.js';

/** Parts of the pages. */
export interface PageParts {
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  readonly log: FaultLog;
  readonly people: PeopleParts;
  readonly gate: Pick<Gate, 'funds'>;
  readonly payments: Payments;
  readonly post: Post;
  /** Where people reach the service, as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
  /** Requests a key may make in 60 seconds. */
  readonly rateLimitMax: number;
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
  // Pages are no part of the API's document.
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    done();
  });
  await assetRoutes(app);
  await docsPages(app, parts);
  explorerRoutes(app, parts);
  await app.register((scope) => accountRoutes(scope, parts));
  unknownPages(app);
}

/** Whoever opens an address near a page is a person, and answered by a page. */
function unknownPages(app: FastifyInstance): void {
  for (const path of ['/explore/*', '/account/*']) {
    app.get(path, (_request, reply) =>
      sendMessage(reply, 404, {
        title: 'No such page',
        text: 'There is no page at this address.',
        links: [
          { href: '/explore', label: 'Explore' },
          { href: '/docs', label: 'Documentation' },
          { href: '/account', label: 'Your account' },
        ],
      }),
    );
  }
}
