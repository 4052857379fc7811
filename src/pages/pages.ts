import type { FastifyInstance } from 'fastify';
import type { UserParts } from '../accounts/users.js';
import type { Gate } from '../billing/gate.js';
import type { FaultLog } from '../charging/observer.js';
import type { EmailQueue } from '../email/email-queue.js';
import { limitAddresses } from '../http/address-limit.js';
import type { Meter } from '../metering/meter.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import type { Payments } from '../payments/payments.js';
import { accountRoutes } from './account-routes.js';
import { assetRoutes } from './assets.js';
import { docsPages } from './docs/routes.js';
import type { ExportLimits } from './export-turns.js';
import { PAGE_HEADERS } from './headers.js';
import { markRoute } from './mark.js';
import { screensRoutes } from './screens/index.js';
import { type FreeAnswers, freeComputations } from './screens/shared/free-computations.js';
import { shareRoutes } from './share/share-routes.js';

/** Parts of the pages. */
export interface PageParts {
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  /** Answers about populations and drawings of people, which are free. */
  readonly free: FreeAnswers;
  readonly log: FaultLog;
  readonly users: UserParts;
  readonly gate: Pick<Gate, 'funds'>;
  readonly payments: Payments;
  /** Charges what signed-in customers download. */
  readonly meter: Pick<Meter, 'admit' | 'perform'>;
  readonly emailQueue: EmailQueue;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
  /** The OpenAPI document as JSON text. */
  readonly openApiJson: () => Promise<string>;
  /** Requests that a key may make in 60 seconds. */
  readonly rateLimitMax: number;
  /** Limits of exports, if not the usual ones; for tests. */
  readonly exportLimits?: Partial<ExportLimits> | undefined;
}

/** Registers the pages with their scripts and styles. */
export async function pageRoutes(app: FastifyInstance, parts: PageParts): Promise<void> {
  await limitAddresses(app);
  // Pages are not part of the OpenAPI document.
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(PAGE_HEADERS).header('x-request-id', request.id);
    done();
  });
  await assetRoutes(app);
  markRoute(app);
  await docsPages(app, parts);
  const free = freeComputations(app, parts.free);
  const needs = { free, model: parts.model, publicUrl: parts.publicUrl };
  await screensRoutes(app, needs);
  shareRoutes(app, needs);
  await app.register((scope) => accountRoutes(scope, { ...parts, free }));
}
