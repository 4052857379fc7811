import { expect, it } from 'vitest';
import { viewOfProduct } from '../../../src/pages/screens/fit/address.js';
import { OWN_ID, PRODUCTS } from '../../../src/pages/screens/fit/products.js';
import { exclusionsOf } from '../../../src/pages/screens/fit/texts.js';

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

it('leaves out shares that are shown as 0.0 %', () => {
  const nobody = { ...limit('Stature', undefined, 1900), above: 0.0004 };
  expect(exclusionsOf(viewOfProduct(OWN_ID), [nobody], 'mm')).toEqual([]);
});

it('knows a need for each end of each dimension of a product', () => {
  for (const { id, rules } of PRODUCTS) {
    const ends = rules.map(({ measurement, kind }) => `${measurement} ${kind}`);
    expect([id, new Set(ends).size]).toEqual([id, ends.length]);
  }
});
