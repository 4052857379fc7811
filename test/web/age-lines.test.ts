import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  percentileAtAge,
  piecesOf,
  smoothLine,
} from '../../src/screens/dimension/browser/age-lines.js';

it('a line ends where there is no model, and changes where measured ages end', () => {
  const line = { country: 'NL', percentile: 50, values: [null, 10, 20, 40] };
  const pieces = piecesOf([0, 2, 10, 20], line, [0, 20], [{ fromYears: 6, toYears: 20 }]);
  expect(pieces.map(({ isMeasured }) => isMeasured)).toEqual([false, true]);
  const [computed, measured] = pieces.map(({ points }) => points);
  expect([computed?.[0], computed?.at(-1)?.[0]]).toEqual([[2, 10], 6]);
  expect(measured?.[0]).toEqual(computed?.at(-1));
  expect(measured?.at(-1)).toEqual([20, 40]);
  // The curve passes through the known values.
  expect(measured).toContainEqual([10, 20]);
});

it('a smooth line passes through its values, turns only at them, and has no corners', () => {
  const knots = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 2000 })),
    { minLength: 2, maxLength: 12 },
  );
  fc.assert(
    fc.property(knots, (steps) => {
      let age = 0;
      const ages = steps.map(([step]) => (age += step));
      const values = steps.map(([, value]) => value);
      const curve = smoothLine(ages, values);
      for (const [index, value] of values.entries()) {
        const here = ages[index] as number;
        expect(curve(here)).toBe(value);
        const next = values[index + 1];
        if (next === undefined) continue;
        const end = ages[index + 1] as number;
        const [low, high] = [Math.min(value, next), Math.max(value, next)];
        for (let share = 0.1; share < 1; share += 0.1) {
          const between = curve(here + share * (end - here)) as number;
          expect(between).toBeGreaterThanOrEqual(low - 1e-6);
          expect(between).toBeLessThanOrEqual(high + 1e-6);
        }
        if (index === 0) continue;
        const near = 1e-6;
        const before = (value - (curve(here - near) as number)) / near;
        const after = ((curve(here + near) as number) - value) / near;
        expect(Math.abs(after - before)).toBeLessThan(0.2);
      }
    }),
  );
  expect(smoothLine([0, 10], [5, null])(5)).toBeUndefined();
});

it('the percentile of a person is read off the centiles, also with one that has no counterpart', () => {
  const lines = [1, 5, 10, 25, 50, 75, 90, 95, 99, 97].map((percentile, index) => ({
    country: 'NL',
    percentile,
    values: [1000 + index, 1100 + index].map((value) => (percentile === 97 ? 1008.5 : value)),
  }));
  expect(percentileAtAge([8, 10], lines, 8, 1004)).toBeCloseTo(50, 0);
  expect(percentileAtAge([8, 10], lines.slice(0, 2), 8, 1004)).toBeUndefined();
  expect(percentileAtAge([8, 10], lines, 30, 1004)).toBeUndefined();
});
