import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** Brotli at this quality takes a few milliseconds for a page. */
const QUALITY = 4;

/**
 * Sends a page that contains nothing secret, compressed if the browser can read that. A page with
 * secrets must not be compressed together with text from its address, because its length would tell
 * about the secrets.
 */
export async function sendCompressedHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  html: string,
  status = 200,
): Promise<FastifyReply> {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  reply.code(status).type('text/html; charset=utf-8').header('vary', 'accept-encoding');
  if (/\bbr\b/.test(accepted)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
    return reply.header('content-encoding', 'br').send(await brotli(html, { params }));
  }
  if (/\bgzip\b/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(await gzipped(html));
  }
  return reply.send(html);
}
