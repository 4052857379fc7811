import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FormUse, newFormToken, readFormToken } from '../../accounts/one-time-forms.js';
import { sendMessage } from '../../site/responses.js';
import { fieldOf, formTokenOf, type SessionParts } from '../user-session.js';
import { ONCE_FIELD } from './forms.js';

/**
 * A new one-time token for a form of this page that creates something.
 *
 * @param csrfToken the CSRF token of the form
 */
export function newOnce({ users }: SessionParts, csrfToken: string): string {
  return newFormToken(csrfToken, users.clock());
}

/** The use of the form that was sent; undefined if its token is missing, expired or foreign. */
export function formUseOf(
  { users }: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
): FormUse | undefined {
  return readFormToken(formTokenOf(request, reply), fieldOf(request, ONCE_FIELD), users.clock());
}

/** Answers a form whose token is missing, expired or foreign. The form has created nothing. */
export function sendStaleForm(reply: FastifyReply, path: string): FastifyReply {
  return sendMessage(reply, 409, {
    title: 'The form is too old',
    text: 'The page with the form was open for more than a day, or it belongs to another sign-in. Nothing was created. Open the page again and send the form once more.',
    links: [{ href: path, label: 'Open the page again' }],
  });
}
