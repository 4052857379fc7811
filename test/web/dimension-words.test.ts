import { expect, it } from 'vitest';
import { measurementsInWords } from '../../src/screens/sheet/browser/dimension-words.js';
import { findMeasurements } from '../../src/search/measurements.js';

it('reads dimensions from a list of words, each once', () => {
  expect(
    measurementsInWords('stature, hip breadth; Eye height, , body height', findMeasurements),
  ).toEqual({ names: ['Stature', 'HipBreadth', 'EyeHeight'], unknown: [] });
  expect(measurementsInWords('stature, qqqq', findMeasurements)).toEqual({
    names: ['Stature'],
    unknown: ['qqqq'],
  });
});
