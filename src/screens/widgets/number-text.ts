import { AGE_LIMITS } from '../../core/limits.js';
import { withPoint } from '../../core/typed-values.js';

/** The number in a field, or a sentence about what is wrong with the text. */
export type Read = { readonly number: number } | { readonly fault: string };

interface NumberRule {
  /** Name of the number with a capital letter, such as `Age`. */
  readonly what: string;
  readonly min: number;
  readonly max: number;
  /** Words that are allowed before or after the number, such as `P` or `years`. */
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

/** A typed age in years. */
export function readAge(text: string): Read {
  const { minimum: min, maximum: max } = AGE_LIMITS;
  return readNumber(text, { what: 'The age', min, max, words: /y(ea)?rs?$|y(ea)?rs? old$/ });
}
