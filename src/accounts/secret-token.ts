import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** A new token of 256 random bits for a cookie or a link: 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text can be a token at all. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** SHA-256 of a token in lower-case hex: the only form in which one is stored. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * The token that forms carry beside a cookie's token. Whoever can read a page of ours knows it, and
 * nobody can tell the cookie from it.
 */
export function csrfTokenOf(token: string): string {
  return hash('sha256', `csrf:${token}`, 'base64url');
}

/** Compares two texts in a time that tells nothing of where they differ. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer')];
  return timingSafeEqual(left, right);
}
