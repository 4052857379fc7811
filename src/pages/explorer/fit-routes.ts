import type { FastifyInstance } from 'fastify';
import { EXPLORER_PATHS } from '../../core/explorer-paths.js';
import { readFitView } from '../../core/fit-view.js';
import { fitDataOf } from './fit-data.js';
import type { FreeComputations } from './free-computations.js';
import { type ScreenNeeds, screenRoutes } from './screen-routes.js';

/** Registers the Fit screen. */
export function fitRoutes(
  app: FastifyInstance,
  free: FreeComputations,
  { model, publicUrl }: ScreenNeeds,
): void {
  screenRoutes(app, {
    path: EXPLORER_PATHS.fit,
    ...{ count: free.count, publicUrl },
    read: readFitView,
    dataOf: (view, left) => fitDataOf(view, free.answer, model().artifactVersion, left),
    page: async (view, first, context) => {
      const { fitPage } = await import('./fit-page.js');
      return fitPage(view, first, context);
    },
  });
}
