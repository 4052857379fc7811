import { withPoint } from '../../src/core/typed-values.js';

/** What a field understood: a number, or what is wrong, in a sentence. */
export type Read = { readonly number: number } | { readonly fault: string };

interface NumberRule {
  /** What the number is, with a capital letter: `Age`. */
  readonly what: string;
  readonly min: number;
  readonly max: number;
  /** Words that may stand before or after the number, such as `P` or `years`. */
  readonly words?: RegExp;
}

/** Reads a typed number between two limits. */
export function readNumber(text: string, { what, min, max, words }: NumberRule): Read {
  const plain = withPoint(text.trim().toLowerCase());
  const number = Number(
    (words === undefined ? plain : plain.replace(words, '')).trim() || Number.NaN,
  );
  if (!Number.isFinite(number)) return { fault: `“${text.trim()}” is not a number.` };
  if (number < min || number > max) return { fault: `${what} goes from ${min} to ${max}.` };
  return { number };
}
