import { describe, expect, it } from 'vitest';
import { cellIndex, correlationIndex, dimensionRow, profileIndex } from '../../src/lookup/cell.js';
import { Z_COUNT } from '../../src/lookup/format.js';

/** All index tuples of axes with these lengths. The index of the last axis changes fastest. */
function tuples(...lengths: number[]): number[][] {
  return lengths.reduce<number[][]>(
    (found, length) => found.flatMap((tuple) => Array.from({ length }, (_, i) => [...tuple, i])),
    [[]],
  );
}

const counting = (length: number) => Array.from({ length }, (_, i) => i);

describe('the order of values in an artifact', () => {
  it('puts the genders of a measurement next to each other', () => {
    const rows = tuples(3, 2).map(([m = 0, g = 0]) => dimensionRow(m, g));
    expect(rows).toEqual(counting(6));
  });

  it('puts the profiles of a dimension row next to each other', () => {
    const indices = tuples(3, 5).map(([row = 0, profile = 0]) => profileIndex(5, row, profile));
    expect(indices).toEqual(counting(15));
  });

  it('orders cells by block, country and age', () => {
    const size = { countries: 3, ages: 5 };
    const indices = tuples(2, 3, 5).map(([b = 0, c = 0, a = 0]) => cellIndex(size, b, c, a));
    expect(indices).toEqual(counting(30).map((cell) => cell * Z_COUNT));
  });

  it('orders correlations by age, gender, anchor and linked measurement', () => {
    const indices = tuples(2, 2, 3, 3).map(([age = 0, g = 0, anchor = 0, linked = 0]) =>
      correlationIndex(3, age, g, anchor, linked),
    );
    expect(indices).toEqual(counting(36));
  });
});
