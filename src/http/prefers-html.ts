import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** JSON comes first: a client that takes anything, or says nothing, gets it. */
const OFFERED = ['application/json', 'text/html'];

/**
 * Whether a client prefers a page to JSON, by its `Accept` header (RFC 9110, 12.5.1). Browsers do.
 * Programs that accept anything, or send no such header, get JSON. The answer must say in `Vary` that it
 * depends on the header.
 */
export function prefersHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return new Negotiator({ headers }).mediaTypes(OFFERED)[0] === 'text/html';
}
