import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PeopleParts } from '../accounts/people.js';
import { csrfTokenOf, isToken, newToken, sameText } from '../accounts/secret-token.js';
import { findVisitor, SESSION_MAX_MS, type Visitor } from '../accounts/sessions.js';
import { isCrossSite } from '../http/same-origin.js';
import { sendMessage } from './message-page.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; null for nobody. Set on pages within `visitorScope`. */
    visitor: Visitor | null;
    /** Whether the browser came over https, as far as is known. */
    overHttps: boolean;
  }
}

/** Holds the session. */
const SESSION_COOKIE = 'vitruvia_session';
/** Holds what the forms of somebody not signed in are tied to. */
const FORM_COOKIE = 'vitruvia_form';
/** Name of the hidden field with the form's token. */
export const CSRF_FIELD = 'csrf';
/** Where to sign in. */
export const SIGN_IN_PATH = '/account/sign-in';

/** What pages with visitors need. */
export interface VisitorParts {
  readonly people: PeopleParts;
  /** The service's public address, if it has been told. */
  readonly publicUrl: () => string;
}

/**
 * Prepares a scope for pages that know their visitor. On all routes added after: nothing is kept by
 * caches, the session is looked up, forms are read, and every request that may change something must
 * come from a page of ours and carry its token.
 */
export async function visitorScope(app: FastifyInstance, parts: VisitorParts): Promise<void> {
  const [{ default: cookie }, { default: formBody }] = await Promise.all([
    import('@fastify/cookie'),
    import('@fastify/formbody'),
  ]);
  await app.register(cookie);
  await app.register(formBody);
  app.decorateRequest('visitor', null);
  app.decorateRequest('overHttps', false);
  app.addHook('onRequest', async (request, reply) => {
    // A proxy that is not trusted to say so may stand in between.
    request.overHttps = request.protocol === 'https' || parts.publicUrl().startsWith('https:');
    reply.header('cache-control', 'no-store');
    if (isChanging(request) && isCrossSite(request, originOf(parts.publicUrl()))) {
      return refuseForm(reply);
    }
    const token = sessionTokenOf(request);
    if (token === undefined) return;
    request.visitor = (await findVisitor(parts.people.db, token, parts.people.clock())) ?? null;
  });
  app.addHook('preHandler', async (request, reply) => {
    if (isChanging(request) && !carriesToken(request)) return refuseForm(reply);
  });
}

/** Sends whoever is not signed in to sign in, on all routes of a scope added after. */
export function requirePerson(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.visitor !== null) return;
    const back = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : '';
    return reply.redirect(`${SIGN_IN_PATH}${back}`, 303);
  });
}

/** Who is signed in, on a route behind `requirePerson`. */
export function visitorOf(request: FastifyRequest): Visitor {
  if (request.visitor === null) throw new Error('a page for people ran without one');
  return request.visitor;
}

/**
 * The token a form on this page must carry in its field `csrf`. Somebody not signed in gets a cookie
 * to tie it to.
 */
export function formTokenOf(request: FastifyRequest, reply: FastifyReply): string {
  if (request.visitor !== null) return request.visitor.csrfToken;
  let token = formCookieOf(request);
  if (token === undefined) {
    token = newToken();
    setCookie(request, reply, FORM_COOKIE, token);
  }
  return csrfTokenOf(token);
}

/** The text of a form's field; empty where it is missing or there several times. */
export function fieldOf(request: FastifyRequest, name: string): string {
  const { body } = request;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return '';
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

/** Token of the browser's session, whether it is still good or not. */
export function sessionTokenOf(request: FastifyRequest): string | undefined {
  const token = request.cookies[cookieName(request, SESSION_COOKIE)];
  return token !== undefined && isToken(token) ? token : undefined;
}

/**
 * Whether the browser holds a session, good or not. Enough for public pages to lead to the account
 * instead of the sign-in, and for nothing else.
 */
export function seemsSignedIn({ headers }: FastifyRequest): boolean {
  const names = headers.cookie?.split(';').map((pair) => pair.split('=', 1)[0]?.trim()) ?? [];
  return names.some((name) => name === SESSION_COOKIE || name === `__Host-${SESSION_COOKIE}`);
}

/** Gives the browser its session; what it had as a stranger ends. */
export function giveSession(request: FastifyRequest, reply: FastifyReply, token: string): void {
  setCookie(request, reply, SESSION_COOKIE, token, SESSION_MAX_MS / 1000);
  clearCookie(request, reply, FORM_COOKIE);
}

/** Takes the session from the browser. */
export function dropSession(request: FastifyRequest, reply: FastifyReply): void {
  clearCookie(request, reply, SESSION_COOKIE);
}

function carriesToken(request: FastifyRequest): boolean {
  const anonymous = formCookieOf(request);
  const wanted = request.visitor?.csrfToken ?? (anonymous && csrfTokenOf(anonymous));
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
 * Over https a browser takes a `__Host-` cookie from this very host only, never from a neighbour or
 * from a connection somebody has tampered with (RFC 6265bis, 4.1.3.2).
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

function originOf(publicUrl: string): string | undefined {
  return URL.canParse(publicUrl) ? new URL(publicUrl).origin : undefined;
}

function refuseForm(reply: FastifyReply): FastifyReply {
  return sendMessage(reply, 403, {
    title: 'This form cannot be taken',
    text: 'It did not come from a page of ours, or the page was open for too long. Go back, reload the page and send it again.',
  });
}
