import { beforeAll, expect, it } from 'vitest';
import type { FreeAnswers } from '../../src/pages/screens/shared/free-computations.js';
import { realArtifacts } from '../support/servers.js';
import { answersFrom, checkPicture, PRODUCT_IDS } from './product-pictures.js';

let free: FreeAnswers;
beforeAll(async () => {
  free = answersFrom(await realArtifacts());
});

it('has nine products', () => {
  expect(PRODUCT_IDS).toHaveLength(9);
});

// `product-pictures.long.test.ts` has all genders, ages and percentiles.
it.each(PRODUCT_IDS)('the picture of a %s has the dimensions of its person', async (product) => {
  await checkPicture(product, { gender: 'Female', ageYears: 30, percentile: 50 }, free);
  await checkPicture(product, { gender: 'Male', ageYears: 8, percentile: 95 }, free);
});
