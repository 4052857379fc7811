import type { CountryCode } from '../core/countries.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { CLOTHING_IDS, type ClothingId } from '../core/profiles.js';
import {
  countriesOfRegion,
  countryNamed,
  countrySetNamed,
  findCountries,
  findCountrySets,
} from './countries.js';
import { valueNamed } from './values.js';

/** A population that a text describes. */
export interface WordedPopulation {
  /** Both genders if undefined. */
  readonly gender: Gender | undefined;
  /** Codes of countries and names of sets; undefined if the text names none. */
  readonly countries: readonly string[] | undefined;
  /** Completed ages; undefined where the text names none. */
  readonly ages: readonly [youngest: number, oldest: number] | undefined;
  /** Undefined where the text names none. */
  readonly clothing: ClothingId | undefined;
}

// cspell:ignore jahre monate mois mesi meses
const ADULT_YEARS = 18;
/** Longest text that is read. The names of all countries are shorter. */
const CHARS_MAX = 4000;
const { maximum: OLDEST } = AGE_LIMITS;

const AGE_WORDS =
  /-? ?\b(year|yr)s?[\s-]*olds?\b|\b(aged?|ages|years?|yrs?|jahre|ans|old)\b|歳|岁|세/giu;
const BETWEEN = /(\d{1,3})\s*(?:-|–|—|~|to|bis|until)\s*(\d{1,3})/iu;
const FROM =
  /(?:\b(?:over|from|at least|older than|ab)\s+|[>≥]\s*)(\d{1,3})\b|(\d{1,3})\s*(?:\+|and (?:over|older|above)|or (?:over|older)|plus\b)/iu;
const EXACT = /\b(\d{1,3})\b/u;
const MONTHS = /\d\s*-?\s*(?:months?|weeks?|monate|mois|mesi|meses)\b/iu;
const ADULTS = /\badults?\b/iu;

const PEOPLE_WORDS =
  /\b(people|persons?|everyone|everybody|adults?|children|child|kids?|population|both|users?|workers?|employees|students?)\b/giu;
/** Small words around names; in capitals, IN is India. */
const LINKING: ReadonlySet<string> = new Set(['in', 'of', 'from', 'the', 'and']);

/**
 * Reads a population such as `women DE, JP 18–65`, `IT 75+`, `Dutch men 30 to 40` or `NL winter clothing`.
 *
 * @returns the population, or a sentence about what the text lacks
 */
export function populationInWords(text: string): WordedPopulation | { readonly fault: string } {
  if (text.length > CHARS_MAX) {
    return { fault: `Write at most ${CHARS_MAX} characters; the text has ${text.length}.` };
  }
  let rest = ` ${text.normalize('NFC').replace(/\s+/g, ' ')} `;
  if (MONTHS.test(rest)) {
    return {
      fault:
        'A population has completed years of age. For months, ask about one person with an exact age such as 0.25.',
    };
  }
  const take = (words: RegExp): RegExpExecArray | null => {
    const found = words.exec(rest);
    if (found !== null) {
      rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`;
    }
    return found;
  };
  const isAdult = ADULTS.test(rest);
  rest = rest.replace(AGE_WORDS, ' ');
  const ages = agesIn(take, isAdult);
  const genders = new Set<Gender>();
  const words = rest
    .replace(/[\p{L}\p{M}]+/gu, (word) => {
      const gender = GENDERS.find((one) => one === valueNamed(word, GENDERS));
      if (gender !== undefined) genders.add(gender);
      return gender === undefined ? word : ' ';
    })
    .replace(PEOPLE_WORDS, ' ')
    .trim()
    .split(/\s+/);
  const isTelling = (word: string) => !LINKING.has(word);
  rest = words
    .slice(Math.max(0, words.findIndex(isTelling)), words.findLastIndex(isTelling) + 1)
    .join(' ')
    .replace(/^[\s,;]+|(?<![\s,;])[\s,;]+$/g, '');
  const found = rest === '' ? { places: [], clothing: undefined } : dressedIn(rest);
  if (found === undefined) {
    const [meant, ...others] = [
      ...findCountries(rest).map(({ name }) => name),
      ...findCountrySets(rest),
    ];
    const hint = meant === undefined || others.length > 0 ? '' : ` Did you mean ${meant}?`;
    return {
      fault: `“${rest}” is no country or set of countries here. Separate several by commas.${hint}`,
    };
  }
  const { places, clothing } = found;
  const [only] = genders;
  return {
    gender: genders.size === 1 ? only : undefined,
    countries: places.length === 0 ? undefined : [...new Set(places)],
    ages,
    clothing,
  };
}

/** Most words for the clothing of people. */
const DRESS_WORDS_MAX = 5;

/** Places, or places with the clothing of their people before or after them. */
function dressedIn(text: string) {
  const places = placesIn(text);
  if (places !== undefined) return { places, clothing: undefined };
  const words = text.split(/[\s,;]+/u);
  const dressWords = Math.min(words.length, DRESS_WORDS_MAX);
  for (const at of [...Array(dressWords + 1).keys()].flatMap((n) => [n, words.length - n])) {
    const parts = [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const;
    for (const [dress, place] of [parts, parts.toReversed()] as const) {
      const clothing = CLOTHING_IDS.find((id) => id === valueNamed(dress, CLOTHING_IDS));
      const found = place === '' ? [] : placesIn(place);
      if (clothing !== undefined && found !== undefined) return { places: found, clothing };
    }
  }
  return undefined;
}

function agesIn(
  take: (words: RegExp) => RegExpExecArray | null,
  isAdult: boolean,
): WordedPopulation['ages'] {
  const between = take(BETWEEN);
  if (between !== null) return [Number(between[1]), Number(between[2])];
  const from = take(FROM);
  if (from !== null) return [Number(from[1] ?? from[2]), OLDEST];
  const exact = take(EXACT);
  if (exact !== null) return [Number(exact[1]), Number(exact[1])];
  return isAdult ? [ADULT_YEARS, OLDEST] : undefined;
}

/** Ways to split a list of places, the safest first. A later separator may be a part of a name. */
const PARTINGS = [/[,;/&+、，]/u, /\sand\s/iu, /\s+/u];

function placesIn(text: string): readonly string[] | undefined {
  const whole = placeNamed(text) ?? countriesOfRegion(text);
  if (whole !== undefined) return typeof whole === 'string' ? [whole] : whole;
  for (const parting of PARTINGS) {
    const parts = text.split(parting).map((part) => part.trim());
    const named = parts.filter((part) => part !== '');
    if (named.length < 2) continue;
    const places: string[] = [];
    const areAllPlaces = named.every((part) => {
      const found = placesIn(part);
      places.push(...(found ?? []));
      return found !== undefined;
    });
    if (areAllPlaces) return places;
  }
  return undefined;
}

function placeNamed(text: string): CountryCode | string | undefined {
  return countryNamed(text) ?? countrySetNamed(text);
}
