import type { FastifyRequest } from 'fastify';

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
