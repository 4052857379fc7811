// The search with its words. It is a module of its own, so that the page does not wait for it.
export { findCountries, findCountrySets } from '../../search/countries.js';
export { findMeasurements, prepareSearch } from '../../search/measurements.js';
export { findNotCovered, orNearest } from '../../search/not-covered.js';
export { populationInWords } from '../../search/population-words.js';
