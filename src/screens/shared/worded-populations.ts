import { populationInWords } from '../../search/population-words.js';
import { withTexts } from './address-fields.js';
import { populationText } from './populations.js';

/** Whether a query may have a population in words. */
export function hasWords(query: string): boolean {
  return /(?:^|&)p=(?![^&]*(?:~|%7e))[^&]/i.test(query);
}

/**
 * The query in which populations that somebody wrote in words, such as `p=Germany women`, are in the form of addresses;
 * undefined if there are none. The words are read here, so that pages need not load the names of all countries.
 */
export function withReadPopulations(query: string): string | undefined {
  let left = WORDED_MAX;
  return withTexts(query, 'p', (text) => {
    if (text.includes('~') || text.length > CHARS_MAX || left <= 0) return undefined;
    left -= 1;
    const found = populationInWords(text);
    if ('fault' in found || found.countries === undefined) return undefined;
    const { gender, countries, clothing, ages: [ageMin, ageMax] = ADULTS } = found;
    return populationText({
      gender,
      countries,
      ageMin,
      ageMax,
      ...(clothing === undefined ? {} : { clothing }),
    });
  });
}

/** Most populations that are read in words, and the longest of their texts. Longer texts take too long. */
const [WORDED_MAX, CHARS_MAX] = [6, 60];
/** Ages of people whose text names none. */
const ADULTS = [18, 65] as const;
