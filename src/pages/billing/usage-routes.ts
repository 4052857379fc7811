import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findAccount } from '../../accounts/accounts.js';
import { listKeys } from '../../accounts/keys.js';
import { dayOf } from '../../ledger/charge.js';
import { ledgerCsv } from '../../ledger/ledger-csv.js';
import { ledgerPage } from '../../ledger/ledger-page.js';
import { lastDays, usageByDay } from '../../ledger/usage.js';
import { type AccountParts, modeOf, queryText } from '../account/requests.js';
import { ExportTurns } from '../export-turns.js';
import { sendHtml, sendMessage } from '../responses.js';
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
    const mode = modeOf(queryText(request, 'mode'));
    const split = USAGE_SPLITS.find((name) => name === queryText(request, 'by')) ?? 'operation';
    const wanted = Number(queryText(request, 'days'));
    const span = USAGE_SPANS.find((days) => days === wanted) ?? SPAN_DEFAULT;
    const days = lastDays(span, clock());
    const keys = await listKeys(db, accountId);
    const names = new Map(keys.map((key) => [key.id, `${key.name} (${key.displayStart}…)`]));
    const usage = await usageByDay(db, accountId, mode, days[0] ?? '', days.at(-1) ?? '');
    const series = usageSeries(usage, days, split, (keyId) => names.get(keyId) ?? keyId);
    return sendHtml(reply, usagePage({ user, mode, split, days, series }));
  });
  app.get(LEDGER_PATH, async (request, reply) => {
    const user = userOf(request);
    const mode = modeOf(queryText(request, 'mode'));
    const before = queryText(request, 'before');
    const page = await ledgerPage(db, user.accountId, mode, before);
    return sendHtml(reply, renderLedger({ user, mode, page, newest: before === undefined }));
  });
  exportRoute(app, parts);
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
    // The place is free as soon as the connection closes, whatever the export is waiting for.
    const leave = () => opened.abort();
    raw.once('close', leave);
    try {
      const account = await findAccount(db, accountId);
      const nowMs = clock();
      const source = ledgerCsv(db, account, mode, nowMs);
      const pieces = turns.pieces(opened, source, () => raw.destroy());
      // One piece at a time: the next one is read when the reader has taken this one.
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
