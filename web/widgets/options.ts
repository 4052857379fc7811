import { BODY_REGIONS } from '../../src/core/body-regions.js';
import { COUNTRIES, type Country } from '../../src/core/countries.js';
import { COUNTRY_SETS, SET_NAMES } from '../../src/core/country-sets.js';
import { MEASUREMENTS, type Measurement } from '../../src/core/measurements.js';
import { inWords } from '../../src/pages/screens/shared/labels.js';
import type { OptionGroup } from './combobox.js';

const SEARCH_DELAY_MS = 500;

let search: typeof import('./search.js') | undefined;

/** Fetches the search and makes its index. Until then, and if this fails, names are searched. */
export async function loadSearch(): Promise<void> {
  const module = await import('./search.js');
  module.prepareSearch();
  search = module;
}

/** Fetches the search after what is seen first, and before someone types. */
export function loadSearchSoon(): void {
  setTimeout(() => loadSearch().catch(() => undefined), SEARCH_DELAY_MS);
}

function measurementsFor(text: string): readonly Measurement[] {
  if (search !== undefined) return search.findMeasurements(text);
  return MEASUREMENTS.filter(({ name }) => contains(inWords(name), text));
}

function countriesFor(text: string): readonly Country[] {
  if (search !== undefined) return search.findCountries(text);
  return COUNTRIES.filter(({ code, name }) => contains(name, text) || contains(code, text));
}

function contains(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

/** Measurements that match a search text; all of them in groups for an empty text. */
export function measurementOptions(text: string): OptionGroup[] {
  const option = ({ name, definition }: Measurement) => ({
    id: name,
    label: inWords(name),
    hint: definition,
  });
  if (text !== '') {
    const found = measurementsFor(text);
    return found.length === 0 ? [] : [{ options: found.map(option) }];
  }
  return BODY_REGIONS.map(({ title, measurements }) => ({
    heading: title,
    options: measurements.map(option),
  }));
}

/** Countries whose name or code matches a search text, without those already chosen. */
export function countryOptions(text: string, taken: readonly string[]): OptionGroup[] {
  const found = text === '' ? COUNTRIES : countriesFor(text);
  const options = found
    .filter(({ code }) => !taken.includes(code))
    .map(({ code, name }) => ({ id: code, label: name, hint: code }))
    .sort((one, other) => (text === '' ? one.label.localeCompare(other.label) : 0));
  return options.length === 0 ? [] : [{ options }];
}

function setsFor(text: string): readonly string[] {
  if (search !== undefined) return search.findCountrySets(text);
  return SET_NAMES.filter((name) => contains(name, text));
}

/** Sets of countries and countries that match a search text, without those already chosen. */
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
  return search?.findCountries(text).length === 1 ? found.toReversed() : found;
}
