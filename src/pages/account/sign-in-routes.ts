import type { FastifyInstance } from 'fastify';
import { invalidLink } from '../../accounts/email-tokens.js';
import { endSessionOf } from '../../accounts/sessions.js';
import { admitReset, issueResetLink, resetPassword } from '../../accounts/user-changes.js';
import { signIn } from '../../accounts/users.js';
import * as emails from '../../email/emails.js';
import { sendHtml } from '../../site/responses.js';
import {
  clearSession,
  fieldOf,
  formTokenOf,
  SIGN_IN_PATH,
  sessionTokenOf,
  setSession,
} from '../user-session.js';
import { ownPath } from './next-page.js';
import { refuse, sendInvalidLink } from './refusals.js';
import {
  type AccountParts,
  CHECK_EMAIL_PATH,
  FORGOT_PATH,
  linkTokenOf,
  queryText,
  requestOriginOf,
  sendChangeNotice,
} from './requests.js';
import * as pages from './sign-in-pages.js';

const HOME_PATH = '/account';

/** Registers the pages to sign in, sign out and choose a new password. */
export function signInRoutes(app: FastifyInstance, parts: AccountParts): void {
  signInPages(app, parts);
  resetPages(app, parts);
}

function signInPages(app: FastifyInstance, { users }: AccountParts): void {
  app.get(SIGN_IN_PATH, (request, reply) => {
    const next = ownPath(queryText(request, 'next'));
    if (request.user !== null) return reply.redirect(next ?? HOME_PATH, 303);
    const done = queryText(request, 'done') ?? '';
    const csrfToken = formTokenOf(request, reply);
    return sendHtml(reply, pages.signInPage({ csrfToken, next, done }));
  });
  app.post(SIGN_IN_PATH, async (request, reply) => {
    const email = fieldOf(request, 'email');
    const next = ownPath(fieldOf(request, 'next'));
    try {
      const input = { email, password: fieldOf(request, 'password') };
      setSession(request, reply, await signIn(users, input, requestOriginOf(request)));
    } catch (error) {
      const csrfToken = formTokenOf(request, reply);
      return refuse(reply, error, (fault) => pages.signInPage({ csrfToken, fault, email, next }));
    }
    return reply.redirect(next ?? HOME_PATH, 303);
  });
  app.post('/account/sign-out', async (request, reply) => {
    const token = sessionTokenOf(request);
    if (token !== undefined) await endSessionOf(users.db, token);
    clearSession(request, reply);
    return reply.redirect(`${SIGN_IN_PATH}?done=out`, 303);
  });
}

function resetPages(app: FastifyInstance, parts: AccountParts): void {
  const { users, emailQueue, publicUrl } = parts;
  app.get(FORGOT_PATH, (request, reply) =>
    sendHtml(
      reply,
      pages.forgotPage({
        csrfToken: formTokenOf(request, reply),
        next: ownPath(queryText(request, 'next')),
      }),
    ),
  );
  app.post(FORGOT_PATH, async (request, reply) => {
    const email = fieldOf(request, 'email');
    const next = ownPath(fieldOf(request, 'next'));
    try {
      const emailKey = await admitReset(users, email, requestOriginOf(request));
      emailQueue.send(async () => {
        const issued = await issueResetLink(users, emailKey);
        if (issued === undefined) return undefined;
        const way = next === undefined ? '' : `&next=${encodeURIComponent(next)}`;
        const link = `${publicUrl()}/account/reset?token=${issued.token}${way}`;
        return emails.resetEmail(issued.email, link);
      }, request.id);
    } catch (error) {
      const csrfToken = formTokenOf(request, reply);
      return refuse(reply, error, (fault) => pages.forgotPage({ csrfToken, fault, email, next }));
    }
    return reply.redirect(CHECK_EMAIL_PATH, 303);
  });
  app.get('/account/reset', (request, reply) => {
    const token = linkTokenOf(request);
    if (token === undefined) return sendInvalidLink(reply, invalidLink().message);
    const next = ownPath(queryText(request, 'next'));
    return sendHtml(
      reply,
      pages.resetPage({ csrfToken: formTokenOf(request, reply), token, next }),
    );
  });
  app.post('/account/reset', async (request, reply) => {
    const token = fieldOf(request, 'token');
    const next = ownPath(fieldOf(request, 'next'));
    try {
      const input = { token, newPassword: fieldOf(request, 'new_password') };
      const { email, sessionToken } = await resetPassword(users, input, requestOriginOf(request));
      setSession(request, reply, sessionToken);
      sendChangeNotice(parts, request, email, 'Your password was changed');
    } catch (error) {
      const csrfToken = formTokenOf(request, reply);
      return refuse(reply, error, (fault) => pages.resetPage({ csrfToken, fault, token, next }));
    }
    return reply.redirect(next ?? '/account/settings?done=password', 303);
  });
}
