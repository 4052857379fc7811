import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** A new token for a cookie or a link: 256 random bits as 43 base64url characters. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text has the format of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** SHA-256 of a token in lower-case hex. Tokens are stored only in this form. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * The CSRF token of forms, derived from the token in the cookie. Pages contain it. The token in the
 * cookie cannot be computed from it.
 */
export function csrfTokenOf(token: string): string {
  return hash('sha256', `csrf:${token}`, 'base64url');
}

/** Compares two texts in constant time. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer')];
  return timingSafeEqual(left, right);
}
