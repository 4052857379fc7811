import { expect, it } from 'vitest';
import { viewOfProduct } from '../../../src/screens/fit/address.js';
import { OWN_ID } from '../../../src/screens/fit/products.js';
import { exclusionsOf } from '../../../src/screens/fit/texts.js';
import { predictionErrorText } from '../../../src/screens/shared/prediction-error.js';

const limit = (measurement: string, min?: number, max?: number) => ({
  measurement,
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
  ...{ below: 0.03, above: 0.02, failsOnlyHere: 0.04 },
});
const textsOf = (product: string, limits: ReturnType<typeof limit>[], unit: 'mm' | 'cm' = 'mm') =>
  exclusionsOf(viewOfProduct(product), limits, unit).map(({ share, text }) => `${share} ${text}`);

it('says what the excluded people of a product need', () => {
  expect(textsOf('desk', [limit('MaximumTableHeight', 641, 812)])).toEqual([
    '0.03 need a lower top',
    '0.02 need a higher top',
  ]);
});

it('says which dimension the people have whom an own limit excludes', () => {
  expect(textsOf(OWN_ID, [limit('SittingHeight', undefined, 950)])).toEqual([
    '0.02 have a sitting height above 950 mm',
  ]);
  expect(textsOf(OWN_ID, [limit('EyeHeight', 1400)], 'cm')).toEqual([
    '0.03 have an eye height under 140.0 cm',
  ]);
});

/** The text with ordinary spaces in place of non-breaking ones. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

it('a share that errors can raise and lower has a range', () => {
  expect(plain(predictionErrorText({ share: 0.95, low: 0.931, high: 0.97 }))).toBe(
    'Range: 93.1–97.0 %, because predicted medians are not exact.',
  );
});

it('a share that errors can only lower has no range that ends at itself', () => {
  const text = plain(predictionErrorText({ share: 0.903, low: 0.784, high: 0.903 }));
  expect(text).toMatch(/^At least 78.4 %, if people are larger or smaller/);
  expect(text).not.toContain('90.3');
  // A rise that the shown figures do not show is not mentioned.
  expect(plain(predictionErrorText({ share: 0.903, low: 0.784, high: 0.9031 }))).toBe(text);
});

it('a share that errors hardly change says so', () => {
  expect(plain(predictionErrorText({ share: 0.9999, low: 0.9998, high: 1 }))).toBe(
    'Uncertain by less than 0.1 %.',
  );
});
