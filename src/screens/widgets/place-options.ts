import { COUNTRIES, type Country } from '../../core/countries.js';
import { COUNTRY_SETS, SET_NAMES } from '../../core/country-sets.js';
import { contains, loadedSearch, type OptionGroup } from './combobox.js';

// Screens without a choice of countries do not load their names.

function countriesFor(text: string): readonly Country[] {
  const search = loadedSearch();
  if (search !== undefined) return search.findCountries(text);
  return COUNTRIES.filter(({ code, name }) => contains(name, text) || contains(code, text));
}

/** Countries whose name or code matches a search text, without the countries already chosen. */
export function countryOptions(text: string, taken: readonly string[]): OptionGroup[] {
  const found = text === '' ? COUNTRIES : countriesFor(text);
  const options = found
    .filter(({ code }) => !taken.includes(code))
    .map(({ code, name }) => ({ id: code, label: name, hint: code }))
    .sort((one, other) => (text === '' ? one.label.localeCompare(other.label) : 0));
  return options.length === 0 ? [] : [{ options }];
}

function setsFor(text: string): readonly string[] {
  const search = loadedSearch();
  if (search !== undefined) return search.findCountrySets(text);
  return SET_NAMES.filter((name) => contains(name, text));
}

/** Countries and sets of countries that match a search text, without those already chosen. */
export function placeOptions(text: string, taken: readonly string[]): OptionGroup[] {
  const sets = (text === '' ? SET_NAMES : setsFor(text))
    .filter((name) => !taken.includes(name))
    .map((name) => ({
      id: name,
      label: name,
      hint: `${COUNTRY_SETS[name]?.length ?? 0} countries`,
    }));
  const countries = countryOptions(text, taken).map(({ options }) => ({
    heading: 'Countries',
    options,
  }));
  // A country that a text names comes before the sets that contain the text.
  const groups = [{ heading: 'Sets of countries', options: sets }, ...countries];
  const found = groups.filter(({ options }) => options.length > 0);
  return loadedSearch()?.findCountries(text).length === 1 ? found.toReversed() : found;
}
