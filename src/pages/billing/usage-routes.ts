import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type KeyRecord, listKeys } from '../../accounts/keys.js';
import { MODES, type Mode } from '../../core/billing-terms.js';
import { dayOf } from '../../ledger/charge.js';
import { ledgerCsv } from '../../ledger/ledger-csv.js';
import { ledgerPage } from '../../ledger/ledger-page.js';
import { lastDays, usageByDay } from '../../ledger/usage.js';
import { sendHtml, sendMessage } from '../../site/responses.js';
import { BYTE_ORDER_MARK } from '../../table-formats/csv.js';
import { type AccountParts, modeOf, queryText } from '../account/requests.js';
import { ExportTurns } from '../export-turns.js';
import { userOf } from '../user-session.js';
import { LEDGER_PATH, renderLedger } from './ledger-page.js';
import { USAGE_PATH, USAGE_SPANS, usagePage } from './usage-page.js';
import { USAGE_SPLITS, usageSeries } from './usage-series.js';

const SPAN_DEFAULT = 30;

/** Registers the pages of usage and ledger, behind `requireUser`. */
export function usageRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { db, clock } = parts.users;
  app.get(USAGE_PATH, async (request, reply) => {
    const user = userOf(request);
    const { accountId } = user;
    const split = USAGE_SPLITS.find((name) => name === queryText(request, 'by')) ?? 'operation';
    const wanted = Number(queryText(request, 'days'));
    const span = USAGE_SPANS.find((days) => days === wanted) ?? SPAN_DEFAULT;
    const days = lastDays(span, clock());
    const keys = await listKeys(db, accountId);
    const names = new Map(keys.map((key) => [key.id, `${key.name} (${key.displayStart}…)`]));
    const usageIn = (one: Mode) => usageByDay(db, accountId, one, days[0] ?? '', days.at(-1) ?? '');
    const [live, test] = await Promise.all([usageIn('live'), usageIn('test')]);
    const mode = shownMode(request, { live: live.length > 0, test: test.length > 0 }, keys);
    const [usage, otherUsage] = mode === 'live' ? [live, test] : [test, live];
    const series = usageSeries(usage, days, split, (keyId) => names.get(keyId) ?? keyId);
    const otherCalls = otherUsage.reduce((sum, { calls }) => sum + calls, 0);
    return sendHtml(reply, usagePage({ user, mode, split, days, series, otherCalls }));
  });
  app.get(LEDGER_PATH, async (request, reply) => {
    const user = userOf(request);
    const before = queryText(request, 'before');
    const [live, test, keys] = await Promise.all([
      ledgerPage(db, user.accountId, 'live'),
      ledgerPage(db, user.accountId, 'test'),
      listKeys(db, user.accountId),
    ]);
    const has = { live: live.lines.length > 0, test: test.lines.length > 0 };
    const mode = shownMode(request, has, keys);
    const [own, other] = mode === 'live' ? [live, test] : [test, live];
    const page = before === undefined ? own : await ledgerPage(db, user.accountId, mode, before);
    const newest = before === undefined;
    const otherNewestMs = other.lines[0]?.atMs;
    return sendHtml(reply, renderLedger({ user, mode, page, newest, otherNewestMs }));
  });
  exportRoute(app, parts);
}

/**
 * The mode that a page shows: the mode in its address, otherwise a mode that has something to show (live
 * first), otherwise a mode that the account has keys for.
 */
function shownMode(
  request: FastifyRequest,
  has: Readonly<Record<Mode, boolean>>,
  keys: readonly KeyRecord[],
): Mode {
  const named = MODES.find((mode) => mode === queryText(request, 'mode'));
  if (named !== undefined) return named;
  if (has.live !== has.test) return has.live ? 'live' : 'test';
  if (has.live) return 'live';
  const usable = keys.filter(({ revokedAtMs }) => revokedAtMs === null);
  const isOnlyTest = usable.length > 0 && usable.every(({ mode }) => mode === 'test');
  return isOnlyTest ? 'test' : 'live';
}

function exportRoute(app: FastifyInstance, parts: AccountParts): void {
  const { db, clock } = parts.users;
  const turns = new ExportTurns(parts.exportLimits);
  app.get(`${LEDGER_PATH}.csv`, async (request, reply) => {
    const { accountId } = userOf(request);
    const mode = modeOf(queryText(request, 'mode'));
    const opened = turns.open(accountId);
    if (typeof opened === 'string') return refuseExport(reply, opened);
    const { raw } = reply;
    // A closed connection ends the export at once, even if the export waits for something.
    const leave = () => opened.abort();
    raw.once('close', leave);
    try {
      const nowMs = clock();
      const source = withMark(ledgerCsv(db, accountId, mode, nowMs));
      const pieces = turns.pieces(opened, source, () => raw.destroy());
      // The next piece is read only when the reader has taken the last one.
      const text = Readable.from(pieces, { highWaterMark: 1 });
      const file = `vitruvia-ledger-${mode}-${dayOf(nowMs)}.csv`;
      return reply
        .header('content-disposition', `attachment; filename="${file}"`)
        .type('text/csv; charset=utf-8')
        .send(text);
    } catch (error) {
      leave();
      throw error;
    }
  });
}

/** Puts a byte order mark before the text, as in all tables of the pages. */
async function* withMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* pieces;
}

function refuseExport(reply: FastifyReply, reason: 'account_busy' | 'full'): FastifyReply {
  reply.header('retry-after', '30');
  const text =
    reason === 'full'
      ? 'Too many exports are running. Please try again in half a minute.'
      : 'Another export of your account is running. Please try again when it has finished.';
  return sendMessage(reply, reason === 'full' ? 503 : 429, {
    title: 'Please try again later',
    text,
    links: [{ href: LEDGER_PATH, label: 'Your ledger' }],
  });
}
