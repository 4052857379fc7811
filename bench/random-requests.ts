import { COUNTRY_CODES } from '../src/core/countries.js';
import { SET_NAMES } from '../src/core/country-sets.js';
import { MEASUREMENTS } from '../src/core/measurements.js';
import { SIDES } from '../src/population/ranges.js';
import { seeded } from '../test/support/random.js';
import type { Asked } from './requests.js';

/** Measurements of both genders, standing and sitting. */
const NAMES = MEASUREMENTS.filter(({ genders, postures }) => {
  return genders.length === 2 && postures.includes('standing_erect');
}).map(({ name }) => name);

const PERCENTILES = [0.1, 0.5, 1, 2, 3, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95, 99];
type Request = Pick<Asked, 'operation' | 'input'>;

/** Random valid requests of the operations on populations and people, from small to large. */
export function randomRequests(count: number, seed: number): Request[] {
  const { unit, below, pick } = seeded(seed);
  const chance = (share: number) => unit() < share;
  const integer = (from: number, to: number) => from + below(to - from + 1);
  /** Small numbers are as likely as large ones. */
  const size = (from: number, to: number) =>
    Math.round(from * Math.exp(unit() * Math.log(to / from)));
  const some = <T>(list: readonly T[], count: number): T[] => {
    const picked = new Set<T>();
    while (picked.size < count) picked.add(pick(list));
    return [...picked];
  };
  const group = () => {
    const ageMin = integer(18, 60);
    return {
      countries: chance(0.25) ? [pick(SET_NAMES)] : some(COUNTRY_CODES, size(1, 40)),
      ...(chance(0.5) ? {} : { gender: pick(['Female', 'Male']) }),
      ...{ ageMin, ageMax: Math.min(100, ageMin + size(1, 60)) },
    };
  };
  const conditions = [
    { measurement: 'Stature', min: 1500, max: 1900 },
    { measurement: 'BodyMass', min: 45, max: 110 },
    { measurement: 'SittingHeight', min: 780, max: 1000 },
    { measurement: 'HandLength', max: 205 },
    { measurement: 'FootLength', min: 215 },
  ];
  const of = (operation: string, fields: () => object) => () => {
    const population = {
      groups: Array.from({ length: size(1, 10) }, group),
      ...(chance(0.35) ? { keep: some(conditions, integer(1, 5)) } : {}),
      ...(chance(0.2) ? { year: integer(1990, 2035) } : {}),
    };
    const dress = chance(0.3) ? { clothing: 'shoes' } : {};
    return { operation, input: { population, ...dress, ...fields() } };
  };
  const kinds = [
    of('population_percentiles', () => ({
      measurements: some(NAMES, size(1, 100)),
      percentiles: some(PERCENTILES, size(1, 20)),
    })),
    of('population_share', () => ({
      limits: some(NAMES, size(1, 20)).map((measurement) => ({
        measurement,
        ...(chance(0.5) ? { minPercentile: 3 } : {}),
        maxPercentile: 97,
      })),
    })),
    of('design_ranges', () => ({
      targetShare: pick([0.5, 0.9, 0.95, 0.99]),
      dimensions: some(NAMES, size(1, 12)).map((measurement) => {
        return { measurement, side: pick(SIDES) };
      }),
    })),
    of('boundary_cases', () => ({
      targetShare: pick([0.5, 0.9, 0.95]),
      ...{ measurements: some(NAMES, integer(2, 8)), count: integer(4, 32) },
    })),
    of('size_chart', () => ({
      sizes: integer(2, 30),
      measurements: some(NAMES, integer(1, 6)).map((measurement) => {
        return { measurement, tolerance: size(10, 200) };
      }),
    })),
    of('reach_share', () => ({
      pose: 'sitting',
      seat: { height: 400, travel: chance(0.5) ? { x: [-80, 80], z: [-20, 20] } : {} },
      targets: Array.from({ length: size(1, 10) }, (_, i) => ({
        ...{
          name: `${i}`,
          at: { x: integer(400, 800), y: integer(-400, 400), z: integer(600, 1200) },
        },
        ...{ by: 'grip', lean: pick(['none', 'shoulder', 'trunk']) },
      })),
    })),
    of('sample_people', () => ({ count: size(10, 2000), seed: 1 })),
    () => ({
      operation: 'complete_person',
      input: {
        ...{ gender: pick(['Female', 'Male']), age: integer(20, 70), country: pick(COUNTRY_CODES) },
        known: some(NAMES, size(1, 8)).map((measurement) => ({ measurement, percentile: 60 })),
      },
    }),
  ];
  return Array.from({ length: count }, (_, i) => (kinds[i % kinds.length] as () => Request)());
}
