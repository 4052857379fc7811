import type { FastifyInstance } from 'fastify';
import { isOldExplorerAddress, readBodyView } from '../../core/body-view.js';
import { EXPLORER_PATHS } from '../../core/explorer-paths.js';
import { bodyDataOf } from './body-data.js';
import type { FreeComputations } from './free-computations.js';
import { type ScreenNeeds, screenRoutes } from './screen-routes.js';

/**
 * Registers the Body screen. Addresses of the page of one dimension, which was here before, lead to
 * that page.
 */
export async function bodyRoutes(
  app: FastifyInstance,
  free: FreeComputations,
  { model, publicUrl }: ScreenNeeds,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const [path, query = ''] = request.url.split('?', 2);
      if (path !== EXPLORER_PATHS.body || !isOldExplorerAddress(new URLSearchParams(query))) return;
      return reply.redirect(`${EXPLORER_PATHS.dimension}?${query}`, 308);
    });
    screenRoutes(scope, {
      path: EXPLORER_PATHS.body,
      ...{ count: free.count, publicUrl },
      read: readBodyView,
      dataOf: (view, left) => bodyDataOf(view, free.answer, model().artifactVersion, left),
      page: async (view, first, context) => {
        const { bodyPage } = await import('./body-page.js');
        return bodyPage(view, first, context);
      },
    });
  });
}
