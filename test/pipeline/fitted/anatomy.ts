import { describe, expect, it } from 'vitest';
import { bodyMarginal } from '../../../pipeline/model/covariates.js';
import { lnQuantile, Z99 } from '../../../pipeline/numerics/marginal.js';
import { GENDERS } from '../../../src/core/genders.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import { fit, populationOf } from './fit.js';

const { model } = fit;
const mm = (gender: 'Male' | 'Female', age: number, name: MeasurementName) =>
  populationOf(gender, 'US').at(age).medianMm(name);

describe('proportions of children', () => {
  it('are those of both genders before puberty, where only adults were measured', () => {
    for (const name of ['ChestDepth', 'LittleFingerWidthPip', 'ForeheadWidth'] as const) {
      for (const age of [3, 5, 9]) {
        const gap = Math.log(mm('Male', age, name) / mm('Female', age, name));
        expect(Math.abs(gap), `${name} at ${age}`).toBeLessThan(0.04);
      }
    }
    const grown = Math.log(
      mm('Male', 20, 'LittleFingerWidthPip') / mm('Female', 20, 'LittleFingerWidthPip'),
    );
    expect(grown).toBeGreaterThan(0.1);
  });

  it.each(GENDERS)(
    'keep the wrist smaller than the hand and the calf of a newborn thin, %s',
    (gender) => {
      for (const age of [0, 0.5, 1, 2]) {
        expect(mm(gender, age, 'WristCircumference')).toBeLessThan(
          mm(gender, age, 'HandCircumference'),
        );
      }
      for (const age of [3, 5, 8]) {
        const heavy = populationOf(gender, 'CL').at(age);
        const p99 = (name: MeasurementName) => lnQuantile(heavy.marginal(name), Z99);
        expect(p99('WristCircumference')).toBeLessThan(p99('HandCircumference'));
      }
      expect(mm(gender, 0, 'CalfCircumference')).toBeCloseTo(108, -1);
      expect(mm(gender, 0, 'FootHeight') / mm(gender, 0, 'FootLength')).toBeGreaterThan(0.2);
      const fall = (age: number) =>
        mm(gender, age, 'EyeBodyCentreDistance') - mm(gender, age + 1, 'EyeBodyCentreDistance');
      for (let age = 3; age < 19; age++) expect(fall(age), `at ${age}`).toBeLessThan(12);
    },
  );
});

describe('adults', () => {
  it.each(['NE', 'US'] as const)('keep the navel below the elbow in old age, %s', (country) => {
    for (const gender of GENDERS) {
      for (const age of [60, 80, 99]) {
        const cohort = populationOf(gender, country).at(age);
        expect(cohort.medianMm('WaistHeightStanding')).toBeLessThan(cohort.medianMm('ElbowHeight'));
      }
    }
  });

  it('can survive in the lean tail, and are not wider among the old than elsewhere', () => {
    const bmi = (country: 'ET' | 'EG' | 'PG', gender: 'Male' | 'Female', age: number, z: number) =>
      Math.exp(lnQuantile(bodyMarginal('BMI', model.covariatesToday(gender, country, age)), z));
    expect(bmi('ET', 'Female', 70, -Z99)).toBeGreaterThan(13.4);
    expect(bmi('PG', 'Female', 90, -Z99)).toBeGreaterThan(13.4);
    expect(bmi('EG', 'Male', 95, Z99)).toBeLessThan(49);
  });
});
