import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curveInverse, curveSlope, curveValue } from '../../src/lookup/cell.js';
import { Z_COUNT, Z_FIRST, Z_STEP } from '../../src/lookup/format.js';

const LAST_Z = Z_FIRST + (Z_COUNT - 1) * Z_STEP;

/** Rising knots whose steps differ by up to three orders of magnitude, from 1 mm to several metres. */
const risingKnots = fc
  .tuple(
    fc.double({ min: 1, max: 2000, noNaN: true }),
    fc.array(fc.double({ min: 0.05, max: 50, noNaN: true }), {
      minLength: Z_COUNT - 1,
      maxLength: Z_COUNT - 1,
    }),
  )
  .map(([first, steps]) => {
    const knots = new Float64Array(Z_COUNT);
    knots[0] = first;
    for (const [i, step] of steps.entries()) knots[i + 1] = (knots[i] as number) + step;
    return knots;
  });
const anyZ = fc.double({ min: -6, max: 6, noNaN: true });

describe('the quantile curve', () => {
  it('passes through its knots', () => {
    fc.assert(
      fc.property(risingKnots, fc.integer({ min: 0, max: Z_COUNT - 1 }), (knots, i) => {
        expect(curveValue(knots, Z_FIRST + i * Z_STEP)).toBeCloseTo(knots[i] as number, 8);
      }),
    );
  });

  it('rises strictly, also beyond the knots', () => {
    fc.assert(
      fc.property(risingKnots, anyZ, fc.double({ min: 1e-3, max: 2, noNaN: true }), (k, z, dz) => {
        expect(curveValue(k, z + dz)).toBeGreaterThan(curveValue(k, z));
      }),
      { numRuns: 500 },
    );
  });

  it('has an inverse that is accurate to 1e-6 of z', () => {
    fc.assert(
      fc.property(risingKnots, anyZ, (knots, z) => {
        expect(Math.abs(curveInverse(knots, curveValue(knots, z)) - z)).toBeLessThan(1e-6);
      }),
      { numRuns: 1000 },
    );
  });

  it('is continuous in value and slope at every inner knot', () => {
    // A step that is small, but that a double near z = 4 still resolves well.
    const step = 1e-9;
    fc.assert(
      fc.property(risingKnots, fc.integer({ min: 1, max: Z_COUNT - 2 }), (knots, i) => {
        const z = Z_FIRST + i * Z_STEP;
        const [before, after] = [curveSlope(knots, z - step), curveSlope(knots, z + step)];
        expect(Math.abs(after - before)).toBeLessThan(1e-5 * Math.max(before, after));
        expect(curveValue(knots, z + step) - curveValue(knots, z - step)).toBeLessThan(1e-5);
      }),
    );
  });

  it('has the slope of its numeric derivative', () => {
    // A central difference has the error h² f‴ / 6: with h = 1e-5 it is 1e-6 for slopes up to 150 mm.
    const h = 1e-5;
    fc.assert(
      fc.property(risingKnots, anyZ, (knots, z) => {
        // The second derivative jumps at a knot, so a central difference is only first order there.
        const position = (z - Z_FIRST) / Z_STEP;
        fc.pre(Math.abs(position - Math.round(position)) > (2 * h) / Z_STEP);
        const numeric = (curveValue(knots, z + h) - curveValue(knots, z - h)) / (2 * h);
        expect(Math.abs(curveSlope(knots, z) - numeric)).toBeLessThan(1e-4 + 1e-5 * numeric);
      }),
      { numRuns: 500 },
    );
  });

  it('is linear beyond its ends, at the slope of the outer interval', () => {
    fc.assert(
      fc.property(risingKnots, fc.double({ min: 0, max: 3, noNaN: true }), (knots, beyond) => {
        const [first, second] = [knots[0] as number, knots[1] as number];
        const below = first - (beyond / Z_STEP) * (second - first);
        expect(curveValue(knots, Z_FIRST - beyond)).toBeCloseTo(below, 6);
        const [last, beforeLast] = [knots[Z_COUNT - 1] as number, knots[Z_COUNT - 2] as number];
        const above = last + (beyond / Z_STEP) * (last - beforeLast);
        expect(curveValue(knots, LAST_Z + beyond)).toBeCloseTo(above, 6);
        expect(curveSlope(knots, Z_FIRST - 1)).toBeCloseTo((second - first) / Z_STEP, 6);
      }),
    );
  });
});
