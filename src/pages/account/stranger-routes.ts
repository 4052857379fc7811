import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidLink } from '../../accounts/email-tokens.js';
import { confirmSignUp, signIn, signUp } from '../../accounts/people.js';
import { admitReset, resetLetter, resetPassword } from '../../accounts/person-changes.js';
import { isToken } from '../../accounts/secret-token.js';
import * as letters from '../../email/letters.js';
import { sendHtml } from '../send-html.js';
import { fieldOf, formTokenOf, giveSession, SIGN_IN_PATH } from '../visitors.js';
import { originOf, refuse, sendInvalidLink } from './answers.js';
import type { AccountParts } from './routes.js';
import * as pages from './stranger-pages.js';

const HOME_PATH = '/account';
const CHECK_MAIL_PATH = '/account/check-mail';
const FORGOT_PATH = '/account/forgot';

/** Registers the pages of people who are not signed in. */
export function strangerRoutes(app: FastifyInstance, parts: AccountParts): void {
  signUpRoutes(app, parts);
  signInRoutes(app, parts);
  resetRoutes(app, parts);
}

function signUpRoutes(app: FastifyInstance, { people, post, publicUrl }: AccountParts): void {
  app.get('/account/sign-up', (request, reply) => {
    if (request.visitor !== null) return reply.redirect(HOME_PATH, 303);
    return sendHtml(reply, pages.signUpPage({ csrfToken: formTokenOf(request, reply) }));
  });
  app.post('/account/sign-up', async (request, reply) => {
    const values = { name: fieldOf(request, 'name'), email: fieldOf(request, 'email') };
    const input = { ...values, password: fieldOf(request, 'password') };
    try {
      const letter = await signUp(people, input, originOf(request));
      post.send(async () => {
        if (letter === undefined) return undefined;
        if (letter.kind === 'known') {
          return letters.knownLetter(letter.email, publicUrl() + SIGN_IN_PATH);
        }
        const link = `${publicUrl()}/account/verify?token=${letter.token}`;
        return letters.confirmLetter(letter.email, link);
      });
    } catch (error) {
      const csrfToken = formTokenOf(request, reply);
      return refuse(reply, error, (fault) => pages.signUpPage({ csrfToken, fault, ...values }));
    }
    return reply.redirect(CHECK_MAIL_PATH, 303);
  });
  app.get(CHECK_MAIL_PATH, (_request, reply) =>
    sendHtml(reply, pages.checkMailPage(post.destination)),
  );
  app.get('/account/verify', (request, reply) => {
    const token = linkTokenOf(request);
    if (token === undefined) return sendInvalidLink(reply, invalidLink().message);
    return sendHtml(reply, pages.verifyPage({ csrfToken: formTokenOf(request, reply), token }));
  });
  app.post('/account/verify', async (request, reply) => {
    const token = fieldOf(request, 'token');
    try {
      const input = { token, password: fieldOf(request, 'password') };
      giveSession(request, reply, await confirmSignUp(people, input, originOf(request)));
    } catch (error) {
      const csrfToken = formTokenOf(request, reply);
      return refuse(reply, error, (fault) => pages.verifyPage({ csrfToken, fault, token }));
    }
    return reply.redirect(HOME_PATH, 303);
  });
}

function signInRoutes(app: FastifyInstance, { people }: AccountParts): void {
  app.get(SIGN_IN_PATH, (request, reply) => {
    if (request.visitor !== null) return reply.redirect(HOME_PATH, 303);
    const { next, done = '' } = queryOf(request);
    const csrfToken = formTokenOf(request, reply);
    return sendHtml(reply, pages.signInPage({ csrfToken, next: ownPath(next), done }));
  });
  app.post(SIGN_IN_PATH, async (request, reply) => {
    const email = fieldOf(request, 'email');
    const next = ownPath(fieldOf(request, 'next'));
    try {
      const input = { email, password: fieldOf(request, 'password') };
      giveSession(request, reply, await signIn(people, input, originOf(request)));
    } catch (error) {
      const csrfToken = formTokenOf(request, reply);
      return refuse(reply, error, (fault) => pages.signInPage({ csrfToken, fault, email, next }));
    }
    return reply.redirect(next ?? HOME_PATH, 303);
  });
}

function resetRoutes(app: FastifyInstance, { people, post, publicUrl }: AccountParts): void {
  app.get(FORGOT_PATH, (request, reply) =>
    sendHtml(reply, pages.forgotPage({ csrfToken: formTokenOf(request, reply) })),
  );
  app.post(FORGOT_PATH, async (request, reply) => {
    const email = fieldOf(request, 'email');
    try {
      const emailKey = await admitReset(people, email, originOf(request));
      post.send(async () => {
        const found = await resetLetter(people, emailKey);
        if (found === undefined) return undefined;
        return letters.resetLetter(
          found.email,
          `${publicUrl()}/account/reset?token=${found.token}`,
        );
      });
    } catch (error) {
      const csrfToken = formTokenOf(request, reply);
      return refuse(reply, error, (fault) => pages.forgotPage({ csrfToken, fault, email }));
    }
    return reply.redirect(CHECK_MAIL_PATH, 303);
  });
  app.get('/account/reset', (request, reply) => {
    const token = linkTokenOf(request);
    if (token === undefined) return sendInvalidLink(reply, invalidLink().message);
    return sendHtml(reply, pages.resetPage({ csrfToken: formTokenOf(request, reply), token }));
  });
  app.post('/account/reset', async (request, reply) => {
    const token = fieldOf(request, 'token');
    try {
      const input = { token, newPassword: fieldOf(request, 'new_password') };
      const { email, sessionToken } = await resetPassword(people, input, originOf(request));
      giveSession(request, reply, sessionToken);
      const forgotLink = publicUrl() + FORGOT_PATH;
      post.send(async () => letters.noticeLetter(email, 'Your password was changed', forgotLink));
    } catch (error) {
      const csrfToken = formTokenOf(request, reply);
      return refuse(reply, error, (fault) => pages.resetPage({ csrfToken, fault, token }));
    }
    return reply.redirect('/account/settings?done=password', 303);
  });
}

function queryOf(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(request.query as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The token in a link's address; undefined when it cannot be one. */
export function linkTokenOf(request: FastifyRequest): string | undefined {
  const { token = '' } = queryOf(request);
  return isToken(token) ? token : undefined;
}

/** A path of ours to go on to after sign-in; never another site. */
function ownPath(text: string | undefined): string | undefined {
  const base = 'http://own.invalid';
  if (text === undefined || !URL.canParse(text, base)) return undefined;
  const { origin, pathname, search } = new URL(text, base);
  const isOwn = origin === base && text.startsWith('/') && pathname.startsWith('/account/');
  return isOwn ? pathname + search : undefined;
}
