import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Origin } from '../../accounts/people.js';
import { PersonError } from '../../accounts/person-error.js';
import { sendMessage } from '../message-page.js';
import { sendHtml } from '../send-html.js';
import { sessionTokenOf } from '../visitors.js';
import { type FormFault, faultOf, statusOf } from './forms.js';

/** Where a request comes from, as the logic of people wants it. */
export function originOf(request: FastifyRequest): Origin {
  const { 'user-agent': userAgent = '' } = request.headers;
  return { address: request.ip, userAgent, formerToken: sessionTokenOf(request) };
}

/**
 * Answers a refusal with the form it is about.
 *
 * @param render the page, given what is wrong
 * @throws the error itself when it is no refusal
 */
export function refuse(
  reply: FastifyReply,
  error: unknown,
  render: (fault: FormFault) => string,
): FastifyReply {
  if (!(error instanceof PersonError)) throw error;
  if (error.reason === 'invalid_link') return sendInvalidLink(reply, error.message);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  return sendHtml(reply, render(faultOf(error)), statusOf(error));
}

/** Answers a link that cannot be used. */
export function sendInvalidLink(reply: FastifyReply, text: string): FastifyReply {
  return sendMessage(reply, 410, {
    title: 'This link cannot be used',
    text,
    links: [
      { href: '/account/sign-in', label: 'Sign in' },
      { href: '/account/forgot', label: 'Choose a new password' },
      { href: '/account/sign-up', label: 'Sign up' },
    ],
  });
}
