import type { FastifyRequest } from 'fastify';
import { isToken } from '../../accounts/secret-token.js';
import type { RequestOrigin } from '../../accounts/users.js';
import type { Gate } from '../../billing/gate.js';
import type { Mode } from '../../core/billing-terms.js';
import type { EmailQueue } from '../../email/email-queue.js';
import { changeNoticeEmail } from '../../email/emails.js';
import type { Payments } from '../../payments/payments.js';
import type { FaultLog } from '../../request/charging.js';
import type { Meter } from '../../request/meter.js';
import type { FreeComputations } from '../../screens/shared/free-computations.js';
import type { ExportLimits } from '../export-turns.js';
import { type SessionParts, sessionTokenOf } from '../user-session.js';

/** Path of the page that asks the user to look for an e-mail. */
export const CHECK_EMAIL_PATH = '/account/check-mail';
/** Path of the page that sends a link to choose a new password. */
export const FORGOT_PATH = '/account/forgot';

/** Parts of the pages below `/account`. */
export interface AccountParts extends SessionParts {
  readonly emailQueue: EmailQueue;
  readonly gate: Pick<Gate, 'funds'>;
  readonly payments: Payments;
  /** Charges the downloads of bodies. */
  readonly meter: Meter;
  /** Finds the person of a download. The limits of the screens apply. */
  readonly free: FreeComputations;
  readonly log: FaultLog;
  /** For tests: limits of exports in place of the default ones. */
  readonly exportLimits?: Partial<ExportLimits> | undefined;
}

/** A query parameter; undefined when it is missing or repeated. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** A path parameter. */
export function pathText(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string | undefined>)[name] ?? '';
}

/** The requested mode; live by default. */
export function modeOf(text: string | undefined): Mode {
  return text === 'test' ? 'test' : 'live';
}

/** The token in the address of an e-mailed link; undefined when it is malformed. */
export function linkTokenOf(request: FastifyRequest): string | undefined {
  const token = queryText(request, 'token');
  return token !== undefined && isToken(token) ? token : undefined;
}

/** Tells a user by e-mail what was changed, such as `Your password was changed`. */
export function sendChangeNotice(
  { emailQueue, publicUrl }: AccountParts,
  request: FastifyRequest,
  email: string,
  change: string,
): void {
  const forgotLink = `${publicUrl()}${FORGOT_PATH}`;
  emailQueue.send(async () => changeNoticeEmail(email, change, forgotLink), request.id);
}

/** Origin of a request. */
export function requestOriginOf(request: FastifyRequest): RequestOrigin {
  const { 'user-agent': userAgent = '' } = request.headers;
  return { address: request.ip, userAgent, previousToken: sessionTokenOf(request) };
}
