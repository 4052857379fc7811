import { BODY_REGIONS } from '../../core/body-regions.js';
import { MEASUREMENTS, type Measurement } from '../../core/measurements.js';
import { MASSES } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import type { Option, OptionGroup } from './combobox.js';
import { contains, loadedSearch } from './load-search.js';

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
