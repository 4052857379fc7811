import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { PRODUCTS, productById } from '../../src/products/index.js';
import { productSchema } from '../../src/products/schema.js';
import { RUNS } from '../../src/render/runs.js';
import { readFitView } from '../../src/screens/fit/address.js';
import { CODES } from '../../src/screens/fit/texts.js';
import { REACH_ADDRESS } from '../../src/screens/reach/address.js';
import { SIZES_ADDRESS } from '../../src/screens/sizes/address.js';

const schema = Compile(productSchema);

describe.each(PRODUCTS)('the product $id', (product) => {
  const { sizes = [], rules = [], couplings = [], chart, scene } = product;

  it('has the form of the catalogue', () => {
    expect([...schema.Errors(product)]).toEqual([]);
    expect([sizes, chart, scene].some((part) => part !== undefined)).toBe(true);
  });

  it('has rules and conditions about its own sizes', () => {
    const ids = sizes.map(({ id }) => id);
    for (const { id, min, usual, max } of sizes) {
      expect([id, min < usual && usual < max]).toEqual([id, true]);
    }
    const ruled = rules.flatMap(({ size, upper }) => [size, ...(upper ? [upper] : [])]);
    expect([...new Set(ruled)].sort()).toEqual([...ids].sort());
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { kind, upper, needMore, measurement, words } of rules) {
      expect([upper !== undefined, needMore !== undefined]).toEqual(
        Array(2).fill(kind === 'between'),
      );
      expect(RUNS[measurement]).toBeDefined();
      expect(words).toMatch(/\.$/);
    }
    for (const { upper, lower } of couplings)
      expect(ids).toEqual(expect.arrayContaining([upper, lower]));
  });

  it('names a source or our own choice for each number', () => {
    const bases = [...rules, ...(chart?.measurements ?? [])].map(({ basis }) => basis);
    for (const basis of [...bases, ...(scene?.sources ?? [])]) {
      expect(basis).toMatch(
        /[Oo]ur own choice|definition|assumptions of ours|best case|\b(19|20)\d\d\b|not verified|read only as|\b(EN|ISO|DIN|NUREG|ADA)\b/,
      );
    }
  });
});

it('each id and former id is of one product', () => {
  const ids = PRODUCTS.flatMap(({ id, formerIds = [], scene }) => [
    ...[id, ...formerIds, ...(scene?.formerIds ?? [])],
  ]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(productById('workstation')?.id).toBe('desk');
});

it('old addresses show the product that stays', () => {
  expect(REACH_ADDRESS.read('template=workstation').template).toBe('desk');
  expect(REACH_ADDRESS.read('template=car').template).toBe('car-seat');
  expect(REACH_ADDRESS.read('template=cupboard').template).toBe('shelf');
  expect(SIZES_ADDRESS.read('product=school-chair').product).toBe('school-desk');
  expect(readFitView('product=cupboard').product).toBe('shelf');
});

it('the numbers of codes are those of the bases', () => {
  for (const [id, codes] of Object.entries(CODES)) {
    const bases =
      productById(id)
        ?.rules?.map(({ basis }) => basis)
        .join(' ') ?? '';
    for (const number of Object.values(codes)
      .join(' ')
      .match(/[\d,]+ (?=to|mm)/g) ?? [])
      expect([id, number, bases.includes(number.trim())]).toEqual([id, number, true]);
  }
});
