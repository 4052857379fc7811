import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import type { CountryCode } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import { type KnownShares, knownShares } from '../fit/covariates/bmi-shares.js';
import { mean } from '../numerics/numbers.js';
import type { SourceTables } from '../raw-tables/source-tables.js';
import type { Asked } from './asked.js';
import { groupBy, share } from './metrics.js';

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
  const found = [...knownShares(tables)].flatMap(([key, { adults, children, byAge }]) => {
    const [country, gender] = key.split('|') as [CountryCode, Gender];
    const cells = (known: KnownShares | undefined, names: Readonly<Record<number, string>>) =>
      known === undefined || country === 'US'
        ? []
        : Object.entries(names).map(([index, people]) => {
            const { score, error } = known.below[Number(index)] as KnownShares['below'][number];
            const served = known.ages.reduce((sum, { ageYears, weight, lnLimits }) => {
              const limit = Math.exp(lnLimits[Number(index)] as number);
              return sum + weight * asked.known('BMI', { gender, country, ageYears }).below(limit);
            }, 0);
            const points = 100 * (served - normalCdf(score, 0, 1));
            const away = Math.abs(normalQuantile(served, 0, 1) - score);
            const within =
              known === adults || known === children
                ? away <= Z95 * error
                : Math.abs(points) <= TOLERANCE_POINTS;
            return { people, points, within };
          });
    return [
      ...cells(adults, ADULTS),
      ...cells(children, CHILDREN),
      ...byAge.flatMap((known) => cells(known, { 0: THIN_BY_AGE })),
    ];
  });
  return groupBy(found, ({ people }) => people).map(([people, all]) => ({
    people,
    cells: all.length,
    within: share(all, ({ within }) => within),
    biasPoints: mean(all.map(({ points }) => points)),
    meanAbsPoints: mean(all.map(({ points }) => Math.abs(points))),
  }));
}
