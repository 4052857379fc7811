import { expect, it } from 'vitest';
import { measurementsInWords } from '../../src/screens/body/browser/dimension-choice.js';
import { measurementsListed } from '../../src/search/measurements.js';

it('reads dimensions from a list of words, each once', () => {
  expect(
    measurementsInWords('stature, hip breadth; Eye height, , body height', measurementsListed),
  ).toEqual({ names: ['Stature', 'HipBreadth', 'EyeHeight'], unknown: [] });
  expect(measurementsInWords('stature, qqqq', measurementsListed)).toEqual({
    names: ['Stature'],
    unknown: ['qqqq'],
  });
  expect(measurementsInWords('chest waist inseam; foot', measurementsListed).names).toEqual([
    ...['ChestCircumferenceNipple', 'WaistCircumferenceAbdominal', 'CrotchHeight', 'FootLength'],
  ]);
});
