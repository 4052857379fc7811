import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withPoint } from '../../src/core/typed-values.js';
import { percentileAtAge, piecesOf, spread } from '../../web/dimension/age-lines.js';

it('labels keep their order and their distance, and move only where they must', () => {
  expect(spread([300, 200, 100], 13, 400)).toEqual([300, 200, 100]);
  // Two labels at one height move apart by the same distance.
  expect(spread([200, 200], 10, 400)).toEqual([205, 195]);
  const heights = fc.array(fc.integer({ min: 0, max: 380 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(heights, (unsorted) => {
      const places = spread(
        unsorted.toSorted((one, other) => other - one),
        13,
        390,
      );
      for (const [index, place] of places.entries()) {
        expect(place).toBeLessThanOrEqual(390);
        const below = places[index - 1];
        if (below !== undefined) expect(below - place).toBeGreaterThanOrEqual(13 - 1e-6);
      }
    }),
  );
});

it('a line ends where there is no model, and changes where measured ages end', () => {
  const line = { country: 'NL', percentile: 50, values: [null, 10, 20, 40] };
  const pieces = piecesOf([0, 2, 10, 20], line, [0, 20], [{ fromYears: 6, toYears: 20 }]);
  expect(pieces).toEqual([
    {
      isMeasured: false,
      points: [
        [2, 10],
        [6, 15],
      ],
    },
    {
      isMeasured: true,
      points: [
        [6, 15],
        [10, 20],
        [20, 40],
      ],
    },
  ]);
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

it('numbers are read with the separators of several countries', () => {
  const read = [
    '1,900',
    '8,5',
    '1,633.017',
    '1.633,5',
    '1 900',
    '0,125',
    '12,345,678',
    '170,55 cm',
  ];
  expect(read.map(withPoint)).toEqual([
    '1900',
    '8.5',
    '1633.017',
    '1633.5',
    '1900',
    '0.125',
    '12345678',
    '170.55 cm',
  ]);
});
