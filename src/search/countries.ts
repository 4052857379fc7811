import { COUNTRIES, type Country, type CountryCode } from '../core/countries.js';
import { SET_NAMES } from '../core/country-sets.js';
import { OTHER_COUNTRY_NAMES, OTHER_SET_NAMES } from './country-names.js';
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

const BY_NAME = wholeNames(NAMED_COUNTRIES);
const SET_BY_NAME = wholeNames(NAMED_SETS);

function namesOf(name: string, others = ''): string[] {
  return [name, ...others.split(', ')].map(letters).filter((one) => one !== '');
}

/** Letters and digits of a name. A space separates words, and "U.S.A." becomes `usa`. */
function letters(name: string): string {
  // The name is in lower case here, because the capitals of "Lao PDR" or "BiH" do not begin words.
  return plainText(name.toLowerCase())
    .replaceAll('.', '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .replace(/^the /, '')
    .trim();
}

function wholeNames<Thing>(all: readonly Named<Thing>[]): ReadonlyMap<string, Thing> {
  return new Map(all.flatMap(({ thing, names }) => names.map((name) => [name, thing] as const)));
}

/** Shorter texts are searched only at the beginnings of words. */
const SHORTEST_CONTAINED_CHARS = 3;

/**
 * Finds countries by a text. A code (also ISO 3166-1 alpha-3) gives one country. Otherwise the country with this name
 * comes first, followed by others with this text as a word. Otherwise a word of the name must begin with the text, or
 * the name must contain the text.
 */
export function findCountries(text: string): Country[] {
  const wanted = letters(text);
  const coded = BY_CODE.get(wanted);
  return coded === undefined ? find(wanted, NAMED_COUNTRIES, BY_NAME) : [coded];
}

/** Names of the sets of countries that a text names, or whose names contain the text, as for countries. */
export function findCountrySets(text: string): string[] {
  return find(letters(text), NAMED_SETS, SET_BY_NAME);
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
