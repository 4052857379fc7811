import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EXPLORER_PATHS } from '../../core/explorer-paths.js';
import { readSheetView, type SheetView } from '../../core/sheet-view.js';
import type { FreeComputations, FreeParts } from './free-computations.js';
import { screenRoutes } from './screen-routes.js';
import { type SheetData, sheetDataOf } from './sheet-data.js';

/** What the Sheet needs. */
export interface SheetParts extends Pick<FreeParts, 'model'> {
  readonly publicUrl: () => string;
}

/** Registers the Sheet, and its table and drawings as files. */
export function sheetRoutes(
  app: FastifyInstance,
  free: FreeComputations,
  { model, publicUrl }: SheetParts,
): void {
  const dataOf = (view: SheetView, left: AbortSignal) =>
    sheetDataOf(view, free.answer, model().artifactVersion, left);
  screenRoutes(app, {
    path: EXPLORER_PATHS.sheet,
    ...{ count: free.count, publicUrl },
    read: readSheetView,
    dataOf,
    page: async (view, first, context) => {
      const { sheetPage } = await import('./sheet-page.js');
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
    const { sheetCsv, sheetFileName, sheetSvg } = await import('./sheet-files.js');
    const text = kind === 'csv' ? sheetCsv(view, data) : sheetSvg(view, data);
    const type = kind === 'csv' ? 'text/csv' : 'image/svg+xml';
    return reply
      .header('content-disposition', `attachment; filename="${sheetFileName(view, data, kind)}"`)
      .type(`${type}; charset=utf-8`)
      .send(text);
  };
  for (const kind of ['csv', 'svg'] as const) {
    app.get(`${EXPLORER_PATHS.sheet}.${kind}`, (request, reply) => sendFile(request, reply, kind));
  }
}

/** Longest time for the numbers of a file. */
const DATA_MS = 20_000;
