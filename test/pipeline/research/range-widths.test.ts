import { describe, expect, it } from 'vitest';
import { excessOf, leastByPattern } from '../../../pipeline/research/range-widths.js';

describe('pattern search', () => {
  it('finds the least value of a function whose coordinates interact', () => {
    const valley = ([x = 0, y = 0]: readonly number[]) => 3 + (x - 1) ** 2 + (x + y - 0.5) ** 2;
    const { cost, at } = leastByPattern(valley, [0, 0]);
    expect(cost).toBeCloseTo(3, 2);
    expect(at[0]).toBeCloseTo(1, 1);
    expect(at[1]).toBeCloseTo(-0.5, 1);
  });
});

describe('the excess of a design', () => {
  it('is over the narrowest ranges', () => {
    const width = { names: ['a', 'b'], equalTails: 4.1, best: 4.05, bestFree: 4 };
    expect(excessOf(width)).toBeCloseTo(0.025, 9);
  });
});
