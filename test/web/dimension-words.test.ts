import { expect, it } from 'vitest';
import { findMeasurements } from '../../src/search/measurements.js';
import { measurementsInWords } from '../../web/sheet/dimension-words.js';

it('reads dimensions from a list of words, each once', () => {
  expect(
    measurementsInWords('stature, hip breadth; Eye height, , body height', findMeasurements),
  ).toEqual({ names: ['Stature', 'HipBreadth', 'EyeHeight'], unknown: [] });
  expect(measurementsInWords('stature, qqqq', findMeasurements)).toEqual({
    names: ['Stature'],
    unknown: ['qqqq'],
  });
});
