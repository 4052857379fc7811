import { leftSignal } from '../../request/http.js';
import { FIGURE_PATH } from '../../site/paths.js';
import { queryOf } from '../../site/query.js';
import type { Screen } from '../shared/screen.js';
import { addressLimits, admit } from '../shared/visitor-limits.js';
import { DIMENSION_ADDRESS, type DimensionView } from './address.js';
import type { DimensionData } from './data-types.js';

/** Maximum number of requests for chart data per address and minute. */
const REQUESTS_PER_MINUTE = 60;
/** Maximum number of requests per address and day: enough for people, too few to copy the data. */
const REQUESTS_PER_DAY = 1200;
const LIMITS = { perMinute: REQUESTS_PER_MINUTE, perDay: REQUESTS_PER_DAY } as const;

/** The Dimension screen. A chart takes microseconds and all countries a tenth of a second, so it has its own limits. */
export const DIMENSION: Screen<DimensionView, DimensionData> = {
  id: 'dimension',
  address: DIMENSION_ADDRESS,
  page: async () => (await import('./page.js')).PAGE,
  limits: { ...LIMITS, allowed: (max) => `open at most ${max} views` },
  routes(app, needs) {
    const countFigure = addressLimits(app, {
      ...LIMITS,
      allowed: (max) => `ask for at most ${max} drawings`,
    });
    app.get(FIGURE_PATH, async (request, reply) => {
      await admit(countFigure, request, reply);
      const view = DIMENSION_ADDRESS.read(queryOf(request));
      const { figureDataOf } = await import('./figure-data.js');
      reply.header('cache-control', 'no-store');
      return figureDataOf(view, needs.free, leftSignal(reply));
    });
  },
};
