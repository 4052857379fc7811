import { describe, expect, it } from 'vitest';
import { fits, randomDesign } from '../../../pipeline/evaluate/boundary-calls.js';
import { uniformNumbers } from '../../../pipeline/plans/limit-sets.js';

describe('calls of cases', () => {
  it('are for designs that every value fits', () => {
    const limits = [
      { low: 1, high: 2 },
      { low: undefined, high: 5 },
    ];
    expect(fits([1, -9], limits)).toBe(true);
    expect(fits([0.9, 0], limits)).toBe(false);
    expect(fits([1.5, 5.1], limits)).toBe(false);
  });

  it('judge random designs that have a limit', () => {
    const random = uniformNumbers(3);
    const ranges = { low: [1, 10], high: [90, 99] } as const;
    const designs = Array.from({ length: 2000 }, () => randomDesign(2, ranges, random));
    const limits = designs.flat();
    const lows = limits.flatMap(({ low }) => low ?? []);
    for (const design of designs) {
      expect(design.some(({ low, high }) => low !== undefined || high !== undefined)).toBe(true);
    }
    // One design in 44 has no limit and is drawn again.
    expect(lows.length / limits.length).toBeCloseTo(0.5 / (1 - 0.15 ** 2), 1);
    expect(Math.min(...lows)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...lows)).toBeLessThan(10);
  });
});
