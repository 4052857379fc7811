import { describe, expect, it } from 'vitest';
import { placeLabels } from '../../src/screens/person/browser/place-labels.js';

const PICTURE = { width: 400, height: 300 };
const box = (x: number, y: number, width = 100, height = 20) => ({ x, y, width, height });

describe('labels of a picture', () => {
  it('stay at their points where there is room', () => {
    const labels = [box(100, 50), box(100, 90), box(300, 52)];
    expect(placeLabels(labels, PICTURE)).toEqual(labels.map(({ x, y }) => ({ x, y })));
  });

  it('do not cover each other, and stay inside', () => {
    const labels = [box(200, 150), box(220, 152), box(180, 149), box(10, 295), box(395, 298)];
    const placed = placeLabels(labels, PICTURE);
    placed.forEach((one, index) => {
      expect(one.x).toBeGreaterThanOrEqual(50);
      expect(one.x).toBeLessThanOrEqual(350);
      expect(one.y).toBeGreaterThanOrEqual(10);
      expect(one.y).toBeLessThanOrEqual(290);
      for (const other of placed.slice(0, index)) {
        const isFree = Math.abs(one.x - other.x) >= 100 || Math.abs(one.y - other.y) >= 20;
        expect(isFree).toBe(true);
      }
    });
    // The three labels in the middle are no farther from their points than the height of two labels.
    for (const [index, { y }] of placed.slice(0, 3).entries()) {
      expect(Math.abs(y - (labels[index]?.y ?? 0))).toBeLessThan(45);
    }
  });

  it('is at its point where no place is free', () => {
    const labels = Array.from({ length: 20 }, () => box(200, 20));
    expect(placeLabels(labels, { width: 400, height: 40 })).toHaveLength(20);
  });
});
