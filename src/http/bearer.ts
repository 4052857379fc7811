import type { KeyIdentity } from '../core/billing-terms.js';

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

/** Headers remembered; when full all are forgotten, which costs a moment and no correctness. */
const REMEMBERED_MAX = 1000;

/**
 * Finds the key in an `Authorization` header, remembering the last few that were well-formed:
 * parsing and hashing cost a tenth of a request. Whether a key is valid is the gate's to say.
 *
 * @param identifyKey what the gate needs of a well-formed key; undefined for what cannot be one
 */
export function keyFinder(
  identifyKey: (key: string) => KeyIdentity | undefined,
): (header: string | undefined) => KeyIdentity | undefined {
  const remembered = new Map<string, KeyIdentity>();
  return (header) => {
    if (header === undefined) return undefined;
    const known = remembered.get(header);
    if (known !== undefined) return known;
    const key = bearerToken(header);
    const identity = key === undefined ? undefined : identifyKey(key);
    if (identity === undefined) return undefined;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(header, identity);
    return identity;
  };
}
