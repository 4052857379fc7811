import { COUNTRIES, type Country, type CountryCode } from '../core/countries.js';
import { SET_NAMES } from '../core/country-sets.js';
import { editDistance } from '../core/edit-distance.js';
import { OTHER_COUNTRY_NAMES, OTHER_SET_NAMES, REGIONS } from './country-names.js';
import { plainText } from './terms.js';

/** A thing with the names by which it can be found. */
interface Named<Thing> {
  readonly thing: Thing;
  readonly names: readonly string[];
}

const NAMED_COUNTRIES: readonly Named<Country>[] = COUNTRIES.map((country) => ({
  thing: country,
  names: namesOf(country.name, OTHER_COUNTRY_NAMES[country.code]),
}));

const NAMED_SETS: readonly Named<string>[] = SET_NAMES.map((name) => ({
  thing: name,
  names: namesOf(name, OTHER_SET_NAMES[name]),
}));

const BY_CODE: ReadonlyMap<string, Country> = new Map(
  COUNTRIES.flatMap((country) => [
    [country.code.toLowerCase(), country],
    [country.iso3.toLowerCase(), country],
  ]),
);

const BY_REGION: ReadonlyMap<string, readonly CountryCode[]> = new Map(
  Object.entries(REGIONS).map(([name, codes]) => [letters(name), codes]),
);

const BY_NAME = wholeNames(NAMED_COUNTRIES);
const SET_BY_NAME = wholeNames(NAMED_SETS);

function namesOf(name: string, others = ''): string[] {
  return [name, ...others.split(', ')].map(letters).filter((one) => one !== '');
}

/** Letters and digits of a name. A space separates words, and "U.S.A." becomes `usa`. */
function letters(name: string): string {
  // The name is in lower case here, because the capitals of "Lao PDR" or "BiH" do not begin words.
  return (
    plainText(name.toLowerCase())
      .replaceAll('.', '')
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      // Without its apostrophe, the article of Ivory Coast’s French name is a word.
      .replace(/(?<=\p{L} )d (?=\p{L})/gu, '')
      .replace(/^the /, '')
      .trim()
  );
}

function wholeNames<Thing>(all: readonly Named<Thing>[]): ReadonlyMap<string, Thing> {
  return new Map(all.flatMap(({ thing, names }) => names.map((name) => [name, thing] as const)));
}

/** Shorter texts are searched only at the beginnings of words. */
const SHORTEST_CONTAINED_CHARS = 3;

/** Shorter texts and words are not compared with similar names, because too many names are near them. */
const SHORTEST_MISSPELT_CHARS = 5;
/** Letters for each mistake that a name may have. */
const CHARS_FOR_A_MISTAKE = 4;

/**
 * Finds countries by a text. A code (also ISO 3166-1 alpha-3) gives one country, and a region such as Scandinavia its
 * countries. Otherwise the country with this name comes first, followed by others with this text as a word. Otherwise a
 * word of the name must begin with the text, or the name must contain the text. If there is none, the most similar
 * names count, and then the words of the text that are a name or, in capitals, a code, such as in "NL shoes".
 */
export function findCountries(text: string): Country[] {
  const wanted = letters(text);
  const coded = BY_CODE.get(wanted);
  if (coded !== undefined) return [coded];
  const region = countriesOfRegion(text);
  if (region !== undefined) return COUNTRIES.filter(({ code }) => region.includes(code));
  const found = find(wanted, NAMED_COUNTRIES, BY_NAME);
  if (found.length > 0) return found;
  const alike = similar(wanted, NAMED_COUNTRIES);
  return alike.length > 0 ? alike : amongWords(text);
}

/** The countries of a region that a text names, such as Scandinavia. */
export function countriesOfRegion(text: string): readonly CountryCode[] | undefined {
  return BY_REGION.get(letters(text));
}

/** Names of the sets of countries that a text names, or whose names contain the text, as for countries. */
export function findCountrySets(text: string): string[] {
  const wanted = letters(text);
  const found = find(wanted, NAMED_SETS, SET_BY_NAME);
  // A misspelt country is no set.
  if (found.length > 0 || findCountries(text).length > 0) return found;
  return similar(wanted, NAMED_SETS);
}

/** The things whose names have the fewest mistakes, if a text is as long as a name. */
function similar<Thing>(wanted: string, all: readonly Named<Thing>[]): Thing[] {
  if (wanted.length < SHORTEST_MISSPELT_CHARS) return [];
  let least = Math.floor(wanted.length / CHARS_FOR_A_MISTAKE) + 1;
  let nearest: Thing[] = [];
  for (const { thing, names } of all) {
    const away = Math.min(...names.map((name) => editDistance(wanted, name, least + 1)));
    if (away > least || (away === least && nearest.length === 0)) continue;
    nearest = away < least ? [thing] : [...nearest, thing];
    least = away;
  }
  return nearest;
}

/** Countries that single words of a text name. In small letters, codes are words of other languages ("is", "in"). */
function amongWords(text: string): Country[] {
  const words = text.split(/[^\p{L}\p{M}\p{N}.]+/u).filter((word) => word !== '');
  if (words.length < 2) return [];
  const found = words.flatMap((word) => {
    const wanted = letters(word);
    const isCode = word === word.toUpperCase();
    return (isCode ? BY_CODE.get(wanted) : undefined) ?? longName(wanted) ?? [];
  });
  return [...new Set(found)];
}

function longName(wanted: string): Country | undefined {
  return wanted.length < SHORTEST_MISSPELT_CHARS ? undefined : BY_NAME.get(wanted);
}

function find<Thing>(
  wanted: string,
  all: readonly Named<Thing>[],
  byName: ReadonlyMap<string, Thing>,
): Thing[] {
  if (wanted === '') return [];
  const having = (fits: (name: string) => boolean): Thing[] =>
    all.filter(({ names }) => names.some(fits)).map(({ thing }) => thing);
  const named = byName.get(wanted);
  if (named !== undefined) {
    const withWord = having((name) => ` ${name} `.includes(` ${wanted} `));
    return [named, ...withWord.filter((thing) => thing !== named)];
  }
  const beginning = having((name) => ` ${name}`.includes(` ${wanted}`));
  if (beginning.length > 0 || wanted.length < SHORTEST_CONTAINED_CHARS) return beginning;
  return having((name) => name.includes(wanted));
}

/** The code of the country that the whole text names, by a code or by any of its names. */
export function countryNamed(text: string): CountryCode | undefined {
  const wanted = letters(text);
  return (BY_CODE.get(wanted) ?? BY_NAME.get(wanted))?.code;
}

/** The set of countries that a text names, whole. */
export function countrySetNamed(text: string): string | undefined {
  return SET_BY_NAME.get(letters(text));
}
