import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTRIES, COUNTRY_CODES } from '../../src/core/countries.js';
import { MEASUREMENT_NAMES, MEASUREMENTS, measurementIndex } from '../../src/core/measurements.js';
import { fromMm, MM_PER_UNIT, toMm, UNITS } from '../../src/core/units.js';

describe('the lists of the specification', () => {
  it('have 148 measurements and 176 countries, each once and found by name', () => {
    expect(new Set(MEASUREMENT_NAMES).size).toBe(148);
    expect(new Set(COUNTRY_CODES).size).toBe(176);
    expect(new Set(COUNTRIES.map(({ iso3 }) => iso3)).size).toBe(176);
    MEASUREMENT_NAMES.forEach((name, i) => {
      expect(measurementIndex(name)).toBe(i);
    });
    COUNTRY_CODES.forEach((code, i) => {
      expect(COUNTRIES[i]?.code).toBe(code);
    });
    expect(measurementIndex('__proto__')).toBeUndefined();
    expect(COUNTRY_CODES).not.toContain('GB');
  });

  it('limit one measurement to women', () => {
    const limited = MEASUREMENTS.filter(({ genders }) => genders.length < 2);
    expect(limited.map(({ name }) => name)).toEqual(['FemaleChestCircumferenceBelowBreasts']);
  });
});

describe('units', () => {
  it('convert there and back within half a step', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 3000, noNaN: true }),
        fc.constantFrom(...UNITS),
        (valueMm, unit) => {
          // The steps are 0.001 mm, 0.0001 cm and 0.00001 in, so half a step is at most 0.0005 mm.
          expect(Math.abs(toMm(fromMm(valueMm, unit), unit) - valueMm)).toBeLessThan(5.001e-4);
        },
      ),
    );
    expect(MM_PER_UNIT.in).toBe(25.4);
    expect(fromMm(254, 'in')).toBe(10);
  });
});
