import { createHash } from 'node:crypto';
import { atOnce, type Pieces } from './pieces.js';

const FINGERPRINTS = new WeakMap<object, string>();

/**
 * SHA-256 of a validated input; it does not depend on the order of the fields, at any depth. It is
 * computed once for each input, because that of a large batch takes milliseconds.
 */
export function fingerprint(input: object): string {
  return FINGERPRINTS.get(input) ?? atOnce(fingerprintInPieces(input));
}

/** The same in pieces: one for each item of its lists. */
export function* fingerprintInPieces(input: object): Pieces<string> {
  const hash = createHash('sha256');
  let between = '[';
  for (const [name, value] of sortedEntries(input)) {
    hash.update(`${between}[${JSON.stringify(name)},`);
    between = ',';
    if (Array.isArray(value)) {
      hash.update('[');
      for (const [index, item] of value.entries()) {
        hash.update(`${index === 0 ? '' : ','}${JSON.stringify(canonical(item))}`);
        yield;
      }
      hash.update(']');
    } else hash.update(JSON.stringify(canonical(value)));
    hash.update(']');
  }
  const found = hash.update(between === '[' ? '[]' : ']').digest('hex');
  FINGERPRINTS.set(input, found);
  return found;
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  return Object.fromEntries(sortedEntries(value).map(([name, inner]) => [name, canonical(inner)]));
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}
