import type { Answer } from './briefs.js';
import { wordsOf } from './facts.js';
import type { Known } from './fill.js';

// Finds in the answer of a tool what the brief asks for: the fields that the brief names, else the
// fields with a value.

/** The answer to a brief in the answer of a tool. */
export function answerIn(answer: unknown, text: string, known: Known): Answer {
  const leaves = leavesOf(answer);
  const words = new Set(wordsOf(text));
  const question = text.split(/[.?]\s/).at(-1) ?? text;
  const asked = new Set(wordsOf(question));
  const pick = (names: (name: string) => boolean) =>
    leaves.filter(({ name, depth }) => names(name) && depth <= 6).map(({ value }) => value);
  if (/yes or no/i.test(text)) {
    const [value] = pick((name) => name === 'value') as number[];
    const [limit] = known.facts.quantities;
    return [(value ?? 0) <= (limit?.value ?? 0) ? 'yes' : 'no'];
  }
  const rangeOf = [
    ['lowerBound', 'upperBound'],
    ['low', 'high'],
    ['min', 'max'],
  ];
  if (words.has('range') || asked.has('interval')) {
    for (const ends of rangeOf) {
      const found = pick((name) => ends.includes(name));
      if (found.length > 0 && !words.has('mean')) return found;
    }
  }
  const named = leaves
    .map(({ name, value }) => ({ name, value, words: wordsOf(name.replace(/([A-Z])/g, ' $1')) }))
    .filter((leaf) => RESULTS.has(leaf.words[0] ?? '') || RESULTS.has(leaf.words.at(-1) ?? ''))
    .filter((leaf) => leaf.words.every((word) => asked.has(word) || !RESULTS.has(word)))
    .sort((one, other) => hits(other.words, asked) - hits(one.words, asked));
  if (named[0] !== undefined) return [named[0].value];
  if (/percentage|which percentile/i.test(text)) {
    const [percentile] = pick((name) => name === 'percentile');
    if (percentile !== undefined) return [percentile];
  }
  const values = pick((name) => name === 'value');
  if (values.length > 0) return values;
  return leaves
    .filter(({ name }) => known.measurements.some((found) => found.name === name))
    .map(({ value }) => value);
}

/** Words of statistics that a designer asks for. */
const RESULTS = new Set(['grade', 'expected', 'mean', 'share']);

/** How many words of a name the question has. */
function hits(words: readonly string[], asked: ReadonlySet<string>): number {
  return words.filter((word) => asked.has(word)).length;
}

interface Leaf {
  readonly name: string;
  readonly value: number | string;
  readonly depth: number;
}

/** Numbers and texts of an answer in their order. */
function leavesOf(value: unknown, name = '', depth = 0): Leaf[] {
  if (typeof value === 'number' || typeof value === 'string') return [{ name, value, depth }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, name, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, key, depth + 1));
}
