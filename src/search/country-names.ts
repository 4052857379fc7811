import type { CountryCode } from '../core/countries.js';
import table from './country-names.json' with { type: 'json' };

/**
 * Other names of the countries: codes in common use, parts of a country for the whole, native names,
 * former names, names in English besides the official one, and words for their people. They are for
 * searches and hints; requests take only the codes of the specification.
 */
export const OTHER_COUNTRY_NAMES: Readonly<Partial<Record<CountryCode, string>>> = table.countries;

/** Regions that are no sets of the specification. A search for one finds its countries. */
export const REGIONS = table.regions as Readonly<Record<string, readonly CountryCode[]>>;

/** Other names of sets of countries. */
export const OTHER_SET_NAMES: Readonly<Record<string, string>> = table.sets;
