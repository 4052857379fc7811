import { expect, it } from 'vitest';
import { uncertaintyText } from '../../../src/pages/screens/fit/texts.js';

/** The text with ordinary spaces in place of non-breaking ones. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

it('a share that errors can raise and lower has a range', () => {
  expect(plain(uncertaintyText(0.95, { low: 0.931, high: 0.97 }))).toBe(
    'It could be 93.1–97.0 %, because the medians of the dimensions are not exact.',
  );
});

it('a share that errors can only lower has no range that ends at itself', () => {
  const text = plain(uncertaintyText(0.903, { low: 0.784, high: 0.903 }));
  expect(text).toMatch(
    /^It could be as low as 78.4 %: with limits on both sides, fewer people fit/,
  );
  expect(text).not.toContain('90.3');
  // A rise that the shown figures do not show is not mentioned.
  expect(plain(uncertaintyText(0.903, { low: 0.784, high: 0.9031 }))).toBe(text);
});

it('a share that errors hardly change says so', () => {
  expect(plain(uncertaintyText(0.9999, { low: 0.9998, high: 1 }))).toBe(
    'Errors of the medians change it by less than 0.1 %.',
  );
});
