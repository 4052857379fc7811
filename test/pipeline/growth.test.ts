import { describe, expect, it } from 'vitest';
import { growthCurve } from '../../pipeline/numerics/isotonic.js';
import { nonDecreasing } from '../../src/numerics/isotonic.js';

describe('growth', () => {
  it('pools falling values by weight and does not change the others', () => {
    expect(nonDecreasing([1, 4, 2, 5], [1, 1, 3, 1])).toEqual([1, 2.5, 2.5, 5]);
    expect(nonDecreasing([3, 2, 1], [1, 1, 1])).toEqual([2, 2, 2]);
  });

  it('ends at the grown value', () => {
    const curve = growthCurve([8, 12, 11, 10], [{ sign: 1 }]);
    expect(curve[0]).toBe(8);
    for (const value of curve.slice(1)) expect(value).toBeCloseTo(10, 6);
  });

  it('lets neither a part nor whole minus part shrink', () => {
    const whole = [10, 11, 12, 12.2, 13];
    const part = growthCurve([4, 6, 5, 5.5, 6], [{ sign: 1 }, { sign: -1, offset: whole }]);
    for (let i = 1; i < whole.length; i++) {
      const grown = (part[i] as number) - (part[i - 1] as number);
      const wholeGrown = (whole[i] as number) - (whole[i - 1] as number);
      expect(grown).toBeGreaterThanOrEqual(-1e-6);
      expect(grown).toBeLessThanOrEqual(wholeGrown + 1e-6);
    }
    expect(part.at(-1)).toBeCloseTo(6, 6);
  });
});
