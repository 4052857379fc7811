import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headCounts, singleYears } from '../../pipeline/fit/head-counts.js';
import { DERIVED, FREE_NAMES, FREE_TERMS } from '../../pipeline/plans/joint-plan.js';
import { RawTables } from '../../pipeline/raw-tables/raw-tables.js';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { peopleIndex } from '../../src/lookup/cell.js';
import { MOST_PEOPLE, PEOPLE_AGES } from '../../src/lookup/format.js';
import { parseCsv } from './import/synthetic.js';

const RAW = join(import.meta.dirname, '../../data/raw');
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);

const tables = await RawTables.open(RAW, []);
const people = headCounts(await tables.rows('wpp2022', 'population', 'country, gender, age_min'));
tables.close();

const years = (country: string, gender: (typeof GENDERS)[number], from: number, to: number) => {
  const start = peopleIndex(
    COUNTRY_CODES.indexOf(country as (typeof COUNTRY_CODES)[number]),
    GENDERS.indexOf(gender),
    0,
  );
  return people.slice(start + from, start + to + 1);
};

describe('head counts by single year of age', () => {
  it('are whole persons whose sums are the groups, in every country', () => {
    const rows = parseCsv(readFileSync(join(RAW, 'wpp2022/population.csv'), 'utf8'));
    expect(rows.length).toBe(COUNTRY_CODES.length * GENDERS.length * 17);
    for (const { country = '', gender, age_min, persons } of rows) {
      const from = Number(age_min);
      const counted = years(country, gender as 'Male', from, from === 80 ? 120 : from + 4);
      if (sum(counted) !== Number(persons)) throw new Error(`${country} ${gender} ${from}`);
    }
    expect(people.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    expect(Math.max(...people)).toBeLessThan(MOST_PEOPLE);
    expect(people.length).toBe(COUNTRY_CODES.length * GENDERS.length * PEOPLE_AGES);
  });

  it('contain Namibia, whose code is no missing value', () => {
    expect(sum([...years('NA', 'Male', 0, 120), ...years('NA', 'Female', 0, 120)])).toBeCloseTo(
      2_567_000,
      -4,
    );
  });

  it('bend smoothly from group to group', () => {
    const women = years('DE', 'Female', 0, 100);
    for (let age = 1; age < 79; age++) {
      const step = Math.abs((women[age] as number) / (women[age - 1] as number) - 1);
      expect(step).toBeLessThan(0.12);
    }
  });

  it('keep a straight line as it is, and are never negative beside an empty group', () => {
    const line = singleYears(
      Array.from({ length: 17 }, (_, i) => (i === 16 ? 900 : 5000 - 200 * i)),
      'Male',
    );
    expect(line[40]).toBeCloseTo((5000 - 200 * 8) / 5 + 16, -1);
    const bumpy = singleYears([0, 10, 0, 9000, 0, 0, ...new Array(11).fill(40)], 'Female');
    expect(Math.min(...bumpy)).toBe(0);
    expect(sum(bumpy)).toBe(0 + 10 + 9000 + 11 * 40);
    expect(() => singleYears([1], 'Male')).toThrow('age groups');
  });

  // Japan: Ministry of Health, Labour and Welfare, 1 September 2022. United States: census of 2020.
  it.each([
    ['JP', 90_526],
    ['US', 80_139],
  ] as const)('end like the centenarians that %s counted', (country, counted) => {
    const found = sum(GENDERS.flatMap((gender) => [...years(country, gender, 100, 120)]));
    expect(found).toBeGreaterThan(counted / 1.5);
    expect(found).toBeLessThan(counted * 1.5);
  });
});

describe('the derived dimensions', () => {
  it('follow their parts, and with the free ones are all', () => {
    const known = new Set<string>(FREE_NAMES);
    for (const { measurement, terms } of DERIVED) {
      for (const { of } of terms) expect(of === undefined || known.has(of)).toBe(true);
      known.add(measurement);
    }
    expect(known.size).toBe(MEASUREMENT_NAMES.length);
    for (const { of } of [...FREE_TERMS.values()].flat()) expect(FREE_NAMES).toContain(of);
  });
});
