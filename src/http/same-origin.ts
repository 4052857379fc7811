import type { FastifyRequest } from 'fastify';

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
