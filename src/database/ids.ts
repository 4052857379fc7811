import { randomBytes } from 'node:crypto';

const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_CHARS = 20;

/** A new random id of 100 bits, such as `acc_…`. */
export function newId(prefix: string): string {
  let id = `${prefix}_`;
  for (const byte of randomBytes(ID_CHARS)) id += ID_ALPHABET.charAt(byte & 31);
  return id;
}
