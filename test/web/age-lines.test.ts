import { expect, it } from 'vitest';
import {
  bandPath,
  linePath,
  percentileAtAge,
  spansOf,
} from '../../src/screens/dimension/browser/age-lines.js';
import { linearScale } from '../../src/screens/widgets/plot.js';

it('a line ends where there is no model, and passes through its values', () => {
  const scales = { x: linearScale(0, 20, 0, 200), y: linearScale(0, 100, 100, 0) };
  const places = { agesYears: [0, 2, 10, 20], ...scales };
  const line = { country: 'NL', percentile: 50, values: [10, null, 20, 40] };
  const path = linePath(line, places);
  expect(path.split('M').slice(1)).toHaveLength(2);
  expect(path).toContain('M100,80');
  expect(path.endsWith('200,60')).toBe(true);
  expect(bandPath(line, { ...line, values: [20, 30, 40, 50] }, places)).toContain('M100,60');
});

it('splits ages into those that surveys measured and the others', () => {
  const measured = [
    { fromYears: 2, toYears: 5 },
    { fromYears: 20, toYears: 60 },
  ];
  expect(spansOf([0, 120], measured)).toEqual({
    measured: [
      [2, 5],
      [20, 60],
    ],
    others: [
      [0, 2],
      [5, 20],
      [60, 120],
    ],
  });
  expect(spansOf([0, 20], measured).measured).toEqual([[2, 5]]);
  expect(spansOf([20, 40], measured)).toEqual({ measured: [[20, 40]], others: [] });
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
