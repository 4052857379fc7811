import type { FastifyReply, FastifyRequest } from 'fastify';
import { BUSY_RETRY_SECONDS, ERRORS, Problem } from '../core/errors.js';
import { leftSignal } from '../request/http.js';
import { prefersHtml } from '../request/problems.js';
import { PAGE_HEADERS, SESSION_COOKIE, seemsSignedIn } from '../site/headers.js';
import { sendMessage } from '../site/responses.js';
import type { PageServer } from './page-app.js';

/** Headers that pages depend on, besides the cookie. */
const FORWARDED = ['accept', 'accept-encoding', 'if-none-match'] as const;

/** Answers a request with the page app's answer. */
export async function forward(
  pages: PageServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const left = leftSignal(reply);
  const headers: Record<string, string> = {};
  for (const name of FORWARDED) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  // A page shows whether somebody is signed in, but not who. So the page app does not get the session id.
  if (seemsSignedIn(request)) headers.cookie = `${SESSION_COOKIE}=1`;
  const { id, url, ip } = request;
  try {
    const { status, headers: found, body } = await pages.answer({ id, url, ip, headers }, left);
    return await reply.code(status).headers(found).send(body);
  } catch (error) {
    if (left.aborted) return reply.hijack();
    if (!(error instanceof Problem) || !prefersHtml(request)) throw error;
    reply.header('retry-after', String(BUSY_RETRY_SECONDS));
    return sendMessage(reply, error.status, {
      title: 'A short pause, please',
      text: `${error.message} This page comes automatically in ${BUSY_RETRY_SECONDS} seconds.`,
      refreshSeconds: BUSY_RETRY_SECONDS,
    });
  }
}

/** Sends a problem as a page. */
export function refuseAsPage(reply: FastifyReply, problem: Problem): FastifyReply {
  const { title } = ERRORS[problem.code];
  const message = { title, text: problem.message } as const;
  return sendMessage(reply.headers(PAGE_HEADERS), problem.status, message);
}
