import type { FastifyReply, FastifyRequest } from 'fastify';
import { BUSY_RETRY_SECONDS, isTemporary, Problem } from '../../core/errors.js';
import { leftSignal } from '../../request/http.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import { queryOf } from '../../site/query.js';
import { sendMessage } from '../../site/responses.js';
import { addressOf } from '../shared/address-fields.js';
import { plainProblem } from '../shared/plain-words.js';
import type { Screen, ScreenNeeds } from '../shared/screen.js';
import type { RateRefusal } from '../shared/visitor-limits.js';
import { AUTOMATIC_RETRY_MAX_SECONDS, waitSentence, waitText } from '../shared/wait-text.js';
import { readSheetView, SHEET_ADDRESS, type SheetView } from './address.js';
import type { SheetData } from './data.js';

/** The pictures of a sheet as SVG documents. */
async function documentsOf(
  { drawn }: SheetData,
  { free }: ScreenNeeds,
  admit: () => Promise<void>,
  left: AbortSignal,
): Promise<string[]> {
  const documents: string[] = [];
  for (const { figure = '' } of drawn?.pictures ?? []) {
    const found = free.addresses.at(figure);
    if (found === undefined) continue;
    const { base64 } = await free.picture(found.picture, found.form, admit, left);
    documents.push(Buffer.from(base64, 'base64').toString('utf8'));
  }
  return documents;
}

/** The Sheet. Its table and its drawings are also files. */
export const SHEET: Screen<SheetView, SheetData> = {
  address: SHEET_ADDRESS,
  dataOf: async (view, { free, model }, left) =>
    (await import('./data.js')).sheetDataOf(view, free, model().artifactVersion, left),
  async page(view, first, context) {
    const { sheetPage } = await import('./page.js');
    const date = new Date().toISOString().slice(0, 10);
    return sheetPage(view, first, { ...context, date });
  },
  shared: async (view, data) => (await import('./page.js')).sharedSheet(view, data),
  routes(app, needs) {
    const sendFile = async (
      request: FastifyRequest,
      reply: FastifyReply,
      kind: 'csv' | 'svg',
    ): Promise<FastifyReply> => {
      const view = readSheetView(queryOf(request));
      // A reader who pressed a link of the sheet sees why there is no file, and a link back to the sheet.
      const refuse = (problem: Problem, waitSeconds?: number) => {
        if (waitSeconds !== undefined) reply.header('retry-after', String(waitSeconds));
        const { message } = plainProblem(problem);
        const again = waitSeconds !== undefined && waitSeconds <= AUTOMATIC_RETRY_MAX_SECONDS;
        const sentence = `The file comes automatically in ${waitText(waitSeconds ?? 0)}.`;
        return sendMessage(reply, problem.status, {
          section: 'explore',
          title: again ? 'A short pause, please' : 'There is no file yet',
          text: again
            ? `${message.replace(waitSentence(waitSeconds), '').trim()} ${sentence}`
            : message,
          refreshSeconds: again ? waitSeconds : undefined,
          links: [{ href: addressOf(SHEET_ADDRESS, view), label: 'Back to the sheet' }],
        });
      };
      const left = leftSignal(reply);
      let exceeded: RateRefusal | undefined;
      const admit = async () => {
        exceeded = await needs.free.count(request);
        if (exceeded !== undefined) throw exceeded.problem;
      };
      let data: SheetData;
      let documents: readonly string[] = [];
      try {
        await admit();
        data = await SHEET.dataOf(view, needs, left);
        // A new picture counts as a computation, too: a sheet may have twenty.
        if (kind === 'svg') documents = await documentsOf(data, needs, admit, left);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const waitSeconds = isTemporary(error.code) ? BUSY_RETRY_SECONDS : undefined;
        return refuse(error, exceeded?.retryAfterSeconds ?? waitSeconds);
      }
      const { sheetCsv, sheetFileName, sheetSvg } = await import('./files.js');
      const text = kind === 'csv' ? sheetCsv(view, data) : sheetSvg(view, data, documents);
      const type = kind === 'csv' ? 'text/csv' : 'image/svg+xml';
      return reply
        .header('content-disposition', `attachment; filename="${sheetFileName(view, data, kind)}"`)
        .type(`${type}; charset=utf-8`)
        .send(text);
    };
    for (const kind of ['csv', 'svg'] as const) {
      app.get(`${SCREEN_PATHS.sheet}.${kind}`, (request, reply) => sendFile(request, reply, kind));
    }
  },
};
