import { describe, expect, it } from 'vitest';
import { spread } from '../../src/site/pictures/spread.js';

describe('the heights of labels', () => {
  it('stay where there is room', () => {
    expect(spread([90, 50, 10], 20, 100)).toEqual([90, 50, 10]);
  });

  it('are apart and above the floor, near to where they should be', () => {
    expect(spread([100, 60, 58, 56], 20, 90)).toEqual([90, 70, 50, 30]);
    const placed = spread([62, 60, 58], 20, 300);
    placed.slice(1).forEach((height, index) => {
      expect((placed[index] ?? 0) - height).toBeCloseTo(20, 9);
    });
    expect(placed[1]).toBeCloseTo(60, 9);
  });
});
