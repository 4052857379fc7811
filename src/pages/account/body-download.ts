import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identityOfKey, type KeyRecord, listKeys } from '../../accounts/keys.js';
import type { MeteredResult } from '../../charging/requests.js';
import { isTemporary, Problem } from '../../core/errors.js';
import { networkOf } from '../../core/network.js';
import { leftSignal, rateHeaders } from '../../http/metered.js';
import { hangUpIfUnread } from '../../http/unread.js';
import { BODY_COST, body } from '../../operations/body.js';
import { queryOf } from '../query.js';
import { sendHtml, sendMessage } from '../responses.js';
import { BODY_DOWNLOAD_PATH } from '../screens/paths.js';
import {
  type AskedBody,
  DOWNLOAD_ADDRESS,
  kindOf,
  PERSON_ADDRESS,
  type PersonView,
} from '../screens/person/address.js';
import { askedPerson, bodyCallOf } from '../screens/person/data.js';
import { addressOf } from '../screens/shared/address-fields.js';
import { fieldOf, userOf } from '../user-session.js';
import { bodyDownloadPage } from './body-download-page.js';
import { formUseOf, newOnce, sendStaleForm } from './once.js';
import type { AccountParts } from './requests.js';

/** Longest time to find the person. */
const PERSON_MS = 20_000;

/**
 * Registers the page that downloads the body of a person, behind `requireUser`. The file is that of the
 * operation `body`, charged to a key of the account as the API charges it. The one-time token of the form is
 * the idempotency key, so that a form that is sent twice is charged once.
 */
export function bodyDownloadRoutes(app: FastifyInstance, parts: AccountParts): void {
  app.get(BODY_DOWNLOAD_PATH, async (request, reply) => {
    const asked = DOWNLOAD_ADDRESS.read(queryOf(request));
    return sendHtml(reply, await page(parts, request, asked));
  });
  app.post(BODY_DOWNLOAD_PATH, async (request, reply) => {
    const asked = DOWNLOAD_ADDRESS.read(fieldOf(request, 'person'));
    const form = formUseOf(parts, request, reply);
    if (form === undefined) return sendStaleForm(reply, addressOf(DOWNLOAD_ADDRESS, asked));
    const { users, meter, free } = parts;
    const { accountId } = userOf(request);
    const identity = await identityOfKey(users.db, accountId, fieldOf(request, 'key'));
    const refuse = async (status: number, refusal: string) =>
      sendHtml(reply, await page(parts, request, asked, refusal), status);
    if (identity === undefined) {
      return refuse(422, 'Choose an active key of your account. Nothing was charged.');
    }
    const caller = {
      ...identity,
      network: networkOf(request.ip),
      requestId: request.id,
      idempotencyKey: `page-${form.tokenHash}`,
      hits: 1,
      left: () => leftSignal(reply),
    };
    const refused = await meter.admit(caller);
    if (refused !== undefined) return refuse(refused.problem.status, refused.problem.message);
    // The person is found free, and charged with the file only: no more of them than a screen shows.
    const exceeded = asked.view.from === 'values' ? undefined : await free.count(request);
    if (exceeded !== undefined) {
      reply.header('retry-after', String(exceeded.retryAfterSeconds));
      return refuse(429, `${exceeded.problem.message} Nothing was charged.`);
    }
    try {
      const left = AbortSignal.any([AbortSignal.timeout(PERSON_MS), leftSignal(reply)]);
      const { person } = await askedPerson(asked.view, free.answer, left);
      const call = bodyCallOf(person, asked.view.pose, asked.format);
      const result = await meter.perform(body, call.body, caller);
      if (result.kind === 'refusal') return refuse(result.problem.status, result.problem.message);
      return sendFile(reply, result, asked);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const again = isTemporary(error.code) ? ' Please try again.' : '';
      return refuse(error.status, `${error.message} Nothing was charged.${again}`);
    }
  });
}

async function page(
  parts: AccountParts,
  request: FastifyRequest,
  asked: AskedBody,
  refusal?: string,
): Promise<string> {
  const user = userOf(request);
  const keys = (await listKeys(parts.users.db, user.accountId)).filter(
    ({ revokedAtMs }) => revokedAtMs === null,
  );
  return bodyDownloadPage({
    ...{ user, asked: asked.view, format: asked.format, refusal, credits: BODY_COST },
    keys: keys.toSorted(byModeAndAge),
    query: DOWNLOAD_ADDRESS.query(asked),
    back: addressOf(PERSON_ADDRESS, asked.view),
    once: newOnce(parts, user.csrfToken),
  });
}

/** Live keys first, and the newest first. */
function byModeAndAge(one: KeyRecord, other: KeyRecord): number {
  return one.mode.localeCompare(other.mode) || other.createdAtMs - one.createdAtMs;
}

/** The name of a file names this many known measurements, so that every system can keep it. */
const KNOWN_IN_NAME = 3;

/** Which person of all a view shows, in parts of a file's name. */
function personWords(view: PersonView): readonly (string | number)[] {
  if (view.from === 'sample') return ['random', view.seed];
  if (view.from === 'case') return ['boundary', view.caseNumber];
  const { gender, age, country } = kindOf(view);
  const known = view.known
    .slice(0, KNOWN_IN_NAME)
    .flatMap(({ measurement, value, percentile }) => [measurement, value ?? `P${percentile}`]);
  return [gender, age, country, ...known];
}

function sendFile(
  reply: FastifyReply,
  result: Exclude<MeteredResult, { kind: 'refusal' }>,
  { view, format }: AskedBody,
): FastifyReply {
  if (result.kind === 'answer') {
    return sendMessage(reply, 500, {
      title: 'There is no file',
      text: 'The service answered without a file. Use the API, or report this.',
    });
  }
  rateHeaders(reply, result.rate);
  const name = `${['vitruvia-body', ...personWords(view), view.pose].join('-')}.${format}`;
  for (const [header, value] of Object.entries(result.headers)) reply.header(header, value);
  if (result.replayed) reply.header('idempotent-replayed', 'true');
  hangUpIfUnread(reply.raw);
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(result.contentType)
    .send(Readable.from(result.parts, { objectMode: false }));
}
