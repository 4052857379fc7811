import type { FastifyReply } from 'fastify';

/** Sends a page; a browser asks again each time, for pages change and their scripts do not. */
export function sendHtml(reply: FastifyReply, html: string, status = 200): FastifyReply {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
  return reply.code(status).type('text/html; charset=utf-8').send(html);
}
