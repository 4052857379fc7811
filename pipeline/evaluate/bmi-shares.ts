import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { type KnownShares, knownShares } from '../fit/covariates/bmi-shares.js';
import type { SourceTables } from '../raw-tables/source-tables.js';
import type { Asked } from './asked.js';
import { share, summarise, summariseBy } from './metrics.js';

/** Names of the limits whose shares have an interval, by their index. */
const ADULTS = { 0: 'adults under 18.5 kg/m²', 3: 'adults under 30', 5: 'adults under 40' };
const CHILDREN = { 0: 'children under −2 SD', 3: 'children under +2 SD' };
export const THIN_BY_AGE = 'single ages under 18.5 kg/m²';
/** Largest distance of a share by age, in points. No interval is printed. */
const TOLERANCE_POINTS = 3;
const Z95 = 1.96;

/**
 * Compares served shares of people below limits of BMI with those of NCD-RisC in the reference year, in points: served −
 * published. A cell is within if it is inside the 95 % interval, or within 3 points where none is printed.
 */
export function scoreBmiShares(asked: Asked, tables: SourceTables) {
  const sharesOf = knownShares(tables);
  const countries = COUNTRY_CODES.filter((country) => country !== 'US');
  const found = countries.flatMap((country) =>
    GENDERS.flatMap((gender) => {
      const cells = (known: KnownShares, isPrinted: boolean, names: Record<number, string>) =>
        Object.entries(names).map(([index, people]) => {
          const { score, error } = known.below[Number(index)];
          const served = known.ages.reduce((sum, { ageYears, weight, lnLimits }) => {
            const limit = Math.exp(lnLimits[Number(index)]);
            return sum + weight * asked.known('BMI', { gender, country, ageYears }).below(limit);
          }, 0);
          const points = 100 * (served - normalCdf(score, 0, 1));
          const away = Math.abs(normalQuantile(served, 0, 1) - score);
          const within = isPrinted ? away <= Z95 * error : Math.abs(points) <= TOLERANCE_POINTS;
          return { people, points, within };
        });
      const { adults, children, byAge } = sharesOf(gender, country);
      return [
        ...(adults ? cells(adults, true, ADULTS) : []),
        ...(children ? cells(children, true, CHILDREN) : []),
        ...byAge.flatMap((known) => cells(known, false, { 0: THIN_BY_AGE })),
      ];
    }),
  );
  return summariseBy(found, ['people'], (cells) => ({
    within: share(cells, ({ within }) => within),
    ...summarise(cells.map(({ points }) => points)),
  }));
}
