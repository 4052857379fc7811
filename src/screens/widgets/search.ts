// The search with its words. It is a module of its own, so that the page does not wait for it.
import { findBodyQuantities } from '../../search/body-quantities.js';
import { findNotCovered, notCoveredText } from '../../search/not-covered.js';

export { findBodyQuantities } from '../../search/body-quantities.js';
export { findCountries, findCountrySets } from '../../search/countries.js';
export { findMeasurements, measurementsListed, prepareSearch } from '../../search/measurements.js';
export { orNearest } from '../../search/not-covered.js';
export { populationInWords } from '../../search/population-words.js';

/** Sentences about things that a text asks for and no measurement covers, with the nearest measurements. */
export function notCoveredTexts(text: string): readonly string[] {
  return findNotCovered(text).map(notCoveredText);
}

/** The same for lists of lengths, which lack body mass and BMI. */
export function notAmongLengths(text: string): readonly string[] {
  const quantities = findBodyQuantities(text).map(
    ({ name, definition }) =>
      `${name} is no length, so it is not in this list. ${definition}. The screen Person takes a body mass, and Dimension and the sheet of Body show percentiles of ${name}.`,
  );
  return [...notCoveredTexts(text), ...quantities];
}
