import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENTS } from '../../src/core/measurements.js';
import { CLOTHING_AGE_MIN, CLOTHING_IDS } from '../../src/core/profiles.js';
import { MM_PER_UNIT, UNITS } from '../../src/core/units.js';
import { connectedDimension } from '../../src/operations/connected-dimension.js';
import { percentileLookup } from '../../src/operations/percentile-lookup.js';
import { predict, predictCompare, predictRange } from '../../src/operations/predict.js';
import { tinyModel } from '../support/models.js';
import { AGE_LIMITED, WITHOUT_MODEL } from '../support/tiny-artifact.js';

const model = tinyModel();

const modelled = MEASUREMENTS.filter(
  ({ name, genders }) =>
    name !== WITHOUT_MODEL && name !== AGE_LIMITED.measurement && genders.length === 2,
);
const percentile = fc.oneof(
  fc.constantFrom(1, 99, 50),
  fc.double({ min: 1, max: 99, noNaN: true }),
);

/** A population and any dimension with a model, with valid clothing and posture. */
const population = fc
  .constantFrom(...modelled)
  .chain(({ name, postures }) =>
    fc.record({
      measurement: fc.constant(name),
      gender: fc.constantFrom(...GENDERS),
      age: fc.double({ min: 0, max: 120, noNaN: true }),
      country: fc.constantFrom(...COUNTRY_CODES),
      clothing: fc.constantFrom(...CLOTHING_IDS),
      posture: fc.constantFrom(...postures),
    }),
  )
  .filter(({ clothing, age }) => age >= CLOTHING_AGE_MIN[clothing]);

describe('for every population', () => {
  it('predict rises strictly with the percentile', () => {
    fc.assert(
      fc.property(population, percentile, percentile, (who, one, other) => {
        // Answers give percentiles in steps of a hundredth.
        fc.pre(Math.abs(one - other) >= 0.05);
        const at = (p: number) => predict.run({ ...who, percentile: p }, model).value;
        expect(Math.sign(at(one) - at(other))).toBe(Math.sign(one - other));
      }),
    );
  });

  it('lookup(predict(p)) is p within 0.1 in every unit, also at 1 and 99', () => {
    fc.assert(
      fc.property(population, percentile, fc.constantFrom(...UNITS), (who, p, unit) => {
        const { age, ...told } = { ...who, unit };
        const answer = predict.run({ ...told, age, percentile: p }, model);
        expect(answer).toMatchObject(told);
        const { value } = answer;
        const back = percentileLookup.run({ ...who, value, unit }, model);
        expect(Math.abs(back.percentile - p)).toBeLessThanOrEqual(0.1);
        expect(back.value).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  it('units convert exactly up to their rounding step', () => {
    fc.assert(
      fc.property(population, percentile, (who, p) => {
        const { value: mm } = predict.run({ ...who, percentile: p, unit: 'mm' }, model);
        const steps = { mm: 0.001, cm: 0.0001, in: 0.00001 };
        for (const unit of UNITS) {
          const { value } = predict.run({ ...who, percentile: p, unit }, model);
          const slack = 0.0005 + (steps[unit] * MM_PER_UNIT[unit]) / 2 + 1e-9;
          expect(Math.abs(value * MM_PER_UNIT[unit] - mm)).toBeLessThanOrEqual(slack);
          expect(value).toBe(Number(value.toFixed({ mm: 3, cm: 4, in: 5 }[unit])));
        }
      }),
    );
  });

  it('range and compare agree with predict', () => {
    const percentiles = fc.uniqueArray(percentile, { minLength: 1, maxLength: 20 });
    const countries = fc.uniqueArray(fc.constantFrom(...COUNTRY_CODES), {
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(population, percentiles, countries, (who, many, places) => {
        const range = predictRange.run({ ...who, percentiles: many }, model);
        for (const [i, p] of many.entries()) {
          const { value } = predict.run({ ...who, percentile: p }, model);
          expect(range.values[i]).toEqual({ percentile: p, value });
        }
        const { country: _, ...anywhere } = who;
        const [p = 50] = many;
        const compared = predictCompare.run(
          { ...anywhere, percentile: p, countries: places },
          model,
        );
        for (const [i, country] of places.entries()) {
          const { value } = predict.run({ ...who, country, percentile: p }, model);
          expect(compared.values[i]).toEqual({ country, value });
        }
      }),
    );
  });

  it('the points of a linked dimension rise, and its bounds enclose the middle', () => {
    const share = fc.double({ min: 1, max: 99, noNaN: true });
    fc.assert(
      fc.property(population, percentile, share, (who, p, accommodationPercent) => {
        const { measurement, posture: _, ...others } = who;
        const linkedMeasurement = measurement === 'Stature' ? 'Span' : measurement;
        const request = { anchorMeasurement: 'Stature' as const, anchorPercentile: p };
        const answer = connectedDimension.run(
          { ...others, ...request, linkedMeasurement, accommodationPercent },
          model,
        );
        const values = answer.distributionPoints.map(({ value }) => value);
        expect(values).toHaveLength(21);
        expect(values.every((value, i) => i === 0 || value > (values[i - 1] ?? 0))).toBe(true);
        expect(answer.distributionPoints.every(({ density }) => density > 0)).toBe(true);
        expect(answer.lowerBound).toBeLessThan(values[10] ?? 0);
        expect(answer.upperBound).toBeGreaterThan(values[10] ?? 0);
      }),
    );
  });
});
