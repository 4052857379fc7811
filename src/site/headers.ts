import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Allows scripts and styles of this origin only. Inline scripts and styles are forbidden. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every page. */
export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Cookie of the session. */
export const SESSION_COOKIE = 'vitruvia_session';

/**
 * Whether the browser sends a session cookie, valid or not. Public pages only need this to link either to the
 * account or to the sign-in page.
 */
export function seemsSignedIn({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const names = headers.cookie?.split(';').map((pair) => pair.split('=', 1)[0]?.trim()) ?? [];
  return names.some((name) => name === SESSION_COOKIE || name === `__Host-${SESSION_COOKIE}`);
}

/**
 * Whether a browser may have sent a request from a page of another site. New browsers say so in
 * `Sec-Fetch-Site` (Fetch Metadata), older ones only in `Origin`. Other programs send neither header, and no
 * cookies of a user. The checks have the order of Go's `http.CrossOriginProtection`.
 *
 * @param ownOrigin the public origin of the service; a proxy may hide it from the service
 */
export function isCrossSite(request: FastifyRequest, ownOrigin?: string): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined || origin === ownOrigin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.host.toLowerCase();
}

/** Adds the headers of pages and the id of the request to the answers of all routes that are added later. */
export function addPageHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(PAGE_HEADERS).header('x-request-id', request.id);
    done();
  });
}
