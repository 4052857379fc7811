import type { Gender } from '../core/genders.js';
import type { ClothingId, PostureId } from '../core/profiles.js';
import type { MassUnit, Unit } from '../core/units.js';
import { plainText } from './terms.js';
import lists from './word-lists.json' with { type: 'json' };

/**
 * Words that people use for the values of the short lists. Only hints use them: requests accept exactly the values of
 * the specification.
 */
const OTHER_WORDS: Readonly<Record<Unit | MassUnit | Gender | ClothingId | PostureId, string>> =
  lists.values;

const VALUE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_WORDS).flatMap(([value, words]) => [
    [letters(value), value] as const,
    ...words.split(/,\s+/).map((word) => [letters(word), value] as const),
  ]),
);

function letters(text: string): string {
  return plainText(text)
    .replace(/[\s_-]+/g, ' ')
    .replace(/^(with|wearing) /, '')
    .trim();
}

/** The value of any of the lists that a word means; undefined if the word means none. */
export function anyValueNamed(word: string): string | undefined {
  return VALUE_OF.get(letters(word));
}

/** The value of a list that a word means; undefined if the word means none. */
export function valueNamed(word: string, allowed: readonly string[]): string | undefined {
  const value = anyValueNamed(word);
  return value !== undefined && allowed.includes(value) ? value : undefined;
}
