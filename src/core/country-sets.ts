import { COUNTRY_CODES, type CountryCode } from './countries.js';
import { membersOf, REGION_NAMES } from './regions.js';

/**
 * Members of the European Union since 1 February 2020 (European Union, "Country profiles",
 * european-union.europa.eu).
 */
const EU27: readonly CountryCode[] = [
  ...([
    'AT',
    'BE',
    'BG',
    'CY',
    'CZ',
    'DE',
    'DK',
    'EE',
    'ES',
    'FI',
    'FR',
    'GR',
    'HR',
    'HU',
  ] as const),
  ...(['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'] as const),
];

/**
 * Members of the Organisation for Economic Co-operation and Development since 25 May 2021, when Costa
 * Rica joined as the 38th (OECD, "Members and partners", oecd.org). All are among the 176 countries.
 */
const OECD: readonly CountryCode[] = [
  ...([
    'AT',
    'AU',
    'BE',
    'CA',
    'CH',
    'CL',
    'CO',
    'CR',
    'CZ',
    'DE',
    'DK',
    'EE',
    'ES',
    'FI',
  ] as const),
  ...([
    'FR',
    'GR',
    'HU',
    'IE',
    'IL',
    'IS',
    'IT',
    'JP',
    'KR',
    'LT',
    'LU',
    'LV',
    'MX',
    'NL',
  ] as const),
  ...(['NO', 'NZ', 'PL', 'PT', 'SE', 'SI', 'SK', 'TR', 'UK', 'US'] as const),
];

/**
 * Named sets of countries that a request may use in place of country codes: the world, two
 * organisations, and the regions of `regions.ts`. A set has only members among the 176 countries.
 */
const SETS: ReadonlyMap<string, readonly CountryCode[]> = new Map([
  ['World', COUNTRY_CODES],
  ['EU27', EU27],
  ['OECD', OECD],
  ...REGION_NAMES.map((name) => [name, membersOf(name)] as const),
]);

/** The sets as the catalog lists them: name to codes. */
export const COUNTRY_SETS: Readonly<Record<string, readonly CountryCode[]>> =
  Object.fromEntries(SETS);

/** Names of the sets, as requests write them. */
export const SET_NAMES: readonly string[] = [...SETS.keys()];

/** Codes of the countries of a set; undefined for an unknown name. */
export function membersOfSet(name: string): readonly CountryCode[] | undefined {
  return SETS.get(name);
}
