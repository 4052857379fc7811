import { COUNTRIES } from '../../core/countries.js';
import { percentileText } from '../../site/labels.js';

const NAMES: ReadonlyMap<string, string> = new Map(COUNTRIES.map(({ code, name }) => [code, name]));

/** The word for people of a gender and age. */
export function people(gender: string, ageYears: number): string {
  if (ageYears < 18) return gender === 'Male' ? 'boys' : 'girls';
  return gender === 'Male' ? 'men' : 'women';
}

/**
 * People of one age in words, such as `women aged 60` or `girls aged exactly 8.25`. Children grow much in a year, so
 * their year is said: `girls aged 8 years (from the 8th birthday to the 9th)`.
 */
export function peopleAged(gender: string, ageYears: number): string {
  const isExact = !Number.isInteger(ageYears);
  const text = `${people(gender, ageYears)} aged ${isExact ? 'exactly ' : ''}${percentileText(ageYears)}`;
  if (ageYears >= 18 || isExact) return text;
  if (ageYears === 0) return `${text} (from birth to the 1st birthday)`;
  return `${text} years (from the ${ordinal(ageYears)} birthday to the ${ordinal(ageYears + 1)})`;
}

function ordinal(number: number): string {
  const endings: readonly (string | undefined)[] = ['th', 'st', 'nd', 'rd'];
  return `${number}${(number > 3 ? undefined : endings[number]) ?? 'th'}`;
}

/** English name of a country, or its code if the name is unknown. */
export function countryName(code: string): string {
  return NAMES.get(code) ?? code;
}

/** Name of a country inside a sentence, such as `the Netherlands`. */
export function countryInSentence(code: string): string {
  return countryName(code).replace(
    /^(?=Netherlands|Philippines|Bahamas|Gambia|Maldives|United |.* (Republic|Islands)$)/,
    'the ',
  );
}
