import { wordsOf } from './facts.js';
import type { Server } from './solver.js';

// Finds the names of measurements and countries in a brief by asking the search of the service.

/** A name, and where the words that stand for it begin. */
export interface Found {
  readonly name: string;
  readonly at: number;
  readonly words: number;
}

interface CatalogAnswer {
  readonly measurements?: readonly { name: string; definition: string }[];
  readonly bodyQuantities?: readonly { name: string }[];
  readonly countries?: readonly { code: string; name: string }[];
  readonly countrySets?: Readonly<Record<string, readonly string[]>>;
}

/** Words that name nothing by themselves. */
const PLAIN = new Set(
  'a an the of at and or in on to with is are has have be been by for from it its what which who how does do must their them most give each all both any that so whose than can as when whether'.split(
    ' ',
  ),
);
/** Words of questions and of statistics. */
const COMMON = new Set(
  'share range percentile percentiles median mean people person users least max sides limited fit fits serve serves served wearing clothing given predict compare draw send requests once end ends far low high aged years yes no expected case every test tested sheet data population interval covers central together side wide sizes trusted complete grade shorter percentage one two cab helmet door bed chair winter shoes'.split(
    ' ',
  ),
);
const LONGEST_PHRASE = 4;
/** A phrase that fits less than this share of the best one is no measurement. */
const LEAST_FIT = 0.35;

/** The measurements that a text names, in its order. */
export async function measurementsIn(server: Server, text: string): Promise<Found[]> {
  const candidates: (Found & { readonly fit: number })[] = [];
  for (const { phrase, at, words } of phrasesOf(text)) {
    const answer = (await server.call(server.catalogTool, { text: phrase })) as CatalogAnswer;
    const [quantity] = answer.bodyQuantities ?? [];
    const [first] = answer.measurements ?? [];
    if (quantity !== undefined) {
      const exact = words === phrase.split(' ').length && (answer.bodyQuantities?.length ?? 0);
      const last = answer.bodyQuantities?.at(-1)?.name ?? quantity.name;
      candidates.push({ name: last, at, words, fit: words + Number(exact) });
    } else if (first !== undefined) {
      const known = new Set(wordsOf(first.name.replace(/([A-Z])/g, ' $1')));
      const defined = new Set(wordsOf(first.definition));
      const said = phrase.split(' ').filter((word) => !PLAIN.has(word));
      const inName = said.filter((word) => known.has(word)).length;
      const inText = said.filter((word) => defined.has(word) && !known.has(word)).length;
      const others = said.length - inName - inText;
      const common = said.filter((word) => COMMON.has(word)).length;
      const few = (answer.measurements?.length ?? 0) <= 10;
      const fit =
        2 * inName +
        0.7 * inText +
        (others === 0 ? 0 : (few ? 0.9 : 0.6) + 0.1 * others) -
        0.8 * common;
      candidates.push({ name: first.name, at, words, fit });
    }
  }
  return withoutOverlaps(candidates);
}

function withoutOverlaps(candidates: readonly (Found & { readonly fit: number })[]): Found[] {
  const best = Math.max(...candidates.map(({ fit }) => fit));
  const ranked = candidates
    .filter(({ fit }) => fit > Math.max(0.5, LEAST_FIT * best))
    .sort((one, other) => other.fit - one.fit || one.words - other.words);
  const chosen: (Found & { readonly fit: number })[] = [];
  for (const one of ranked) {
    const overlaps = chosen.some(({ at, words }) => one.at < at + words && at < one.at + one.words);
    if (!overlaps && !chosen.some(({ name }) => name === one.name)) chosen.push(one);
  }
  return chosen;
}

/** Runs of words that stand together. */
function phrasesOf(text: string) {
  const words = text.toLowerCase().match(/[a-zà-ü]+|[|.,;:?]/g) ?? [];
  const found: { phrase: string; at: number; words: number }[] = [];
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= LONGEST_PHRASE; length++) {
      const run = words.slice(at, at + length);
      const [first = '', last = ''] = [run[0], run.at(-1)];
      if (run.length < length || run.some((word) => !/[a-zà-ü]/.test(word))) break;
      if (run.slice(1).some((word) => PLAIN.has(word))) break;
      if (PLAIN.has(last) || (PLAIN.has(first) && first !== 'how')) continue;
      if (length === 1 && COMMON.has(first)) continue;
      found.push({ phrase: run.join(' '), at, words: length });
    }
  }
  return found;
}

/** Countries and sets of countries that a text names. */
export async function countriesIn(server: Server, text: string) {
  const codes: string[] = [];
  const places: string[] = [];
  const seen: string[] = [];
  const runs = text.match(/\b[A-Z][A-Za-z]+(?: [A-Z][a-z]+)*/g) ?? [];
  for (const run of runs) {
    if (seen.includes(run)) continue;
    seen.push(run);
    const answer = (await server.call(server.catalogTool, { country: run })) as CatalogAnswer;
    const [country, ...others] = answer.countries ?? [];
    const [set] = Object.keys(answer.countrySets ?? {});
    if (country !== undefined && (others.length === 0 || country.name === run)) {
      codes.push(country.code);
      places.push(country.code);
    } else if (set !== undefined && run.length > 3) places.push(set);
  }
  return { codes, places };
}
