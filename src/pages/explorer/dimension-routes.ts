import type { FastifyInstance } from 'fastify';
import { EXPLORER_PATHS } from '../../core/explorer-paths.js';
import { readView } from '../../core/explorer-view.js';
import { addressLimits } from './address-limits.js';
import { type ScreenNeeds, screenRoutes } from './screen-routes.js';

/** Requests for chart data that one address may make in a minute. */
const REQUESTS_PER_MINUTE = 60;
/** Requests in a day: enough for people, too few to copy the data. */
const REQUESTS_PER_DAY = 1200;

/** Registers the page of one dimension. Its answers take microseconds, so it has limits of its own. */
export function dimensionRoutes(app: FastifyInstance, { model, publicUrl }: ScreenNeeds): void {
  screenRoutes(app, {
    path: EXPLORER_PATHS.dimension,
    publicUrl,
    count: addressLimits(app, {
      perMinute: REQUESTS_PER_MINUTE,
      perDay: REQUESTS_PER_DAY,
      allowed: (max) => `open at most ${max} views`,
    }),
    read: readView,
    dataOf: async (view) => {
      const { chartDataOf } = await import('./chart-data.js');
      return chartDataOf(view, model());
    },
    page: async (view, first, context) => {
      const { dimensionPage } = await import('./dimension-page.js');
      return dimensionPage(view, first, context);
    },
  });
}
