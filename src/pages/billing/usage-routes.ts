import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { findAccount } from '../../accounts/accounts.js';
import { listKeys } from '../../accounts/keys.js';
import { dayOf } from '../../ledger/charge.js';
import { ledgerCsv } from '../../ledger/ledger-csv.js';
import { ledgerPage } from '../../ledger/ledger-page.js';
import { lastDays, usageByDay } from '../../ledger/usage.js';
import { type AccountParts, modeOf, queryText } from '../account/requests.js';
import { sendHtml, sendMessage } from '../responses.js';
import { userOf } from '../user-session.js';
import { LEDGER_PATH, renderLedger } from './ledger-page.js';
import { USAGE_PATH, USAGE_SPANS, usagePage } from './usage-page.js';
import { USAGE_SPLITS, usageSeries } from './usage-series.js';

const SPAN_DEFAULT = 30;
/** Most exports at the same time; each one reads the whole ledger of an account. */
const EXPORTS_MAX = 2;

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

function exportRoute(app: FastifyInstance, { users: { db, clock } }: AccountParts): void {
  const exporting = new Set<string>();
  app.get(`${LEDGER_PATH}.csv`, async (request, reply) => {
    const { accountId } = userOf(request);
    const mode = modeOf(queryText(request, 'mode'));
    if (exporting.has(accountId) || exporting.size >= EXPORTS_MAX) {
      reply.header('retry-after', '30');
      return sendMessage(reply, 429, {
        title: 'Please try again later',
        text: 'Another export is running. Please try again when it has finished.',
        links: [{ href: LEDGER_PATH, label: 'Your ledger' }],
      });
    }
    const account = await findAccount(db, accountId);
    const nowMs = clock();
    const text = Readable.from(ledgerCsv(db, account, mode, nowMs));
    exporting.add(accountId);
    text.once('close', () => exporting.delete(accountId));
    const file = `vitruvia-ledger-${mode}-${dayOf(nowMs)}.csv`;
    return reply
      .header('content-disposition', `attachment; filename="${file}"`)
      .type('text/csv; charset=utf-8')
      .send(text);
  });
}
