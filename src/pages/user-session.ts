import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { csrfTokenOf, isToken, newToken, sameText } from '../accounts/secret-token.js';
import { findSignedInUser, SESSION_MAX_MS, type SignedInUser } from '../accounts/sessions.js';
import type { UserParts } from '../accounts/users.js';
import { isCrossSite, SESSION_COOKIE } from '../site/headers.js';
import { sendMessage } from '../site/responses.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; null when nobody is signed in. Set on pages within `userScope`. */
    user: SignedInUser | null;
    /** Whether the browser uses https, as far as the service can know. */
    overHttps: boolean;
  }
}

/** Cookie for the forms of the sign-in pages. Their CSRF tokens belong to it. */
const FORM_COOKIE = 'vitruvia_form';
/** Name of the hidden form field with the CSRF token. */
export const CSRF_FIELD = 'csrf';
/** Path of the sign-in page. */
export const SIGN_IN_PATH = '/account/sign-in';

/** Dependencies of pages with sessions. */
export interface SessionParts {
  readonly users: UserParts;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
}

/**
 * Prepares a scope for pages that know the signed-in user. On all routes that are added afterwards, caches
 * store nothing, the session is looked up, and forms are parsed. A request that may change something must
 * come from a page of this service, with the CSRF token of that page.
 */
export async function userScope(app: FastifyInstance, parts: SessionParts): Promise<void> {
  const [{ default: cookie }, { default: formBody }] = await Promise.all([
    import('@fastify/cookie'),
    import('@fastify/formbody'),
  ]);
  await app.register(cookie);
  await app.register(formBody);
  app.decorateRequest('user', null);
  app.decorateRequest('overHttps', false);
  app.addHook('onRequest', async (request, reply) => {
    // A proxy may end the https connection. The public URL then says that the browser uses https.
    request.overHttps = request.protocol === 'https' || parts.publicUrl().startsWith('https:');
    reply.header('cache-control', 'no-store');
    if (isChanging(request) && isCrossSite(request, publicOriginOf(parts.publicUrl()))) {
      return refuseForm(reply);
    }
    const token = sessionTokenOf(request);
    if (token === undefined) return;
    request.user = (await findSignedInUser(parts.users.db, token, parts.users.clock())) ?? null;
  });
  app.addHook('preHandler', async (request, reply) => {
    if (isChanging(request) && !carriesToken(request)) return refuseForm(reply);
  });
}

/** Redirects visitors without a session to the sign-in page, on all routes that are added afterwards. */
export function requireUser(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.user !== null) return;
    // After sign-in, the browser opens the page of a file, and not the file. A download would leave the
    // sign-in page open.
    const page =
      request.method === 'GET' ? request.url.replace(/\.csv(?=\?|$)/, '') : pageOfForm(request);
    const back = page === undefined ? '' : `?next=${encodeURIComponent(page)}`;
    return reply.redirect(`${SIGN_IN_PATH}${back}`, 303);
  });
}

/** The page of this service that sent the form, if the browser can open the page again. */
function pageOfForm({ headers, host, server }: FastifyRequest): string | undefined {
  const { referer = '' } = headers;
  if (!URL.canParse(referer)) return undefined;
  const page = new URL(referer);
  const isOurs = page.host === host && server.hasRoute({ method: 'GET', url: page.pathname });
  return isOurs ? `${page.pathname}${page.search}` : undefined;
}

/** The signed-in user, on a route behind `requireUser`. */
export function userOf(request: FastifyRequest): SignedInUser {
  if (request.user === null) throw new Error('a page behind requireUser ran without a user');
  return request.user;
}

/**
 * The CSRF token for the forms of this page. A browser without a session gets a cookie that the token belongs
 * to.
 */
export function formTokenOf(request: FastifyRequest, reply: FastifyReply): string {
  if (request.user !== null) return request.user.csrfToken;
  let token = formCookieOf(request);
  if (token === undefined) {
    token = newToken();
    setCookie(request, reply, FORM_COOKIE, token);
  }
  return csrfTokenOf(token);
}

/** The text of a form field; empty if the field is missing or occurs more than once. */
export function fieldOf(request: FastifyRequest, name: string): string {
  const { body } = request;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return '';
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

/** Token of the browser's session, valid or not. */
export function sessionTokenOf(request: FastifyRequest): string | undefined {
  const token = request.cookies[cookieName(request, SESSION_COOKIE)];
  return token !== undefined && isToken(token) ? token : undefined;
}

/** Sets the session cookie and removes the cookie of the sign-in forms. */
export function setSession(request: FastifyRequest, reply: FastifyReply, token: string): void {
  setCookie(request, reply, SESSION_COOKIE, token, SESSION_MAX_MS / 1000);
  clearCookie(request, reply, FORM_COOKIE);
}

/** Removes the session cookie. */
export function clearSession(request: FastifyRequest, reply: FastifyReply): void {
  clearCookie(request, reply, SESSION_COOKIE);
}

function carriesToken(request: FastifyRequest): boolean {
  const anonymous = formCookieOf(request);
  const wanted = request.user?.csrfToken ?? (anonymous && csrfTokenOf(anonymous));
  return wanted !== undefined && sameText(fieldOf(request, CSRF_FIELD), wanted);
}

function formCookieOf(request: FastifyRequest): string | undefined {
  const token = request.cookies[cookieName(request, FORM_COOKIE)];
  return token !== undefined && isToken(token) ? token : undefined;
}

function isChanging({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

/**
 * Over https, the cookie has the prefix `__Host-`. Browsers accept such a cookie only from this host, and not
 * from a sibling domain or an insecure connection (RFC 6265bis, 4.1.3.2).
 */
function cookieName(request: FastifyRequest, name: string): string {
  return request.overHttps ? `__Host-${name}` : name;
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  maxAge?: number,
): void {
  reply.setCookie(cookieName(request, name), value, {
    ...cookieOptions(request),
    ...(maxAge === undefined ? {} : { maxAge }),
  });
}

function clearCookie(request: FastifyRequest, reply: FastifyReply, name: string): void {
  reply.clearCookie(cookieName(request, name), cookieOptions(request));
}

function cookieOptions(request: FastifyRequest) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: request.overHttps,
  } as const;
}

function publicOriginOf(publicUrl: string): string | undefined {
  return URL.canParse(publicUrl) ? new URL(publicUrl).origin : undefined;
}

function refuseForm(reply: FastifyReply): FastifyReply {
  return sendMessage(reply, 403, {
    title: 'The form was not accepted',
    text: 'The form did not come from this site, or the page was open for too long. Go back, reload the page and send the form again.',
  });
}
