import type { FastifyInstance, FastifyRequest } from 'fastify';
import { confirmSignUp, isOwnLink } from '../../accounts/confirmation.js';
import { invalidLink } from '../../accounts/email-tokens.js';
import { findSignedInUser } from '../../accounts/sessions.js';
import { renewSignUpLink, type SignUpEmail, signUp } from '../../accounts/sign-up.js';
import * as emails from '../../email/emails.js';
import { sendHtml } from '../../site/responses.js';
import {
  fieldOf,
  formTokenOf,
  requireUser,
  SIGN_IN_PATH,
  setSession,
  userOf,
} from '../user-session.js';
import { CONFIRM_AGAIN_PATH } from './account-page.js';
import { KEYS_PATH } from './keys-page.js';
import { newKeyPage } from './new-key-page.js';
import { ownPath, SIGN_UP_PATH, withNext } from './next-page.js';
import { formUseOf, newOnce, sendStaleForm } from './once.js';
import { refuse, sendInvalidLink } from './refusals.js';
import {
  type AccountParts,
  CHECK_EMAIL_PATH,
  linkTokenOf,
  queryText,
  requestOriginOf,
} from './requests.js';
import * as pages from './sign-in-pages.js';

/** Registers the pages to sign up and to confirm the address. */
export async function signUpRoutes(app: FastifyInstance, parts: AccountParts): Promise<void> {
  signUpPages(app, parts);
  confirmPages(app, parts);
  await app.register(async (scope) => {
    requireUser(scope);
    scope.post(CONFIRM_AGAIN_PATH, async (request, reply) => {
      const wanted = await renewSignUpLink(parts.users, userOf(request), requestOriginOf(request));
      sendLink(parts, request, wanted);
      return reply.redirect(CHECK_EMAIL_PATH, 303);
    });
  });
}

/**
 * Registers the sign-up. Its answer shows the first key. If a browser sends the form again to reload the
 * page, it is already signed in. The form is then not read, and the browser is led to the page of its keys.
 */
function signUpPages(app: FastifyInstance, parts: AccountParts): void {
  const { users, emailQueue, publicUrl } = parts;
  const { db, clock } = users;
  app.get(SIGN_UP_PATH, (request, reply) => {
    const next = ownPath(queryText(request, 'next'));
    if (request.user !== null) return reply.redirect(next ?? `${KEYS_PATH}#new-title`, 303);
    const csrfToken = formTokenOf(request, reply);
    return sendHtml(reply, pages.signUpPage({ csrfToken, once: newOnce(parts, csrfToken), next }));
  });
  app.post(
    SIGN_UP_PATH,
    {
      onRequest: async (request, reply) => {
        if (request.user !== null) return reply.redirect(`${KEYS_PATH}?done=shown`, 303);
      },
    },
    async (request, reply) => {
      const form = formUseOf(parts, request, reply);
      const next = ownPath(fieldOf(request, 'next'));
      if (form === undefined) return sendStaleForm(reply, withNext(SIGN_UP_PATH, next));
      const values = { name: fieldOf(request, 'name'), email: fieldOf(request, 'email') };
      const input = { ...values, password: fieldOf(request, 'password') };
      try {
        const origin = requestOriginOf(request);
        const { sessionToken, key, email } = await signUp(users, input, origin, form);
        setSession(request, reply, sessionToken);
        sendLink(parts, request, email);
        const user = await findSignedInUser(db, sessionToken, clock());
        if (key === undefined || user === undefined) {
          return await reply.redirect(`${KEYS_PATH}?done=shown`, 303);
        }
        const state = { user, created: key, origin: publicUrl(), first: true, next };
        return sendHtml(reply, newKeyPage(state));
      } catch (error) {
        const csrfToken = formTokenOf(request, reply);
        const once = newOnce(parts, csrfToken);
        const page = { csrfToken, once, ...values, next };
        return refuse(reply, error, (fault) => pages.signUpPage({ ...page, fault }));
      }
    },
  );
  app.get(CHECK_EMAIL_PATH, (request, reply) =>
    sendHtml(reply, pages.checkEmailPage(emailQueue.destination, request.user !== null)),
  );
}

function confirmPages(app: FastifyInstance, parts: AccountParts): void {
  const { users } = parts;
  const page = async (request: FastifyRequest, token: string) => {
    const isOwn = await isOwnLink(users, request.user, token);
    return { token, signedIn: request.user !== null, isOwn };
  };
  app.get('/account/verify', async (request, reply) => {
    const token = linkTokenOf(request);
    if (token === undefined) return sendInvalidLink(reply, invalidLink().message);
    const csrfToken = formTokenOf(request, reply);
    return sendHtml(reply, pages.verifyPage({ csrfToken, ...(await page(request, token)) }));
  });
  app.post('/account/verify', async (request, reply) => {
    const token = fieldOf(request, 'token');
    try {
      const input = { token, password: fieldOf(request, 'password') };
      const origin = requestOriginOf(request);
      const session = await confirmSignUp(users, input, origin, request.user);
      if (session !== undefined) setSession(request, reply, session);
    } catch (error) {
      const state = { csrfToken: formTokenOf(request, reply), ...(await page(request, token)) };
      return refuse(reply, error, (fault) => pages.verifyPage({ ...state, fault }));
    }
    return reply.redirect(`${KEYS_PATH}?done=confirmed`, 303);
  });
}

/** Sends the e-mail after the answer, so that the response time reveals nothing. */
function sendLink(
  { emailQueue, publicUrl }: AccountParts,
  request: FastifyRequest,
  wanted: SignUpEmail | undefined,
): void {
  emailQueue.send(async () => {
    if (wanted === undefined) return undefined;
    if (wanted.kind === 'known') {
      return emails.existingAccountEmail(wanted.email, publicUrl() + SIGN_IN_PATH);
    }
    const link = `${publicUrl()}/account/verify?token=${wanted.token}`;
    return emails.signUpEmail(wanted.email, link);
  }, request.id);
}
