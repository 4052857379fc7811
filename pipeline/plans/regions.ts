import { placeOf } from '../../src/core/regions.js';

/** Where the ancestors of an origin come from. */
interface Ancestry {
  readonly superregion: string;
  /** Countries with their share of the people; unknown where the survey does not say it. */
  readonly people?: Readonly<Record<string, number>>;
}

/**
 * Origins of US soldiers (`ansur2-origins`) by their code in place of a country.
 * - Asians, Hispanics and Pacific Islanders: soldiers of ANSUR II who named one such group. Puerto Rico is
 *   no country of the service; its people count with the Dominican Republic and Cuba.
 * - Black: west Africa, where most ancestors lived (Tishkoff et al. 2009, Science 324:1035).
 */
const ORIGINS: Readonly<Record<string, Ancestry>> = {
  'US/White': { superregion: 'High-income western' },
  'US/Black': {
    superregion: 'Sub-Saharan Africa',
    people: { NG: 1, GH: 1, SN: 1, BJ: 1, CI: 1, CM: 1, LR: 1, ML: 1 },
  },
  'US/Hispanic': {
    superregion: 'Latin America and the Caribbean',
    people: { MX: 222, DO: 86, CU: 78, CO: 12, SV: 10 },
  },
  'US/EastAsian': {
    superregion: 'East and southeast Asia and the Pacific',
    people: { KR: 48, CN: 22, JP: 9, TW: 1 },
  },
  'US/SoutheastAsian': {
    superregion: 'East and southeast Asia and the Pacific',
    people: { PH: 28, VN: 20, LA: 9, KH: 4, TH: 5, MM: 2 },
  },
  'US/PacificIslander': { superregion: 'Oceania', people: { WS: 1, AS: 1 } },
};

/** Codes of the origins of US soldiers. */
export const ORIGIN_CODES: readonly string[] = Object.keys(ORIGINS);

/**
 * Countries that US soldiers of a known origin come from. These soldiers are evidence for the countries.
 */
export const ANCESTRAL_COUNTRIES: ReadonlySet<string> = new Set(
  Object.values(ORIGINS).flatMap(({ people = {} }) => Object.keys(people)),
);

type Level = 'country' | 'region' | 'superregion';
type Shares = ReadonlyMap<string, number>;

/** Shares of the countries, regions and super-regions that the people of a country or origin come from. */
function sharesOf(code: string, level: Level): Shares {
  const origin = ORIGINS[code];
  if (origin !== undefined && (level === 'superregion' || origin.people === undefined)) {
    return new Map([[level === 'superregion' ? origin.superregion : code, 1]]);
  }
  const people = Object.entries(origin?.people ?? { [code]: 1 });
  const total = people.reduce((sum, [, count]) => sum + count, 0);
  const shares = new Map<string, number>();
  for (const [country, count] of people) {
    const name = level === 'country' ? country : placeOf(country)[level];
    shares.set(name, (shares.get(name) ?? 0) + count / total);
  }
  return shares;
}

/** Cached results of `sharedPlace`. A fit asks for the same pairs millions of times. */
const SHARED_PLACES: Readonly<Record<Level, Map<string, Map<string, number>>>> = {
  country: new Map(),
  region: new Map(),
  superregion: new Map(),
};

/**
 * Part of a place's effect that the people of two countries or origins share. It is 1 for the same place
 * and 0 for two places. For a mixed origin, it is the sum over places of the product of both shares.
 *
 * @throws Error for a code that is neither a country nor an origin
 */
export function sharedPlace(a: string, b: string, level: Level): number {
  let known = SHARED_PLACES[level].get(a);
  if (known === undefined) {
    known = new Map();
    SHARED_PLACES[level].set(a, known);
  }
  let sum = known.get(b);
  if (sum === undefined) {
    const theirs = sharesOf(b, level);
    sum = 0;
    for (const [name, share] of sharesOf(a, level)) sum += share * (theirs.get(name) ?? 0);
    known.set(b, sum);
  }
  return sum;
}
