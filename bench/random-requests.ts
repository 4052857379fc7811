import { COUNTRY_CODES } from '../src/core/countries.js';
import { SET_NAMES } from '../src/core/country-sets.js';
import { MEASUREMENTS } from '../src/core/measurements.js';
import { SIDES } from '../src/population/ranges.js';
import type { HeavyRequest } from './heavy-requests.js';

/** Measurements of both genders, standing and sitting. */
const NAMES = MEASUREMENTS.filter(({ genders, postures }) => {
  return genders.length === 2 && postures.includes('standing_erect');
}).map(({ name }) => name);

/** Numbers between 0 and 1 that are the same in every run (Steele et al. 2014, SplitMix). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Random valid requests of the operations on populations and people, from small to large. */
export function randomRequests(count: number, seed: number): HeavyRequest[] {
  const random = numbers(seed);
  const chance = (share: number) => random() < share;
  const integer = (least: number, most: number) =>
    least + Math.floor(random() * (most - least + 1));
  /** Small numbers are as likely as large ones. */
  const size = (least: number, most: number) =>
    Math.round(least * Math.exp(random() * Math.log(most / least)));
  const pick = <T>(list: readonly T[]) => list[integer(0, list.length - 1)] as T;
  const some = <T>(list: readonly T[], most: number): T[] => {
    const picked = new Set<T>();
    while (picked.size < most) picked.add(pick(list));
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
  const population = () => ({
    groups: Array.from({ length: size(1, 10) }, group),
    ...(chance(0.35) ? { keep: some(conditions, integer(1, 5)) } : {}),
    ...(chance(0.2) ? { year: integer(1990, 2035) } : {}),
  });
  const dress = () => (chance(0.3) ? { clothing: 'shoes' } : {});
  const kinds: readonly (() => readonly [string, object])[] = [
    () => [
      'population_percentiles',
      {
        ...{ population: population(), ...dress() },
        measurements: some(NAMES, size(1, 100)),
        percentiles: some(
          [0.1, 0.5, 1, 2, 3, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95, 99],
          size(1, 20),
        ),
      },
    ],
    () => [
      'population_share',
      {
        ...{ population: population(), ...dress() },
        limits: some(NAMES, size(1, 20)).map((measurement) => ({
          measurement,
          ...(chance(0.5) ? { minPercentile: 3 } : {}),
          maxPercentile: 97,
        })),
      },
    ],
    () => [
      'design_ranges',
      {
        ...{ population: population(), ...dress(), targetShare: pick([0.5, 0.9, 0.95, 0.99]) },
        dimensions: some(NAMES, size(1, 12)).map((measurement) => {
          return { measurement, side: pick(SIDES) };
        }),
      },
    ],
    () => [
      'boundary_cases',
      {
        ...{ population: population(), ...dress(), targetShare: pick([0.5, 0.9, 0.95]) },
        ...{ measurements: some(NAMES, integer(2, 8)), count: integer(4, 32) },
      },
    ],
    () => [
      'size_chart',
      {
        ...{ population: population(), ...dress(), sizes: integer(2, 30) },
        measurements: some(NAMES, integer(1, 6)).map((measurement) => {
          return { measurement, tolerance: size(10, 200) };
        }),
      },
    ],
    () => [
      'sample_people',
      { ...{ population: population(), ...dress() }, count: size(10, 2000), seed: 1 },
    ],
    () => [
      'complete_person',
      {
        ...{ gender: pick(['Female', 'Male']), age: integer(20, 70), country: pick(COUNTRY_CODES) },
        known: some(NAMES, size(1, 8)).map((measurement) => ({ measurement, percentile: 60 })),
      },
    ],
  ];
  return Array.from({ length: count }, (_, i) => {
    const [operation, input] = (kinds[i % kinds.length] as (typeof kinds)[number])();
    return { name: `${operation} ${i}`, operation, input };
  });
}
