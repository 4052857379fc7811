import type { FastifyRequest } from 'fastify';

/** The query of a request, exactly as in its address: everything after the first question mark. */
export function queryOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}
