import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { SET_NAMES } from '../../src/core/country-sets.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../src/core/profiles.js';
import { MASS_UNITS, UNITS } from '../../src/core/units.js';
import { numberMeant } from '../../src/operations/faults.js';
import { BODY_MEASUREMENTS } from '../../src/operations/fields.js';
import { nameHint } from '../../src/operations/nearest-name.js';
import { validateRequest } from '../../src/operations/validate.js';
import { operationNamed, refusalOf } from '../support/operations.js';

const PREDICT = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };

const refusal = (name: string, body: object) =>
  refusalOf(() => validateRequest(operationNamed(name), body));

describe('the name that was meant', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['Height', MEASUREMENT_NAMES, 'Stature'],
    ['inseam', MEASUREMENT_NAMES, 'CrotchHeight'],
    ['ShoeSize', MEASUREMENT_NAMES, 'FootLength'],
    ['ShoulderWidth', MEASUREMENT_NAMES, 'ShoulderBreadthBideltoid'],
    ['hip_width', MEASUREMENT_NAMES, 'HipBreadth'],
    ['sittingheigth', MEASUREMENT_NAMES, 'SittingHeight'],
    ['Statur', MEASUREMENT_NAMES, 'Stature'],
    ['weight', MEASUREMENT_NAMES, undefined],
    ['weight', BODY_MEASUREMENTS, 'BodyMass'],
    ['bmi', BODY_MEASUREMENTS, 'BMI'],
    ['GB', COUNTRY_CODES, 'UK'],
    ['England', COUNTRY_CODES, 'UK'],
    ['Holland', COUNTRY_CODES, 'NL'],
    ['us', COUNTRY_CODES, 'US'],
    ['EU', COUNTRY_CODES, undefined],
    ['XX', COUNTRY_CODES, undefined],
    ['EU', [...SET_NAMES, ...COUNTRY_CODES], 'EU27'],
    ['GB', [...SET_NAMES, ...COUNTRY_CODES], 'UK'],
    ['inches', UNITS, 'in'],
    ['MM', UNITS, 'mm'],
    ['lbs', MASS_UNITS, 'lb'],
    ['km', UNITS, undefined],
    ['woman', GENDERS, 'Female'],
    ['male', GENDERS, 'Male'],
    ['coat', CLOTHING_IDS, 'winter'],
    ['none', CLOTHING_IDS, 'nude'],
    ['standing', POSTURE_IDS, 'standing_erect'],
    ['lying', POSTURE_IDS, undefined],
    ['constructor', POSTURE_IDS, undefined],
  ])('%s', (found, allowed, name) => {
    expect(nameHint(found, allowed)).toBe(name && `Did you mean ${name}?`);
  });

  it('is a hint and no value: aliases stay refused', () => {
    for (const [field, value, meant] of [
      ['country', 'GB', 'UK'],
      ['country', 'USA', 'US'],
      ['unit', 'inches', 'in'],
      ['gender', 'female', 'Female'],
    ] as const) {
      const problem = refusal('predict', { ...PREDICT, [field]: value });
      expect([problem.code, problem.status]).toEqual(['validation_error', 400]);
      expect(problem.message).toContain(`Did you mean ${meant}?`);
    }
  });
});

it.each([
  ['Weight', 'BodyMass'],
  ['BodyMass', 'BodyMass'],
  ['bmi', 'BMI'],
])('%s in predict names the operations that have it', (measurement, quantity) => {
  const { code, message } = refusal('predict', { ...PREDICT, measurement });
  expect(code).toBe('unknown_measurement');
  expect(message).toContain(
    `population_percentiles, population_share and complete_person have ${quantity}.`,
  );
});

it.each([
  ['InterpupillaryDistance', 'nearest is Biocular'],
  ['ForearmGirth', 'nearest are those of the wrist'],
])('%s is not covered, whatever is spelt like it', (measurement, nearest) => {
  const { code, message } = refusal('predict', { ...PREDICT, measurement });
  expect(code).toBe('unknown_measurement');
  expect(message).toMatch(new RegExp(`known ones\\. Not covered: .*${nearest}`));
  expect(message).not.toContain('Did you mean');
});

it('a rare percentile names the operation that has it', () => {
  for (const percentile of [0.5, 99.5]) {
    const { message } = refusal('predict', { ...PREDICT, percentile });
    expect(message).toContain('population_percentiles answers percentiles from 0.1 to 99.9.');
  }
  for (const percentile of [0.05, 100]) {
    const { message } = refusal('predict', { ...PREDICT, percentile });
    expect(message).not.toContain('population_percentiles');
  }
});

describe('the number that was meant', () => {
  const PERCENT = { minimum: 1, maximum: 99 };
  const SHARE = { minimum: 0.5, maximum: 0.999 };
  it.each([
    [0.95, PERCENT, 95],
    [0.07, PERCENT, 7],
    [0.001, PERCENT, undefined],
    [100, PERCENT, undefined],
    ['0.95', PERCENT, undefined],
    [95, SHARE, 0.95],
    [40, SHARE, undefined],
    [1.2, { minimum: 0, maximum: 120 }, undefined],
    [0.5, { minimum: 1, maximum: 30 }, undefined],
    [0.5, {}, undefined],
  ])('%s in %j is %s', (value, limits, meant) => {
    expect(numberMeant(value, limits)).toBe(meant);
  });

  it('stands in the refusal of a field and of an item', () => {
    const { percentile: _, ...rest } = PREDICT;
    const item = refusal('predict_range', { ...rest, percentiles: [50, 0.05] });
    expect(item.message).toBe('percentiles[1] must be at least 1. Did you mean 5?');
    expect(item.extras.errors?.[0]?.pointer).toBe('/percentiles/1');
    const low = refusal('predict', { ...PREDICT, age: -1 });
    expect(low.message).toBe('age must be at least 0.');
  });
});
