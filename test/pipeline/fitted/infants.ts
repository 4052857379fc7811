import { describe, expect, it } from 'vitest';
import { readSurvey } from '../../../pipeline/raw-tables/surveys.js';
import { GENDERS } from '../../../src/core/genders.js';
import { fit, populationOf, tables } from './fit.js';

const nhanes = await readSurvey(tables, 'nhanes');

describe.each(GENDERS)('%s infants', (gender) => {
  const population = populationOf(gender, 'US');

  it('have head girths as in NHANES, and as WHO at birth', () => {
    for (const months of ['m0-2', 'm3-5', 'm6-8']) {
      const group = nhanes.group(gender, `2011-2023/${months}`);
      const head = group?.moment('HeadGirth').p50 ?? Number.NaN;
      const age = group?.moment('AgeYears').mean ?? Number.NaN;
      expect(population.at(age).medianMm('HeadGirth') / head, months).toBeCloseTo(1, 1.8);
    }
    expect(population.at(0).medianMm('HeadGirth')).toBeCloseTo(gender === 'Male' ? 345 : 339, -0.3);
  });

  it('have a sitting height of two thirds of length at birth, and less as they grow', () => {
    const share = (age: number) => {
      const cohort = population.at(age);
      return cohort.medianMm('SittingHeight') / cohort.medianMm('Stature');
    };
    expect(share(0)).toBeGreaterThan(0.65);
    expect(share(0)).toBeLessThan(0.7);
    for (const age of [0.25, 0.5, 1, 2, 2.5, 3, 5, 8]) {
      expect(share(age)).toBeLessThan(share(age * 0.8));
    }
  });

  it('have arms as in NHANES, and outside the United States as WHO at the same length and mass', () => {
    const departure = (country: string, age: number) =>
      fit.model.childDeparture(gender, country, 'UpperArmCircumferenceMidpoint', age);
    expect(departure('US', 1)).toBe(0);
    expect(departure('NG', 1)).toBeLessThan(-0.005);
    expect(departure('NG', 1)).toBeGreaterThan(-0.03);
    expect(departure('NG', 10)).toBeCloseTo(0, 9);
  });

  it('join the older children without a step', () => {
    for (const name of ['UpperArmLength', 'HeadGirth', 'FootLength', 'SittingHeight'] as const) {
      const before = population.at(2.5 - 1e-6).medianMm(name);
      expect(population.at(2.5).medianMm(name) / before).toBeCloseTo(1, 5);
    }
  });
});
