import type { FastifyInstance } from 'fastify';
import type { PageCache } from '../page-cache.js';
import type { ApiDocument } from './document.js';

/** Parts of the reference. */
export interface ReferenceParts {
  readonly cache: PageCache;
  /** The OpenAPI document as JSON text. */
  readonly openApiJson: () => Promise<string>;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
}

/** Registers the reference of the API. */
export function referenceRoute(app: FastifyInstance, parts: ReferenceParts): void {
  const { cache, openApiJson, publicUrl } = parts;
  app.get('/docs/reference', (request, reply) =>
    cache.send(request, reply, '/docs/reference', async (signedIn) => {
      const document = JSON.parse(await openApiJson()) as ApiDocument;
      const { referencePage } = await import('./page.js');
      return referencePage({ document, origin: publicUrl(), signedIn });
    }),
  );
  app.get('/docs/reference/', (_request, reply) => reply.redirect('/docs/reference', 301));
}
