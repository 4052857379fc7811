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
 * Members of the Organisation for Economic Co-operation and Development since 25 May 2021, when Costa Rica joined as
 * the 38th member (OECD, "Members and partners", oecd.org). All members are among the 176 countries.
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
 * Continents by the geographic regions of the United Nations (M49): the Russian Federation
 * is in Europe; Turkey, Cyprus, Georgia, Armenia and Azerbaijan are in Asia; North America has the Caribbean
 * and Central America. Every country is in exactly one.
 */
// biome-ignore format: one continent per line reads as a table
const CONTINENTS: readonly (readonly [name: string, countries: string])[] = [
  ['Africa', 'AO BF BI BJ BW CD CI CM DZ EG ET GH GN KE LR LY MA MG ML MR MW MZ NA NE NG RW SD SN SO TD TG TN TZ UG ZA ZM ZW'],
  ['Asia', 'AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KR KW KZ LA LB LK MM MN MV MY NP OM PH PK QA SA SG SY TH TJ TM TR TW UZ VN YE'],
  ['Europe', 'AL AT BA BE BG BY CH CZ DE DK EE ES FI FR GR HR HU IE IS IT LT LU LV MD ME MK MT NL NO PL PT RO RS RU SE SI SK UA UK'],
  ['North America', 'AG BB BS BZ CA CR CU DM DO GD GT HN HT JM KN LC MX NI PA SV TT US VC'],
  ['Oceania', 'AS AU CK FJ FM KI MH NR NU NZ PF PG PW SB TO TV VU WS'],
  ['South America', 'AR BO BR CL CO EC GY PE PY SR UY VE'],
];

/** Names of the continents. */
export const CONTINENT_NAMES: readonly string[] = CONTINENTS.map(([name]) => name);

/**
 * Named sets of countries that a request may use instead of country codes: the world, two organisations, the
 * continents, and the regions of `regions.ts`. All members of the sets are among the 176 countries.
 */
const SETS: ReadonlyMap<string, readonly CountryCode[]> = new Map([
  ['World', COUNTRY_CODES],
  ['EU27', EU27],
  ['OECD', OECD],
  ...CONTINENTS.map(([name, codes]) => [name, codes.split(' ') as CountryCode[]] as const),
  ...REGION_NAMES.map((name) => [name, membersOf(name)] as const),
]);

/** The sets in the form of the catalog: each name with its codes. */
export const COUNTRY_SETS: Readonly<Record<string, readonly CountryCode[]>> =
  Object.fromEntries(SETS);

/** Names of the sets, as requests write them. */
export const SET_NAMES: readonly string[] = [...SETS.keys()];

/** Codes of the countries of a set; undefined for an unknown name. */
export function membersOfSet(name: string): readonly CountryCode[] | undefined {
  return SETS.get(name);
}
