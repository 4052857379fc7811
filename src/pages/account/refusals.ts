import type { FastifyReply } from 'fastify';
import { UserError } from '../../accounts/errors.js';
import { sendHtml, sendMessage } from '../../site/responses.js';
import { SIGN_IN_PATH } from '../user-session.js';
import type { FormFault } from './forms.js';

/**
 * Answers a refusal: shows the form again with what is wrong.
 *
 * @param render makes the page with the form and the fault
 * @throws `error` if it is not a refusal
 */
export function refuse(
  reply: FastifyReply,
  error: unknown,
  render: (fault: FormFault) => string,
): FastifyReply {
  if (!(error instanceof UserError)) throw error;
  const { reason, field, message } = error;
  if (reason === 'invalid_link') return sendInvalidLink(reply, message);
  setRetryAfter(reply, error);
  return sendHtml(reply, render({ field, message }), statusOf(error));
}

/** Answers a refusal without a form. */
export function sendRefusal(reply: FastifyReply, error: UserError): FastifyReply {
  setRetryAfter(reply, error);
  return sendMessage(reply, statusOf(error), {
    title: 'Please try again later',
    text: error.message,
  });
}

/** Answers a link that is not valid. */
export function sendInvalidLink(reply: FastifyReply, text: string): FastifyReply {
  return sendMessage(reply, 410, {
    title: 'This link does not work',
    text,
    links: [
      { href: SIGN_IN_PATH, label: 'Sign in' },
      { href: '/account/forgot', label: 'Choose a new password' },
      { href: '/account/sign-up', label: 'Sign up' },
    ],
  });
}

function setRetryAfter(reply: FastifyReply, { retryAfterSeconds }: UserError): void {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
}

function statusOf({ reason }: UserError): number {
  if (reason === 'throttled') return 429;
  return reason === 'busy' ? 503 : 422;
}
