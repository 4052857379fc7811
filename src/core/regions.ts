import type { CountryCode } from './countries.js';

/**
 * Regions and their super-regions, as NCD-RisC divides the world (eLife 2016;5:e13410), with the country
 * codes of the specification. Every country is in exactly one region.
 */
// biome-ignore format: one region per line reads as a table
const REGIONS: readonly (readonly [superregion: string, region: string, countries: string])[] = [
  ['Central Asia, Middle East and north Africa', 'Central Asia', 'AM AZ GE KG KZ MN TJ TM UZ'],
  ['Central Asia, Middle East and north Africa', 'Middle East and north Africa', 'AE BH DZ EG IQ IR JO KW LB LY MA OM QA SA SY TN TR YE'],
  ['Central and eastern Europe', 'Central Europe', 'AL BA BG CZ HR HU ME MK PL RO RS SI SK'],
  ['Central and eastern Europe', 'Eastern Europe', 'BY EE LT LV MD RU UA'],
  ['East and southeast Asia and the Pacific', 'East Asia and the Pacific', 'CN HK JP KR SG TW'],
  ['East and southeast Asia and the Pacific', 'Southeast Asia', 'BN ID KH LA MM MV MY PH TH VN'],
  ['High-income western', 'High-income English-speaking countries', 'AU CA IE NZ UK US'],
  ['High-income western', 'Northwestern Europe', 'AT BE CH DE DK FI IS LU NL NO SE'],
  ['High-income western', 'Southwestern Europe', 'CY ES FR GR IL IT MT PT'],
  ['Latin America and the Caribbean', 'Andean Latin America', 'BO EC PE'],
  ['Latin America and the Caribbean', 'Central Latin America', 'CO CR GT HN MX NI PA SV VE'],
  ['Latin America and the Caribbean', 'Southern Latin America', 'AR BR CL PY UY'],
  ['Latin America and the Caribbean', 'The Caribbean', 'AG BB BS BZ CU DM DO GD GY HT JM KN LC SR TT VC'],
  ['Oceania', 'Melanesia', 'FJ PG SB VU'],
  ['Oceania', 'Polynesia and Micronesia', 'AS CK FM KI MH NR NU PF PW TO TV WS'],
  ['South Asia', 'South Asia', 'AF BD BT IN LK NP PK'],
  ['Sub-Saharan Africa', 'Central and southern Africa', 'AO BW CD NA'],
  ['Sub-Saharan Africa', 'East Africa', 'BI ET KE MG MW MZ RW SD SO TZ UG ZM ZW'],
  ['Sub-Saharan Africa', 'Other sub-Saharan Africa', 'ZA'],
  ['Sub-Saharan Africa', 'West Africa', 'BF BJ CI CM GH GN LR ML MR NE NG SN TD TG'],
];

/** Region and super-region of a country. */
export interface Place {
  readonly region: string;
  readonly superregion: string;
}

const PLACES: ReadonlyMap<string, Place> = new Map(
  REGIONS.flatMap(([superregion, region, countries]) =>
    countries.split(' ').map((country) => [country, { region, superregion }] as const),
  ),
);

/**
 * Region and super-region of a country.
 *
 * @throws Error for a code outside the specification
 */
export function placeOf(country: string): Place {
  const place = PLACES.get(country);
  if (place === undefined) throw new Error(`no region of ${country}`);
  return place;
}

/** Names of the regions. */
export const REGION_NAMES: readonly string[] = REGIONS.map(([, region]) => region);

/** Country codes of a region. The list is empty for an unknown name. */
export function membersOf(region: string): CountryCode[] {
  return [...PLACES].flatMap(([country, place]) =>
    place.region === region ? [country as CountryCode] : [],
  );
}
