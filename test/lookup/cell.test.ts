import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellFinder, type CellKey } from '../../src/lookup/cell.js';
import { Z_COUNT, Z_FIRST, Z_MEDIAN, Z_STEP } from '../../src/lookup/format.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';

const AGES = [0, 0.0833333, 0.5, 1, 1.999, 2, 10, 20, 60, 120];
const COUNTRIES = 3;
/** Three dimensions, the first of which is stature. The third has no model for men. */
const BLOCKS = [0, 1, 2, 3, -1, 4];
const REFERENCE = [1760, 1620] as const;

const medianMm = (block: number, country: number, age: number) =>
  (block < 2 ? 1760 - 140 * block : 300 + 40 * block) *
  (0.3 + 0.7 * Math.min(1, age / 20)) *
  (1 + country / 50);
const sdOf = (median: number) => 0.05 * median;

function syntheticViews(): ArtifactViews {
  const quantiles: number[] = [];
  for (let block = 0; block < 5; block++) {
    for (let country = 0; country < COUNTRIES; country++) {
      for (const age of AGES) {
        const median = medianMm(block, country, age);
        for (let i = 0; i < Z_COUNT; i++) {
          quantiles.push(median + sdOf(median) * (Z_FIRST + i * Z_STEP));
        }
      }
    }
  }
  const perDimension = <T>(values: T[]) => BLOCKS.flatMap(() => values);
  return {
    quantiles: Float32Array.from(quantiles),
    block: Int32Array.from(BLOCKS),
    ageMinYears: Float32Array.from([0, 0, 0, 0, 0, 2]),
    ageMaxYears: new Float32Array(6).fill(120),
    clothingShiftMm: Float32Array.from(perDimension([0, 25])),
    clothingSdMm: Float32Array.from(perDimension([0, 3])),
    postureShiftMm: Float32Array.from(perDimension([0, -40])),
    postureSdMm: Float32Array.from(perDimension([0, 4])),
    rho: new Float32Array(0),
    manifest: {
      axes: {
        measurements: ['Stature', 'HandLength', 'NeckCircumference'],
        countries: ['AA', 'BB', 'CC'],
        agesYears: AGES,
        clothing: ['nude', 'shoes'],
        postures: ['erect', 'slumped'],
      },
      referenceStaturesMm: REFERENCE,
    },
  } as unknown as ArtifactViews;
}

const finder = new CellFinder(syntheticViews());
const key = (part: Partial<CellKey>): CellKey => ({
  measurement: 0,
  gender: 0,
  country: 0,
  ageYears: 30,
  clothing: 0,
  posture: 0,
  ...part,
});
function fill(part: Partial<CellKey>): Float64Array {
  const knots = new Float64Array(Z_COUNT);
  expect(finder.fill(key(part), knots)).toBe('ok');
  return knots;
}
const anyKey = fc.record({
  measurement: fc.constantFrom(0, 1),
  gender: fc.constantFrom(0, 1),
  country: fc.constantFrom(0, 1, 2),
  ageYears: fc.double({ min: 0, max: 120, noNaN: true }),
  clothing: fc.constantFrom(0, 1),
  posture: fc.constantFrom(0, 1),
});

describe('a cell', () => {
  it('equals the grid at every age knot, for every block and country', () => {
    for (const [measurement, gender, block] of [
      [0, 0, 0],
      [0, 1, 1],
      [1, 0, 2],
      [1, 1, 3],
    ] as const) {
      for (let country = 0; country < COUNTRIES; country++) {
        for (const ageYears of AGES) {
          const knots = fill({ measurement, gender, country, ageYears });
          const median = medianMm(block, country, ageYears);
          expect(knots[Z_MEDIAN]).toBeCloseTo(median, 3);
          expect(knots[0]).toBeCloseTo(median - 4 * sdOf(median), 3);
        }
      }
    }
  });

  it('lies on the line between neighbouring age knots at birth, at 2 years and after 20 years', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 4, 7, 8), fc.double({ min: 0, max: 1 }), (i, share) => {
        const [from, to] = [AGES[i] as number, AGES[i + 1] as number];
        fc.pre(Number.isFinite(share));
        const ageYears = from + share * (to - from);
        const between = fill({ ageYears })[Z_MEDIAN] as number;
        const start = medianMm(0, 0, from);
        expect(between).toBeCloseTo(start + share * (medianMm(0, 0, to) - start), 2);
      }),
    );
  });

  it('follows a curve before 2 years, and one from 2 to 20, whose rate does not jump, and a line where growth is a line', () => {
    const at = (ageYears: number) => fill({ ageYears })[Z_MEDIAN] as number;
    const step = 1e-3;
    const rate = (age: number) => (at(age + step) - at(age - step)) / (2 * step);
    expect(rate(10 - 2 * step)).toBeCloseTo(rate(10 + 2 * step), 1);
    // Growth is a line until 20 years, and stature must not fall after the curve, so its slope is 0 there.
    expect(at(5)).toBeCloseTo(medianMm(0, 0, 5), 2);
    expect(rate(20 - 2 * step)).toBeCloseTo(0, 0);
    expect(rate(1 - 2 * step)).toBeCloseTo(rate(1 + 2 * step), 1);
    const ages = Array.from({ length: 180 }, (_, i) => 2 + i / 10);
    for (const age of ages) expect(at(age + 0.1)).toBeGreaterThan(at(age) - 1e-3);
  });

  it('is continuous in age, also at the knots', () => {
    const step = 1e-7;
    fc.assert(
      fc.property(anyKey, (cell) => {
        const other = { ...cell, ageYears: Math.min(120, cell.ageYears + step) };
        const [a, b] = [fill(cell), fill(other)];
        for (let i = 0; i < Z_COUNT; i++) {
          expect(Math.abs((a[i] as number) - (b[i] as number))).toBeLessThan(1e-3);
        }
      }),
    );
    for (const age of AGES.slice(1, -1)) {
      const [a, b] = [fill({ ageYears: age - step }), fill({ ageYears: age + step })];
      expect(Math.abs((a[Z_MEDIAN] as number) - (b[Z_MEDIAN] as number))).toBeLessThan(1e-3);
    }
  });

  it('rises and is finite in every clothing and posture', () => {
    fc.assert(
      fc.property(anyKey, (cell) => {
        const knots = fill(cell);
        for (let i = 0; i < Z_COUNT; i++) {
          expect(Number.isFinite(knots[i])).toBe(true);
          if (i > 0) expect(knots[i]).toBeGreaterThan(knots[i - 1] as number);
        }
      }),
    );
  });

  it('says why there is no answer', () => {
    const knots = new Float64Array(Z_COUNT);
    expect(finder.fill(key({ measurement: 2 }), knots)).toBe('no_model');
    const woman = { measurement: 2, gender: 1 };
    expect(finder.fill(key({ ...woman, ageYears: 1.99 }), knots)).toBe('age_without_model');
    expect(finder.fill(key({ ...woman, ageYears: 2 }), knots)).toBe('ok');
    expect(finder.fill(key({ ...woman, ageYears: 121 }), knots)).toBe('age_without_model');
  });
});

describe('dressing a cell', () => {
  const sd = (knots: Float64Array) => ((knots[15] as number) - (knots[9] as number)) / 2;

  it('shifts by the allowances, scaled with stature, and adds their variances', () => {
    fc.assert(
      fc.property(anyKey, (cell) => {
        const nude = fill({ ...cell, clothing: 0, posture: 0 });
        const dressed = fill(cell);
        const stature = fill({ ...cell, measurement: 0, clothing: 0, posture: 0 });
        const scale = (stature[Z_MEDIAN] as number) / REFERENCE[cell.gender as 0 | 1];
        const shift = scale * (25 * cell.clothing - 40 * cell.posture);
        expect((dressed[Z_MEDIAN] as number) - (nude[Z_MEDIAN] as number)).toBeCloseTo(shift, 3);
        const variance = sd(nude) ** 2 + (scale * 3 * cell.clothing) ** 2;
        const whole = variance + (scale * 4 * cell.posture) ** 2;
        expect(sd(dressed) / Math.sqrt(whole)).toBeCloseTo(1, 5);
      }),
    );
  });

  it('scales the shoes of a child with the child', () => {
    const shift = (ageYears: number) =>
      (fill({ ageYears, clothing: 1 })[Z_MEDIAN] as number) -
      (fill({ ageYears })[Z_MEDIAN] as number);
    expect(shift(0)).toBeCloseTo(0.3 * shift(30), 3);
  });
});
