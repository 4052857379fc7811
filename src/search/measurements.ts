import MiniSearch from 'minisearch';
import {
  MEASUREMENTS,
  type Measurement,
  type MeasurementName,
  measurementIndex,
} from '../core/measurements.js';
import { atOnce, type Pieces } from '../core/pieces.js';
import { QUANTITY_WORDS } from './body-quantities.js';
import { FIELD_WORDS, PARTS } from './body-words.js';
import { DESIGNED_OBJECTS } from './designed-objects.js';
import { MEASUREMENT_WORDS } from './measurement-words.js';
import { termsOf, termsOfWord } from './terms.js';

// The index has one entry for each phrase, not for each measurement. The best phrase of a measurement decides, so that
// a measurement with many names has no disadvantage.

/** Weight of a phrase by its kind. It expresses how surely the phrase means its measurement. */
const WEIGHTS = {
  name: 1.2,
  otherName: 1,
  code: 1,
  foreign: 1,
  thing: 1,
  part: 0.6,
  allWords: 0.3,
};
/** Weight of the first, second and further measurements of a thing or of a part of the body. */
const PLACES = [1.3, 1, 0.85, 0.75, 0.65, 0.55, 0.5, 0.45];
/** Factor for a phrase that has all words of the search and no others. */
const WHOLE_PHRASE = 3;
/** Factor for the exact name, because two names may differ only in the order of their words. */
const EXACT_NAME = 3;
/** Preference for the most used measurements, by the steps of `muchUsed`. */
const PREFERENCES = [0, 0.24, 0.16, 0.08];
/** A result must contain at least this share of the words that the fullest result contains. */
const LEAST_SHARE = 0.75;
/** A result's fit must be at least this share of the first result's fit. */
const LEAST_FIT = 0.05;
/** Weight of a word that is found only among all words of a measurement, relative to a word in a phrase. */
const SHARE_OF_ALL_WORDS = 0.8;
/** If a word is not in the index and has at least this length, it is compared with similar words. */
const SHORTEST_MISSPELT_CHARS = 4;
/** Longer words are neither compared with similar words nor split: no known word is half as long. */
const LONGEST_MISSPELT_CHARS = 60;
/** Words of a text that are searched. */
const TERMS_MAX = 50;
/** Shortest part of a word that is taken apart. */
const SHORTEST_PART_CHARS = 3;
/** Minimum length of the beginning of a word that is searched while a user types. */
const SHORTEST_PREFIX_CHARS = 2;

/** Words about people that no measurement has. They are not treated as misspelt words ("height"). */
const NO_MEASUREMENTS = [...QUANTITY_WORDS, ...FIELD_WORDS, 'volume', 'strength'];

/** A measurement that a phrase means. */
interface Meaning {
  readonly measurement: Measurement;
  /** Weight of the phrase for this measurement, from its certainty and from how much the measurement is used. */
  readonly weight: number;
}

/** Words that belong together, with what they mean. */
interface Phrase {
  readonly id: number;
  /** The terms, with spaces between. */
  readonly text: string;
  readonly termCount: number;
  /** Whether this entry is no phrase, but all English words of a measurement and of its definition. */
  readonly allWords: boolean;
  readonly meanings: Meaning[];
}

const BY_LETTERS: ReadonlyMap<string, Measurement> = new Map(
  MEASUREMENTS.map((measurement) => [lettersOf(measurement.name), measurement]),
);

/** Dependencies of the search. */
interface Index {
  readonly phrases: readonly Phrase[];
  /** The phrases by their terms in alphabetical order. */
  readonly byKey: ReadonlyMap<string, Phrase>;
  readonly engine: MiniSearch<Phrase>;
  readonly words: ReadonlySet<string>;
}

let made: Index | undefined;

/** Makes the index in pieces, because it takes longer than a request. Otherwise the first search makes it. */
export function* prepareSearch(): Pieces<void> {
  const prepared = yield* makeIndex();
  // A search may have come in between.
  made ??= prepared;
}

function index(): Index {
  made ??= atOnce(makeIndex());
  return made;
}

/** Number of phrases that one piece reads or adds. 32 phrases take a fraction of a millisecond. */
const PHRASES_IN_PIECE = 32;

function* makeIndex(): Pieces<Index> {
  const phrases: Phrase[] = [];
  const byKey = new Map<string, Phrase>();
  const phraseOf = (terms: readonly string[], allWords: boolean): Phrase => {
    const key = keyOf(terms);
    const known = allWords ? undefined : byKey.get(key);
    if (known !== undefined) return known;
    const text = terms.join(' ');
    const phrase = { id: phrases.length, text, termCount: terms.length, allWords, meanings: [] };
    phrases.push(phrase);
    if (!allWords) byKey.set(key, phrase);
    return phrase;
  };
  let read = 0;
  for (const { text, allWords = false, meanings } of entries()) {
    phraseOf(termsOf(text), allWords).meanings.push(...meanings);
    if (++read % PHRASES_IN_PIECE === 0) yield;
  }
  const engine = new MiniSearch<Phrase>({
    fields: ['text'],
    tokenize: splitTerms,
    processTerm: (term) => term,
    autoVacuum: false,
  });
  for (const phrase of phrases) {
    engine.add(phrase);
    if (phrase.id % PHRASES_IN_PIECE === 0) yield;
  }
  const others = NO_MEASUREMENTS.flatMap(termsOf);
  const words = new Set([...phrases.flatMap(({ text }) => splitTerms(text)), ...others]);
  return { phrases, byKey, engine, words };
}

/** A phrase as the tables contain it, or all words of a measurement. */
interface Entry {
  readonly text: string;
  readonly allWords?: boolean;
  readonly meanings: readonly Meaning[];
}

/** All phrases of all tables. */
function* entries(): Iterable<Entry> {
  for (const measurement of MEASUREMENTS) {
    const { name, kind, definition } = measurement;
    yield { text: name, meanings: [meaning(measurement, WEIGHTS.name)] };
    const { names, codes, foreign } = MEASUREMENT_WORDS[name] ?? {};
    const text = `${name} ${kind} ${names ?? ''} ${definition}`;
    yield { text, allWords: true, meanings: [meaning(measurement, WEIGHTS.allWords)] };
    for (const [list, weight] of [
      [names, WEIGHTS.otherName],
      [codes, WEIGHTS.code],
      [foreign, WEIGHTS.foreign],
    ] as const) {
      const meanings = [meaning(measurement, weight)];
      for (const phrase of list?.split(', ') ?? []) yield { text: phrase, meanings };
    }
  }
  for (const [rows, weight] of [
    [DESIGNED_OBJECTS, WEIGHTS.thing],
    [PARTS, WEIGHTS.part],
  ] as const) {
    for (const [words, ...names] of rows) {
      const meanings = names.map((name, place) =>
        meaning(byName(name), weight * (PLACES[place] ?? 0)),
      );
      for (const text of words.split(', ')) yield { text, meanings };
    }
  }
}

function meaning(measurement: Measurement, weight: number): Meaning {
  const { muchUsed = 0 } = MEASUREMENT_WORDS[measurement.name] ?? {};
  return { measurement, weight: weight * (1 + (PREFERENCES[muchUsed] ?? 0)) };
}

function byName(name: MeasurementName): Measurement {
  return MEASUREMENTS[measurementIndex(name) as number] as Measurement;
}

/** Letters and digits in lower case, to compare a text with a name in any spelling. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

function splitTerms(joined: string): string[] {
  return joined.split(' ');
}

function keyOf(terms: readonly string[]): string {
  return terms.toSorted().join(' ');
}

/**
 * Measurements that a text means, the most probable first. They are found by their names, everyday and foreign words,
 * codes of standards, or things that they size. Unknown words are compared with similar words. If no phrase has all
 * words, the phrases with the most words count.
 */
export function findMeasurements(text: string): Measurement[] {
  const { best, several = [] } = ranked(text);
  return [...new Set([...several, ...best])];
}

/** The measurements that a text lists without commas, such as "chest waist inseam", or else the most probable one. */
export function measurementsListed(text: string): readonly Measurement[] {
  const { best, several } = ranked(text);
  return several ?? best.slice(0, 1);
}

/** The measurements that a text means, the most probable first, and those that it names one after the other. */
function ranked(text: string): {
  readonly best: readonly Measurement[];
  readonly several: readonly Measurement[] | undefined;
} {
  const { engine, phrases, byKey, words } = index();
  const terms = knownTermsOf(text, words);
  const wanted = byKey.get(keyOf(terms));
  const asked = new Set(terms).size;
  const exact = BY_LETTERS.get(lettersOf(text));
  const hits = engine.search(terms.join(' '), {
    prefix: (term, place) =>
      place === terms.length - 1 && term.length >= SHORTEST_PREFIX_CHARS && !words.has(term),
    fuzzy: (term) => (isMisspelt(term, words) ? 0.25 : false),
    weights: { fuzzy: 0.4, prefix: 0.6 },
    // Long phrases are judged below, by the words that the search does not contain.
    bm25: { k: 1.2, b: 0, d: 0.5 },
  });
  const found = new Map<Measurement, Found>();
  for (const { id, score, terms: matched, queryTerms } of hits) {
    const phrase = phrases[id] as Phrase;
    const share = (queryTerms.length / asked) * (phrase.allWords ? SHARE_OF_ALL_WORDS : 1);
    const whole = phrase === wanted ? WHOLE_PHRASE : 1;
    const told = phrase.allWords ? 1 : matched.length / phrase.termCount;
    for (const { measurement, weight } of phrase.meanings) {
      const named = measurement === exact ? EXACT_NAME : 1;
      const rank = score * weight * share ** 2 * told * whole * named;
      if (rank <= (found.get(measurement)?.rank ?? 0)) continue;
      found.set(measurement, { measurement, share, rank });
    }
  }
  const all = [...found.values()];
  const mostShare = Math.max(...all.map(({ share }) => share));
  const leastRank = Math.max(...all.map(({ rank }) => rank)) * LEAST_FIT;
  const best = all
    .filter(({ share, rank }) => share >= mostShare * LEAST_SHARE && rank >= leastRank)
    .sort((one, other) => other.rank - one.rank)
    .map(({ measurement }) => measurement);
  // No measurement has all words: they may be the names of several, such as "chest waist inseam".
  return { best, several: mostShare < SHARE_OF_ALL_WORDS ? severalOf(terms, byKey) : undefined };
}

/** The measurements of terms that are names one after the other, the longest names first; undefined for other terms. */
function severalOf(
  terms: readonly string[],
  byKey: ReadonlyMap<string, Phrase>,
): readonly Measurement[] | undefined {
  const several: Measurement[] = [];
  let rest = terms;
  while (rest.length > 0) {
    let end = rest.length;
    let named: Measurement | undefined;
    for (; end > 0 && named === undefined; end--) {
      named = bestOf(byKey.get(keyOf(rest.slice(0, end)))?.meanings ?? []);
    }
    if (named === undefined) return undefined;
    several.push(named);
    rest = rest.slice(end + 1);
  }
  return several;
}

/** The measurement that a phrase means most probably. */
function bestOf(
  meanings: readonly Meaning[],
  weightOf: (meaning: Meaning) => number = ({ weight }) => weight,
): Measurement | undefined {
  return meanings.toSorted((one, other) => weightOf(other) - weightOf(one))[0]?.measurement;
}

/** The terms of a text. An unknown word is split into two known words if possible ("watchband"). */
function knownTermsOf(text: string, words: ReadonlySet<string>): string[] {
  return termsOf(text)
    .slice(0, TERMS_MAX)
    .flatMap((term) => (words.has(term) ? [term] : partsOf(term, words)));
}

/** Whether a word may be a known one with mistakes. */
function isMisspelt(term: string, words: ReadonlySet<string>): boolean {
  const isInRange = term.length >= SHORTEST_MISSPELT_CHARS && term.length <= LONGEST_MISSPELT_CHARS;
  return isInRange && !words.has(term);
}

function partsOf(term: string, words: ReadonlySet<string>): string[] {
  if (term.length > LONGEST_MISSPELT_CHARS) return [term];
  for (let end = term.length - SHORTEST_PART_CHARS; end >= SHORTEST_PART_CHARS; end--) {
    const parts = [...termsOfWord(term.slice(0, end)), ...termsOfWord(term.slice(end))];
    if (parts.length > 0 && parts.every((part) => words.has(part))) return parts;
  }
  return [term];
}

/** All measurements that a text names as a complete phrase, or that size the thing it names. */
export function measurementsOfPhrase(text: string): Measurement[] {
  const { byKey, words } = index();
  const { meanings = [] } = byKey.get(keyOf(knownTermsOf(text, words))) ?? {};
  return [...new Set(meanings.map(({ measurement }) => measurement))];
}

/** A measurement with its best phrase: the share of the search that the phrase contains, and how well it fits. */
interface Found {
  readonly measurement: Measurement;
  readonly share: number;
  readonly rank: number;
}

/** The measurement that a text, with its words in any order, names as a complete phrase or by a thing that it sizes. */
export function measurementNamed(text: string): Measurement | undefined {
  const { byKey, words } = index();
  const exact = BY_LETTERS.get(lettersOf(text));
  const { meanings = [] } = byKey.get(keyOf(knownTermsOf(text, words))) ?? {};
  return bestOf(meanings, ({ measurement, weight }) => {
    return weight * (measurement === exact ? EXACT_NAME : 1);
  });
}
