import type { FastifyRequest } from 'fastify';

/** The query of a request as its address has it: all that follows the first question mark. */
export function queryOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}
