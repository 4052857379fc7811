import type { FastifyRequest } from 'fastify';

/**
 * Whether a browser may have sent a changing request from somebody else's page. Browsers say where
 * a request comes from in `Sec-Fetch-Site` (Fetch Metadata), older ones in `Origin` only; programs
 * that are no browser say nothing, and carry nobody's cookies unasked. The order of the checks is
 * that of Go's `http.CrossOriginProtection`.
 *
 * @param ownOrigin the service's public origin, which a proxy may hide from it
 */
export function isCrossSite(request: FastifyRequest, ownOrigin?: string): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined || origin === ownOrigin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.host.toLowerCase();
}
