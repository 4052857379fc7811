/**
 * A typed text with the numbers in it in the form of code: a point before the decimals, no other
 * separators. A comma before exactly three digits separates thousands (`1,900` is 1900), every other
 * single comma is a decimal comma (`8,5` is 8.5).
 */
export function withPoint(text: string): string {
  const closed = text.replace(/(?<=\d)[\u00a0\u202f ](?=\d{3}(?!\d))/g, '');
  return closed.replace(/\d[\d.,]*/g, (number) => {
    const lastComma = number.lastIndexOf(',');
    const lastPoint = number.lastIndexOf('.');
    if (lastComma < 0) return number;
    if (lastPoint > lastComma) return number.replaceAll(',', '');
    if (lastPoint >= 0) return number.replaceAll('.', '').replace(',', '.');
    const isGrouped = /^[1-9]\d{0,2}(,\d{3})+$/.test(number);
    return isGrouped ? number.replaceAll(',', '') : number.replace(',', '.');
  });
}

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
