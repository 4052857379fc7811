/**
 * The credentials of an `Authorization: Bearer …` header (RFC 6750, 2.1), or undefined when the
 * header is missing or of another kind. The scheme's case does not matter (RFC 9110, 11.1).
 */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  return BEARER.exec(header)?.[1];
}

const BEARER = /^bearer +([\w.~+/-]+=*) *$/i;
/** Far longer than any key; keeps the expression away from what cannot be one. */
const LONGEST_HEADER = 512;
