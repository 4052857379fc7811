import { populationInWords } from '../../search/population-words.js';
import { withTexts } from './address-fields.js';
import { populationText } from './populations.js';

/**
 * The query in which populations that somebody wrote in words, such as `p=Germany women`, are in the form of addresses;
 * undefined if there are none. The words are read here, so that pages need not load the names of all countries.
 */
export function withReadPopulations(query: string): string | undefined {
  return withTexts(query, 'p', (text) => {
    if (text.includes('~')) return undefined;
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

/** Ages of people whose text names none. */
const ADULTS = [18, 65] as const;
