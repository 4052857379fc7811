import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The entity tag of a text. It is weak, because the compressed copy of the text has the same tag. */
export function etagOf(text: string | Buffer): string {
  return `W/"${createHash('sha256').update(text).digest('base64url')}"`;
}

/**
 * Sets the entity tag of an answer.
 *
 * @returns whether the client has this answer, so that 304 without a body is enough (RFC 9110, 13.1.2)
 */
export function isKnown({ headers }: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  const tags = headers['if-none-match']?.split(',').map(bare) ?? [];
  return tags.includes(bare(etag)) || tags.includes('*');
}
