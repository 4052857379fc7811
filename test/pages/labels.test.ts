import { expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { inWords } from '../../src/site/labels.js';

it.each([
  ['SittingHeight', 'Sitting height'],
  ['IndexFingerWidthPip', 'Index finger width PIP'],
  ['NeckCircumferenceAdamsApple', 'Neck circumference Adam’s apple'],
  ['DorsomLength', 'Back length, nape to waist'],
  ['BackOfHeadToSelion', 'Back of head to bridge of nose'],
])('%s is %s in words', (name, words) => {
  expect(inWords(name)).toBe(words);
});

it('no two dimensions have the same words', () => {
  expect(new Set(MEASUREMENT_NAMES.map(inWords)).size).toBe(MEASUREMENT_NAMES.length);
});
