import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { dimensionRow, evidenceIndex } from '../../src/lookup/cell.js';
import { GRADES } from '../../src/lookup/format.js';
import type { Asked } from './asked.js';

/** Half the width of a 90 % interval, in standard errors. */
const HALF_90 = 1.645;

/**
 * Grades and intervals of all medians, by age: number of cells (dimension, gender, country) with each grade of `GRADES`,
 * and the median of half the 90 % interval, as a share of the median of the dimension.
 */
export function summariseEvidence({ views }: Asked) {
  const { grade, lnMedianSd } = views.population;
  const ages = views.manifest.population.evidenceAgesYears;
  return ages.map((ageYears, a) => {
    const counts = GRADES.map(() => 0);
    const sds: number[] = [];
    MEASUREMENT_NAMES.forEach((_, m) => {
      GENDERS.forEach((__, g) => {
        COUNTRY_CODES.forEach((___, c) => {
          const row = dimensionRow(m, g);
          const at = evidenceIndex(COUNTRY_CODES.length, ages.length, row, c, a);
          const found = grade[at];
          if (found < 0) return;
          counts[found] = counts[found] + 1;
          sds.push(lnMedianSd[at]);
        });
      });
    });
    sds.sort((x, y) => x - y);
    return { ageYears, counts, halfInterval: HALF_90 * sds[sds.length >> 1] };
  });
}
