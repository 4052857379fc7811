import { BODY_REGIONS } from '../../src/core/body-regions.js';
import { COUNTRIES } from '../../src/core/countries.js';
import { findCountries, findMeasurements } from '../../src/core/find-measurements.js';
import { inWords } from '../../src/core/labels.js';
import type { Measurement } from '../../src/core/measurements.js';
import type { OptionGroup } from './combobox.js';

/** Measurements that match a search text; all of them in groups for an empty text. */
export function measurementOptions(text: string): OptionGroup[] {
  const option = ({ name, definition }: Measurement) => ({
    id: name,
    label: inWords(name),
    hint: definition,
  });
  if (text !== '') {
    const found = findMeasurements(text);
    return found.length === 0 ? [] : [{ options: found.map(option) }];
  }
  return BODY_REGIONS.map(({ title, measurements }) => ({
    heading: title,
    options: measurements.map(option),
  }));
}

/** Countries whose name or code matches a search text, without those already chosen. */
export function countryOptions(text: string, taken: readonly string[]): OptionGroup[] {
  const found = text === '' ? COUNTRIES : findCountries(text);
  const options = found
    .filter(({ code }) => !taken.includes(code))
    .map(({ code, name }) => ({ id: code, label: name, hint: code }))
    .sort((one, other) => (text === '' ? one.label.localeCompare(other.label) : 0));
  return options.length === 0 ? [] : [{ options }];
}
