import { beforeAll, expect, it } from 'vitest';
import { GENDERS } from '../../src/core/genders.js';
import type { FreeAnswers } from '../../src/pages/screens/shared/free-computations.js';
import { realArtifacts } from '../support/servers.js';
import { answersFrom, checkPicture, PRODUCT_IDS, tapedLines } from './product-pictures.js';

let free: FreeAnswers;
beforeAll(async () => {
  free = answersFrom(await realArtifacts());
});

it.each(PRODUCT_IDS)(
  'the picture of a %s has the dimensions of people of all ages',
  async (product) => {
    let compared = 0;
    for (const gender of GENDERS) {
      for (const ageYears of [4, 8, 12, 30, 80]) {
        for (const percentile of [5, 50, 95]) {
          compared += await checkPicture(product, { gender, ageYears, percentile }, free);
        }
      }
    }
    expect(compared).toBe(GENDERS.length * 5 * 3 * tapedLines(product));
  },
);
