import type { FastifyRequest } from 'fastify';

/** Scripts and styles come from this origin only, and none are inline. */
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
 * Whether the browser sends a session cookie, valid or not. Public pages use it only to choose
 * between a link to the account and a link to the sign-in page.
 */
export function seemsSignedIn({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const names = headers.cookie?.split(';').map((pair) => pair.split('=', 1)[0]?.trim()) ?? [];
  return names.some((name) => name === SESSION_COOKIE || name === `__Host-${SESSION_COOKIE}`);
}

/**
 * Whether a browser may have sent a request from a page of another site. Browsers give the origin of
 * a request in `Sec-Fetch-Site` (Fetch Metadata), older ones only in `Origin`. Other programs send
 * neither, and they send no cookies of a user by themselves. The order of the checks is that of Go's
 * `http.CrossOriginProtection`.
 *
 * @param ownOrigin the service's public origin, which a proxy may hide from it
 */
export function isCrossSite(request: FastifyRequest, ownOrigin?: string): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined || origin === ownOrigin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.host.toLowerCase();
}
