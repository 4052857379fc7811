import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findAccount } from '../../accounts/accounts.js';
import { identityOfKey, type KeyRecord, listKeys } from '../../accounts/keys.js';
import { GateError } from '../../billing/gate.js';
import type { AccountFunds, Mode } from '../../core/billing-terms.js';
import { isTemporary, Problem } from '../../core/errors.js';
import { BODY_COST, body } from '../../operations/body.js';
import type { MeteredResult } from '../../request/caller.js';
import { leftSignal, rateHeaders } from '../../request/http.js';
import {
  type AskedBody,
  DOWNLOAD_ADDRESS,
  kindOf,
  PERSON_ADDRESS,
  type PersonView,
} from '../../screens/person/address.js';
import { askedPerson, bodyCallOf } from '../../screens/person/data.js';
import { addressOf } from '../../screens/shared/address-fields.js';
import { BODY_DOWNLOAD_PATH } from '../../site/paths.js';
import { queryOf } from '../../site/query.js';
import { sendHtml, sendMessage } from '../../site/responses.js';
import { fieldOf, userOf } from '../user-session.js';
import { bodyDownloadPage } from './body-download-page.js';
import { ONCE_FIELD } from './forms.js';
import { formUseOf, newOnce, sendStaleForm } from './once.js';
import type { AccountParts } from './requests.js';

/** Longest time to find the person. */
const PERSON_MS = 20_000;

/**
 * Registers the page that downloads the body of a person, behind `requireUser`. The operation `body` makes
 * the file. A key of the account pays for it, as in the API. The one-time token of the form is the
 * idempotency key, so a form that is sent twice is charged once.
 */
export function bodyDownloadRoutes(app: FastifyInstance, parts: AccountParts): void {
  app.get(BODY_DOWNLOAD_PATH, async (request, reply) => {
    const asked = DOWNLOAD_ADDRESS.read(queryOf(request));
    return sendHtml(reply, await page(parts, request, asked));
  });
  app.post(BODY_DOWNLOAD_PATH, async (request, reply) => {
    const asked = DOWNLOAD_ADDRESS.read(queryOf(request));
    const form = formUseOf(parts, request, reply);
    if (form === undefined) return sendStaleForm(reply, addressOf(DOWNLOAD_ADDRESS, asked));
    const { users, meter, free } = parts;
    const { accountId } = userOf(request);
    const key = fieldOf(request, 'key');
    const identity = await identityOfKey(users.db, accountId, key);
    // The shown form keeps its token. Even if this attempt was charged, a repeat is not charged again.
    const sent = { key, once: fieldOf(request, ONCE_FIELD) };
    const refuse = async (problem: Problem) =>
      sendHtml(reply, await page(parts, request, asked, { ...sent, problem }), problem.status);
    if (identity === undefined) {
      const message = 'This key is not active any more. Choose another one.';
      return refuse(new Problem('validation_error', message, { status: 422 }));
    }
    const caller = {
      ...identity,
      address: request.ip,
      requestId: request.id,
      idempotencyKey: `page-${form.tokenHash}`,
      hits: 1,
      left: () => leftSignal(reply),
    };
    const refused = await meter.charging.admit(caller);
    if (refused !== undefined) return refuse(refused.problem);
    // The search for the person is free, so it counts as a computation of a screen.
    const exceeded = asked.view.from === 'values' ? undefined : await free.count(request);
    if (exceeded !== undefined) {
      reply.header('retry-after', String(exceeded.retryAfterSeconds));
      return refuse(exceeded.problem);
    }
    try {
      const left = AbortSignal.any([AbortSignal.timeout(PERSON_MS), leftSignal(reply)]);
      const { person } = await askedPerson(asked.view, free.answer, left);
      const call = bodyCallOf(person, asked.view.pose, asked.format);
      const result = await meter.perform(body, call.body, caller);
      if (result.kind === 'refusal') return refuse(result.problem);
      return sendFile(reply, result, asked);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refuse(error);
    }
  });
}

/** A refused form. The page shows it again. */
interface RefusedForm {
  readonly key: string;
  readonly once: string;
  readonly problem: Problem;
}

async function page(
  parts: AccountParts,
  request: FastifyRequest,
  asked: AskedBody,
  refused?: RefusedForm,
): Promise<string> {
  const user = userOf(request);
  const keys = (await listKeys(parts.users.db, user.accountId))
    .filter(({ revokedAtMs }) => revokedAtMs === null)
    .toSorted(byModeAndAge);
  const account = await findAccount(parts.users.db, user.accountId);
  const funds = new Map<Mode, AccountFunds | undefined>();
  for (const mode of new Set(keys.map((key) => key.mode))) {
    funds.set(mode, await parts.gate.funds(account, mode).catch(noneIfUnknown));
  }
  // A source whose balance is unknown may still pay.
  const paying = keys.filter(({ mode }) => canPay(funds.get(mode), mode) ?? true);
  const sent = keys.find(({ id }) => id === refused?.key);
  return bodyDownloadPage({
    ...{ user, asked: asked.view, format: asked.format, credits: BODY_COST, keys },
    chosen: (sent ?? paying[0] ?? keys[0])?.id,
    refusal: refused && refusalText(refused.problem, sent && funds.get(sent.mode), sent?.mode),
    lacksCredits: refused === undefined ? paying.length === 0 : isLack(refused.problem),
    action: addressOf(DOWNLOAD_ADDRESS, asked),
    back: addressOf(PERSON_ADDRESS, asked.view),
    once: refused?.once ?? newOnce(parts, user.csrfToken),
  });
}

function noneIfUnknown(error: unknown): undefined {
  if (!(error instanceof GateError)) throw error;
}

/** Whether an account can pay for a file; undefined if its funds are unknown. */
function canPay(funds: AccountFunds | undefined, mode: Mode): boolean | undefined {
  if (funds === undefined) return undefined;
  if (mode === 'live' && funds.debtCredits > 0) return false;
  return funds.paidCredits >= BODY_COST;
}

function isLack({ code }: Problem): boolean {
  return code === 'insufficient_credits' || code === 'free_tier_exhausted';
}

/** A refusal in the words of the page. */
function refusalText(problem: Problem, funds?: AccountFunds, mode?: Mode): string {
  const { code, message, status } = problem;
  if (status === 500) {
    return 'The file could not be made. Send the form again: it is charged at most once.';
  }
  const has = funds?.paidCredits ?? BODY_COST;
  const said =
    code === 'insufficient_credits' && funds?.debtCredits === 0 && has < BODY_COST
      ? `The file costs ${BODY_COST} credits, and you have ${has} ${mode} credits.`
      : message;
  const charged = said.includes('Nothing was charged') ? '' : ' Nothing was charged.';
  return `${said}${charged}${isTemporary(code) ? ' Please try again.' : ''}`;
}

/** Live keys first, and the newest first. */
function byModeAndAge(one: KeyRecord, other: KeyRecord): number {
  return one.mode.localeCompare(other.mode) || other.createdAtMs - one.createdAtMs;
}

/** Maximum number of known measurements in a file name. Some systems cannot store longer names. */
const KNOWN_IN_NAME = 3;

/** Parts of a file name that say which person a view shows. */
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
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(result.contentType)
    .send(Readable.from(result.chunks, { objectMode: false }));
}
