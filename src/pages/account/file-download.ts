import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findAccount } from '../../accounts/accounts.js';
import { identityOfKey, type KeyRecord, listKeys } from '../../accounts/keys.js';
import { GateError } from '../../billing/gate.js';
import type { AccountFunds, Mode } from '../../core/billing-terms.js';
import { isTemporary, Problem } from '../../core/errors.js';
import { BODY_COST, body } from '../../operations/body.js';
import type { Operation } from '../../operations/operation.js';
import { ENVELOPE_COST, reachEnvelope } from '../../operations/reach-envelope.js';
import type { MeteredResult } from '../../request/caller.js';
import { leftSignal, rateHeaders } from '../../request/http.js';
import {
  type AskedBody,
  DOWNLOAD_ADDRESS,
  kindOf,
  PERSON_ADDRESS,
  type PersonView,
  personTitle,
} from '../../screens/person/address.js';
import { askedPerson, bodyCallOf } from '../../screens/person/data.js';
import {
  type AskedReachFile,
  ENVELOPE_ADDRESS,
  REACH_ADDRESS,
  STANCE_ADDRESS,
} from '../../screens/reach/address.js';
import {
  envelopeCallOf,
  medianViewOf,
  seatMovedOf,
  stanceOfView,
} from '../../screens/reach/data.js';
import { templateById } from '../../screens/reach/templates.js';
import { addressOf, type ReadableAddress } from '../../screens/shared/address-fields.js';
import { admit } from '../../screens/shared/visitor-limits.js';
import { queryOf } from '../../site/query.js';
import { sendHtml, sendMessage } from '../../site/responses.js';
import { fieldOf, userOf } from '../user-session.js';
import { fileDownloadPage } from './file-download-page.js';
import { ONCE_FIELD } from './forms.js';
import { formUseOf, newOnce, sendStaleForm } from './once.js';
import type { AccountParts } from './requests.js';

/** Longest time to find the person. */
const PERSON_MS = 20_000;

/** A kind of file that signed-in people download from a page. */
interface Kind<Asked> {
  readonly address: ReadableAddress<Asked>;
  readonly operation: Operation;
  readonly credits: number;
  readonly title: string;
  /** Content and format of the file, each in words. */
  content(asked: Asked): readonly [what: string, format: string];
  /** The screen that leads here. */
  back(asked: Asked): string;
  /** Whether a search of a screen finds what is asked. */
  isSearched(asked: Asked): boolean;
  /** The body of the call of the operation. */
  callOf(asked: Asked, free: AccountParts['free'], left: AbortSignal): Promise<object>;
  fileName(asked: Asked): string;
}

const BODY: Kind<AskedBody> = {
  ...{ address: DOWNLOAD_ADDRESS, operation: body, credits: BODY_COST, title: 'Download a body' },
  content: ({ view, format }) => [
    `${personTitle(view)}, ${view.pose}`,
    {
      glb: 'GLB, in metres with bones, for renderers and engines',
      stl: 'STL, in millimetres, for CAD and printers',
      obj: 'OBJ, in millimetres, with the report as remarks',
      dxf: 'DXF, outlines from the side, the front and above in millimetres, for CAD',
    }[format],
  ],
  back: ({ view }) => addressOf(PERSON_ADDRESS, view),
  isSearched: ({ view }) => view.from !== 'values',
  async callOf({ view, format }, free, left) {
    const { person } = await askedPerson(view, free.answer, left);
    return bodyCallOf(person, view.pose, format).body;
  },
  fileName: ({ view, format }) =>
    `${['vitruvia-body', ...personWords(view), view.pose].join('-')}.${format}`,
};

const ENVELOPE: Kind<AskedReachFile> = {
  address: ENVELOPE_ADDRESS,
  operation: reachEnvelope,
  credits: ENVELOPE_COST,
  title: 'Download an envelope of reach',
  content: ({ view, format }) => [
    `${REACH_ADDRESS.title(view)} The surfaces that 95 %, half and 5 % of the people reach`,
    {
      glb: 'GLB, in metres, for renderers and engines',
      stl: 'STL, in millimetres, for CAD',
    }[format],
  ],
  back: ({ view }) => addressOf(REACH_ADDRESS, view),
  isSearched: () => false,
  async callOf({ view, format }) {
    const call = envelopeCallOf(view);
    if (call === undefined) {
      throw new Problem('validation_error', 'No hand reaches for anything in this room. Add one.');
    }
    return { ...call.body, format };
  },
  fileName: ({ view, format }) => `vitruvia-envelope-${view.template}.${format}`,
};

const STANCE: Kind<AskedReachFile> = {
  ...{ address: STANCE_ADDRESS, operation: body, credits: BODY_COST },
  title: 'Download a body in a stance',
  content: ({ view, format }) => [
    `${personTitle(medianViewOf(view))}, in the scene ${templateById(view.template).title}`,
    {
      glb: 'GLB, in metres with bones, for renderers and engines',
      stl: 'STL, in millimetres, for CAD',
    }[format],
  ],
  back: ({ view }) => addressOf(REACH_ADDRESS, view),
  isSearched: () => false,
  async callOf({ view, format }, free, left) {
    const { person } = await askedPerson(medianViewOf(view), free.answer, left);
    const moved = await seatMovedOf(view, free, left);
    return { person, stance: stanceOfView(view, moved), format, detail: 'full' };
  },
  fileName: ({ view, format }) => `vitruvia-body-${view.template}.${format}`,
};

/** Registers the pages that download files of the screens, behind `requireUser`. */
export function fileDownloadRoutes(app: FastifyInstance, parts: AccountParts): void {
  downloadRoutes(app, parts, BODY);
  downloadRoutes(app, parts, ENVELOPE);
  downloadRoutes(app, parts, STANCE);
}

/**
 * Registers the page of a kind of file. The operation makes the file. A key of the account pays for it, as in the API.
 * The one-time token of the form is the idempotency key, so a form that is sent twice is charged once.
 */
function downloadRoutes<Asked>(app: FastifyInstance, parts: AccountParts, kind: Kind<Asked>): void {
  const { address } = kind;
  app.get(address.path, async (request, reply) => {
    const asked = address.read(queryOf(request));
    return sendHtml(reply, await page(parts, kind, request, asked));
  });
  app.post(address.path, async (request, reply) => {
    const asked = address.read(queryOf(request));
    const form = formUseOf(parts, request, reply);
    if (form === undefined) return sendStaleForm(reply, addressOf(address, asked));
    const { users, meter, free } = parts;
    const { accountId } = userOf(request);
    const key = fieldOf(request, 'key');
    const identity = await identityOfKey(users.db, accountId, key);
    // The shown form keeps its token. Even if this attempt was charged, a repeat is not charged again.
    const sent = { key, once: fieldOf(request, ONCE_FIELD) };
    const refuse = async (problem: Problem) =>
      sendHtml(
        reply,
        await page(parts, kind, request, asked, { ...sent, problem }),
        problem.status,
      );
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
    const left = AbortSignal.any([AbortSignal.timeout(PERSON_MS), leftSignal(reply)]);
    try {
      // A search is free, so it counts as a computation of a screen.
      if (kind.isSearched(asked)) await admit(free.count, request, reply);
      const call = await kind.callOf(asked, free, left);
      const result = await meter.perform(kind.operation, call, caller);
      if (result.kind === 'refusal') return refuse(result.problem);
      return sendFile(reply, result, kind.fileName(asked));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refuse(error);
    } finally {
      if (kind.isSearched(asked)) await free.spend(request, left);
    }
  });
}

/** A refused form. The page shows it again. */
interface RefusedForm {
  readonly key: string;
  readonly once: string;
  readonly problem: Problem;
}

async function page<Asked>(
  parts: AccountParts,
  kind: Kind<Asked>,
  request: FastifyRequest,
  asked: Asked,
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
  const paying = keys.filter(({ mode }) => canPay(funds.get(mode), mode, kind.credits) ?? true);
  const sent = keys.find(({ id }) => id === refused?.key);
  const { title, credits } = kind;
  return fileDownloadPage({
    ...{ user, title, credits, keys, operation: kind.operation, content: kind.content(asked) },
    chosen: (sent ?? paying[0] ?? keys[0])?.id,
    refusal:
      refused && refusalText(refused.problem, credits, sent && funds.get(sent.mode), sent?.mode),
    lacksCredits: refused === undefined ? paying.length === 0 : isLack(refused.problem),
    path: kind.address.path,
    action: addressOf(kind.address, asked),
    back: kind.back(asked),
    once: refused?.once ?? newOnce(parts, user.csrfToken),
  });
}

function noneIfUnknown(error: unknown): undefined {
  if (!(error instanceof GateError)) throw error;
}

/** Whether an account can pay for a file; undefined if its funds are unknown. */
function canPay(funds: AccountFunds | undefined, mode: Mode, credits: number): boolean | undefined {
  if (funds === undefined) return undefined;
  if (mode === 'live' && funds.debtCredits > 0) return false;
  return funds.paidCredits >= credits;
}

function isLack({ code }: Problem): boolean {
  return code === 'insufficient_credits' || code === 'free_tier_exhausted';
}

/** A refusal in the words of the page. */
function refusalText(problem: Problem, credits: number, funds?: AccountFunds, mode?: Mode): string {
  const { code, message, status } = problem;
  if (status === 500) {
    return 'The file could not be made. Send the form again: it is charged at most once.';
  }
  const has = funds?.paidCredits ?? credits;
  const said =
    code === 'insufficient_credits' && funds?.debtCredits === 0 && has < credits
      ? `The file costs ${credits} credits, and you have ${has} ${mode} credits.`
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
  name: string,
): FastifyReply {
  if (result.kind === 'answer') {
    return sendMessage(reply, 500, {
      title: 'There is no file',
      text: 'The service answered without a file. Use the API, or report this.',
    });
  }
  rateHeaders(reply, result.rate);
  for (const [header, value] of Object.entries(result.headers)) reply.header(header, value);
  if (result.replayed) reply.header('idempotent-replayed', 'true');
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(result.contentType)
    .send(Readable.from(result.chunks, { objectMode: false }));
}
