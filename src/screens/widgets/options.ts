import { BODY_REGIONS } from '../../core/body-regions.js';
import { COUNTRIES, type Country } from '../../core/countries.js';
import { COUNTRY_SETS, SET_NAMES } from '../../core/country-sets.js';
import { MEASUREMENTS, type Measurement } from '../../core/measurements.js';
import { MASSES } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import type { Option, OptionGroup } from './combobox.js';
import { loadedSearch } from './load-search.js';

export { loadSearch, loadSearchSoon } from './load-search.js';

/** Sentences about things that a text asks for and no measurement covers, with the nearest measurements. */
export function notCoveredTexts(text: string): readonly string[] {
  return loadedSearch()?.notCoveredTexts(text) ?? [];
}

/** The same for lists of lengths, which lack body mass and BMI. */
export function notAmongLengths(text: string): readonly string[] {
  return loadedSearch()?.notAmongLengths(text) ?? [];
}

function measurementsFor(text: string): readonly Measurement[] {
  const search = loadedSearch();
  if (search !== undefined) return search.findMeasurements(text);
  return MEASUREMENTS.filter(({ name }) => contains(inWords(name), text));
}

function countriesFor(text: string): readonly Country[] {
  const search = loadedSearch();
  if (search !== undefined) return search.findCountries(text);
  return COUNTRIES.filter(({ code, name }) => contains(name, text) || contains(code, text));
}

function contains(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

/**
 * Measurements that match a search text. For an empty text, all measurements in groups.
 *
 * @param taken names of measurements that are chosen already; a search shows them so that the best match is not missing
 */
export function measurementOptions(text: string, taken: readonly string[] = []): OptionGroup[] {
  const option = ({ name, definition }: Measurement): Option =>
    taken.includes(name)
      ? { id: name, label: inWords(name), hint: 'Already chosen', isTaken: true }
      : { id: name, label: inWords(name), hint: definition };
  if (text !== '') {
    // If the text names a need that no dimension covers, the nearest dimensions are shown. Dimensions that
    // only share a word with it are not.
    const all = measurementsFor(text);
    const found = loadedSearch()?.orNearest(text, all, MEASUREMENTS) ?? all;
    return found.length === 0 ? [] : [{ options: found.map(option) }];
  }
  return BODY_REGIONS.map(({ title, measurements }) => ({
    heading: title,
    options: measurements.filter(({ name }) => !taken.includes(name)).map(option),
  })).filter(({ options }) => options.length > 0);
}

/** Measurements, body mass and BMI that match a search text. For an empty text, all of them in groups. */
export function quantityOptions(
  text: string,
  taken: readonly string[] = [],
  names: readonly string[] = Object.keys(MASSES),
): OptionGroup[] {
  const lengths = measurementOptions(text, taken);
  const found = (loadedSearch()?.findBodyQuantities(text) ?? []).map(({ name }) => name);
  const meant = names.filter((name) => found.includes(name));
  // A list without BMI offers the body mass for it.
  const near = meant.length === 0 && found.length > 0 ? names : meant;
  const options = names
    .filter((name) => text === '' || near.includes(name) || contains(inWords(name), text))
    .filter((name) => !taken.includes(name))
    .map((id) => ({ id, label: inWords(id), hint: MASSES[id] ?? '' }));
  if (options.length === 0) return lengths;
  return text === '' ? [...lengths, { heading: 'Body mass', options }] : [{ options }, ...lengths];
}

/** Values that can be known of a person: the measurements and the body mass. */
export function knownOptions(text: string, taken: readonly string[]): OptionGroup[] {
  return quantityOptions(text, taken, ['BodyMass']);
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
