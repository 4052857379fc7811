import type { FastifyInstance } from 'fastify';
import { limitAddresses } from '../request/address-limit.js';
import { screensRoutes } from '../screens/index.js';
import {
  type FreeParts,
  freeAnswers,
  freeComputations,
} from '../screens/shared/free-computations.js';
import { pictureRoutes } from '../screens/shared/picture-routes.js';
import { addPageHeaders } from '../site/headers.js';
import { docsPages } from './docs/routes.js';
import { type HomeParts, homeRoutes } from './home/home-routes.js';
import { KeptPages } from './kept-pages.js';
import { shareRoutes } from './share/share-routes.js';

/** Dependencies of the pages that need no session. */
export interface PublicPageParts extends FreeParts {
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
  /** The OpenAPI document as JSON text. */
  readonly openApiJson: () => Promise<string>;
  /** Requests that a key may make in 60 seconds. */
  readonly rateLimitMax: number;
  /** The packs of credits for sale, as last known. */
  readonly offers?: HomeParts['offers'];
}

/** Registers the pages that need no session: the first page, the documentation and the screens. */
export async function publicPages(app: FastifyInstance, parts: PublicPageParts): Promise<void> {
  const { model, publicUrl, pictureSecrets } = parts;
  // The server for the clients limits all requests of an address. Here, only computations are limited.
  await limitAddresses(app, false);
  addPageHeaders(app);
  const kept = new KeptPages(
    () => `${model().artifactVersion} ${publicUrl()} ${pictureSecrets()[0]}`,
  );
  const free = freeComputations(app, freeAnswers(parts));
  const needs = { free, model, publicUrl };
  homeRoutes(app, { ...needs, kept, offers: parts.offers });
  await docsPages(app, { ...parts, kept, free });
  await screensRoutes(app, needs);
  pictureRoutes(app, needs);
  shareRoutes(app, needs);
}
