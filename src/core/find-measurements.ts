import { COUNTRIES, type Country } from './countries.js';
import { MEASUREMENTS, type Measurement } from './measurements.js';

/** Words that are too common to distinguish dimensions. */
const COMMON_WORDS = new Set([
  'of',
  'the',
  'a',
  'an',
  'to',
  'and',
  'in',
  'from',
  'for',
  'at',
  'on',
]);

/** A dimension with the words of its name and of its definition. */
interface Indexed {
  readonly measurement: Measurement;
  readonly nameWords: readonly string[];
  readonly allWords: readonly string[];
}

const INDEX: readonly Indexed[] = MEASUREMENTS.map((measurement) => {
  const nameWords = wordsOf(measurement.name);
  const allWords = [...nameWords, ...wordsOf(measurement.definition), measurement.kind];
  return { measurement, nameWords, allWords };
});

/** Words in lower case without plural ending; camel case counts as several words. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !COMMON_WORDS.has(word))
    .map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}

/**
 * Dimensions whose name or definition contains the words of a text. Matches in names come first. If
 * no dimension contains all words, those that contain the most are returned.
 */
export function findMeasurements(text: string): Measurement[] {
  const wanted = wordsOf(text);
  const holds = (words: readonly string[]) =>
    wanted.filter((word) => words.some((known) => known.startsWith(word))).length;
  const scored = INDEX.map(({ measurement, nameWords, allWords }) => ({
    measurement,
    found: holds(allWords),
    inName: holds(nameWords),
  }));
  const most = Math.max(...scored.map(({ found }) => found));
  if (most === 0) return [];
  return scored
    .filter(({ found }) => found === most)
    .sort((one, other) => other.inName - one.inName)
    .map(({ measurement }) => measurement);
}

/** Countries with this code, ISO alpha-3 code or part of the English name. */
export function findCountries(text: string): Country[] {
  const wanted = text.trim().toLowerCase();
  const exact = COUNTRIES.filter(
    ({ code, iso3 }) => code.toLowerCase() === wanted || iso3.toLowerCase() === wanted,
  );
  if (exact.length > 0) return exact;
  return COUNTRIES.filter(({ name }) => name.toLowerCase().includes(wanted));
}
