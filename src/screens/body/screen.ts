import { SCREEN_PATHS } from '../../site/paths.js';
import { queryOf } from '../../site/query.js';
import type { Screen } from '../shared/screen.js';
import { BODY_ADDRESS, type BodyView, isAddressOfOneDimension } from './address.js';
import type { BodyData } from './data-types.js';

/** The Body screen: populations to scale on one floor. */
export const BODY: Screen<BodyView, BodyData> = {
  address: BODY_ADDRESS,
  dataOf: async (view, { free, model }, left) =>
    (await import('./data.js')).bodyDataOf(view, free, model().artifactVersion, left),
  page: async (...parts) => (await import('./page.js')).bodyPage(...parts),
  shared: async (view, data) => (await import('./page.js')).sharedBody(view, data),
  routes(app) {
    // The Dimension screen had this address before. Its old addresses are redirected.
    app.addHook('onRequest', async (request, reply) => {
      const [path] = request.url.split('?', 1);
      const query = queryOf(request);
      if (path !== SCREEN_PATHS.body || !isAddressOfOneDimension(query)) return;
      return reply.redirect(`${SCREEN_PATHS.dimension}?${query}`, 308);
    });
  },
};
