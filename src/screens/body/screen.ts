import type { FastifyReply, FastifyRequest } from 'fastify';
import { BUSY_RETRY_SECONDS, isTemporary, Problem } from '../../core/errors.js';
import { leftSignal } from '../../request/http.js';
import { SCREEN_PATHS, SHEET_FILES } from '../../site/paths.js';
import { queryOf } from '../../site/query.js';
import { sendMessage } from '../../site/responses.js';
import { addressOf } from '../shared/address-fields.js';
import { plainProblem } from '../shared/plain-words.js';
import type { Screen, ScreenNeeds } from '../shared/screen.js';
import type { RateRefusal } from '../shared/visitor-limits.js';
import { AUTOMATIC_RETRY_MAX_SECONDS, waitSentence, waitText } from '../shared/wait-text.js';
import { BODY_ADDRESS, type BodyView, isAddressOfOneDimension } from './address.js';
import type { BodyData } from './data-types.js';

/** The Body screen: populations to scale on one floor, or a sheet of one of them, whose parts are also files. */
export const BODY: Screen<BodyView, BodyData> = {
  id: 'body',
  address: BODY_ADDRESS,
  page: async () => (await import('./page.js')).PAGE,
  routes(app, needs) {
    // The Dimension screen had this address before. Its old addresses are redirected.
    app.addHook('onRequest', async (request, reply) => {
      const [path] = request.url.split('?', 1);
      const query = queryOf(request);
      if (path !== SCREEN_PATHS.body || !isAddressOfOneDimension(query)) return;
      return reply.redirect(`${SCREEN_PATHS.dimension}?${query}`, 308);
    });
    for (const kind of ['csv', 'svg'] as const) {
      app.get(`${SHEET_FILES}.${kind}`, (request, reply) => sendFile(request, reply, kind, needs));
    }
  },
};

/** Sends the table or the drawings of a sheet as a file. */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: 'csv' | 'svg',
  needs: ScreenNeeds,
): Promise<FastifyReply> {
  const view = BODY_ADDRESS.read(`form=sheet&${queryOf(request)}`);
  const left = leftSignal(reply);
  let exceeded: RateRefusal | undefined;
  const admit = async () => {
    exceeded = await needs.free.count(request);
    if (exceeded !== undefined) throw exceeded.problem;
  };
  try {
    await admit();
    const { sheetDataOf } = await import('./sheet-data.js');
    const data = await sheetDataOf(view, needs.free, needs.model().artifactVersion, left);
    // A new picture counts as a computation, too: a sheet may have twenty.
    const documents = kind === 'svg' ? await documentsOf(data, needs, admit, left) : [];
    const { sheetCsv, sheetFileName, sheetSvg } = await import('./sheet-files.js');
    const text = kind === 'csv' ? sheetCsv(view, data) : sheetSvg(view, data, documents);
    const type = kind === 'csv' ? 'text/csv' : 'image/svg+xml';
    return reply
      .header('content-disposition', `attachment; filename="${sheetFileName(view, data, kind)}"`)
      .type(`${type}; charset=utf-8`)
      .send(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const waitSeconds = isTemporary(error.code) ? BUSY_RETRY_SECONDS : undefined;
    return refuseFile(reply, view, error, exceeded?.retryAfterSeconds ?? waitSeconds);
  } finally {
    await needs.free.spend(request, left);
  }
}

/** Says to a reader who pressed a link of the sheet why there is no file, with a link back to the sheet. */
function refuseFile(
  reply: FastifyReply,
  view: BodyView,
  problem: Problem,
  waitSeconds: number | undefined,
): FastifyReply {
  if (waitSeconds !== undefined) reply.header('retry-after', String(waitSeconds));
  const { message } = plainProblem(problem);
  const again = waitSeconds !== undefined && waitSeconds <= AUTOMATIC_RETRY_MAX_SECONDS;
  const sentence = `The file comes automatically in ${waitText(waitSeconds ?? 0)}.`;
  return sendMessage(reply, problem.status, {
    title: again ? 'A short pause, please' : 'There is no file yet',
    text: again ? `${message.replace(waitSentence(waitSeconds), '').trim()} ${sentence}` : message,
    refreshSeconds: again ? waitSeconds : undefined,
    links: [{ href: addressOf(BODY_ADDRESS, view), label: 'Back to the sheet' }],
  });
}

/** The pictures of a sheet as SVG documents. */
async function documentsOf(
  { drawn }: BodyData,
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
