import { expect, it } from 'vitest';
import { parseLength, parseMass, questionAboutFeet } from '../../src/core/typed-values.js';

it.each([
  ['1m78', 1780],
  ['1 m 78', 1780],
  ['1.78 metres', 1780],
  ['70 1/2 in', 1790.7],
  [`5' 10 1/2"`, 1790.7],
  ['5 ft 11 in', 1803.4],
  ['178 cm', 1780],
  ['5-8.9', 1750.06],
])('reads the length %s', (text, valueMm) => {
  expect(parseLength(text, 'mm')).toBeCloseTo(valueMm, 9);
});

it.each([`5'13"`, '5 ft 14 in', '5-12', '1m7', '70 1/0 in', '12 parsecs'])(
  'refuses the length %s',
  (text) => expect(parseLength(text, 'mm')).toBeUndefined(),
);

it('reads masses in stone, and refuses 14 pounds beside them', () => {
  expect(parseMass('11 st 4 lb', 'kg')).toBeCloseTo(158 * 0.45359237, 9);
  expect(parseMass('11 stone', 'kg')).toBeCloseTo(154 * 0.45359237, 9);
  expect(parseMass('11 st 14 lb', 'kg')).toBeUndefined();
});

it('asks about feet with decimals that may be inches', () => {
  expect(questionAboutFeet('5.11')).toBe(
    `"5.11" in feet may mean 5'11" or 61.32 in. Write one of these.`,
  );
  expect(questionAboutFeet('5.75')).toBeUndefined();
});
