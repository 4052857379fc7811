// The search with its words. It is a module of its own, so that the page does not wait for it.
export { findCountries, findCountrySets } from '../../src/search/countries.js';
export { findMeasurements, prepareSearch } from '../../src/search/measurements.js';
export { findNotCovered, orNearest } from '../../src/search/not-covered.js';
export { populationInWords } from '../../src/search/population-words.js';
