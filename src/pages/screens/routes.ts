import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOldExplorerAddress, readBodyView } from './body/address.js';
import { bodyDataOf } from './body/data.js';
import { readDimensionView } from './dimension/address.js';
import { readFitView } from './fit/address.js';
import { fitDataOf } from './fit/data.js';
import { FIGURE_PATH, SCREEN_PATHS } from './paths.js';
import type { FreeAnswers, FreeComputations, FreeParts } from './shared/free-computations.js';
import { type ScreenNeeds, screenRoutes } from './shared/screen-routes.js';
import { addressLimits } from './shared/visitor-limits.js';
import { readSheetView, type SheetView } from './sheet/address.js';
import { type SheetData, sheetDataOf } from './sheet/data.js';

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
      if (path !== SCREEN_PATHS.body || !isOldExplorerAddress(new URLSearchParams(query))) return;
      return reply.redirect(`${SCREEN_PATHS.dimension}?${query}`, 308);
    });
    screenRoutes(scope, {
      path: SCREEN_PATHS.body,
      ...{ count: free.count, publicUrl },
      read: readBodyView,
      dataOf: (view, left) => bodyDataOf(view, free, model().artifactVersion, left),
      page: async (view, first, context) => {
        const { bodyPage } = await import('./body/page.js');
        return bodyPage(view, first, context);
      },
    });
  });
}

/** Registers the Fit screen. */
export function fitRoutes(
  app: FastifyInstance,
  free: FreeComputations,
  { model, publicUrl }: ScreenNeeds,
): void {
  screenRoutes(app, {
    path: SCREEN_PATHS.fit,
    ...{ count: free.count, publicUrl },
    read: readFitView,
    dataOf: (view, left) => fitDataOf(view, free, model().artifactVersion, left),
    page: async (view, first, context) => {
      const { fitPage } = await import('./fit/page.js');
      return fitPage(view, first, context);
    },
  });
}

/** What the Sheet needs. */
interface SheetParts extends Pick<FreeParts, 'model'> {
  readonly publicUrl: () => string;
}

/** Registers the Sheet, and its table and drawings as files. */
export function sheetRoutes(
  app: FastifyInstance,
  free: FreeComputations,
  { model, publicUrl }: SheetParts,
): void {
  const dataOf = (view: SheetView, left: AbortSignal) =>
    sheetDataOf(view, free, model().artifactVersion, left);
  screenRoutes(app, {
    path: SCREEN_PATHS.sheet,
    ...{ count: free.count, publicUrl },
    read: readSheetView,
    dataOf,
    page: async (view, first, context) => {
      const { sheetPage } = await import('./sheet/page.js');
      const date = new Date().toISOString().slice(0, 10);
      return sheetPage(view, first, { ...context, date });
    },
  });

  const sendFile = async (
    request: FastifyRequest,
    reply: FastifyReply,
    kind: 'csv' | 'svg',
  ): Promise<FastifyReply> => {
    const exceeded = await free.count(request);
    if (exceeded !== undefined) {
      reply.header('retry-after', String(exceeded.retryAfterSeconds));
      throw exceeded.problem;
    }
    const view = readSheetView(new URLSearchParams(request.url.split('?', 2)[1] ?? ''));
    const data: SheetData = await dataOf(view, AbortSignal.timeout(DATA_MS));
    const { sheetCsv, sheetFileName, sheetSvg } = await import('./sheet/files.js');
    const text = kind === 'csv' ? sheetCsv(view, data) : sheetSvg(view, data);
    const type = kind === 'csv' ? 'text/csv' : 'image/svg+xml';
    return reply
      .header('content-disposition', `attachment; filename="${sheetFileName(view, data, kind)}"`)
      .type(`${type}; charset=utf-8`)
      .send(text);
  };
  for (const kind of ['csv', 'svg'] as const) {
    app.get(`${SCREEN_PATHS.sheet}.${kind}`, (request, reply) => sendFile(request, reply, kind));
  }
}

/** Longest time for the numbers of a file. */
const DATA_MS = 20_000;

/** Requests for chart data that one address may make in a minute. */
const REQUESTS_PER_MINUTE = 60;
/** Requests in a day: enough for people, too few to copy the data. */
const REQUESTS_PER_DAY = 1200;

/** Registers the page of one dimension. Its answers take microseconds, so it has limits of its own. */
export function dimensionRoutes(
  app: FastifyInstance,
  free: FreeAnswers,
  { model, publicUrl }: ScreenNeeds,
): void {
  const countFigure = addressLimits(app, {
    perMinute: REQUESTS_PER_MINUTE,
    perDay: REQUESTS_PER_DAY,
    allowed: (max) => `ask for at most ${max} drawings`,
  });
  app.get(FIGURE_PATH, { schema: { hide: true } }, async (request, reply) => {
    const exceeded = await countFigure(request);
    if (exceeded !== undefined) {
      reply.header('retry-after', String(exceeded.retryAfterSeconds));
      throw exceeded.problem;
    }
    const view = readDimensionView(new URLSearchParams(request.url.split('?', 2)[1] ?? ''));
    const { figureDataOf } = await import('./dimension/figure-data.js');
    const left = AbortSignal.timeout(DATA_MS);
    reply.header('cache-control', 'no-store');
    return figureDataOf(view, free, left);
  });

  screenRoutes(app, {
    path: SCREEN_PATHS.dimension,
    publicUrl,
    count: addressLimits(app, {
      perMinute: REQUESTS_PER_MINUTE,
      perDay: REQUESTS_PER_DAY,
      allowed: (max) => `open at most ${max} views`,
    }),
    read: readDimensionView,
    dataOf: async (view) => {
      const { chartDataOf } = await import('./dimension/data.js');
      return chartDataOf(view, model());
    },
    page: async (view, first, context) => {
      const { dimensionPage } = await import('./dimension/page.js');
      return dimensionPage(view, first, context);
    },
  });
}
