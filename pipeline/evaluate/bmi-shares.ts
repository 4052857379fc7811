import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import { bodyIndex, curveInverse } from '../../src/lookup/cell.js';
import { MASS_QUANTITIES, Z_COUNT } from '../../src/lookup/format.js';
import { type KnownShares, knownShares } from '../fit/covariates/bmi-shares.js';
import type { Fit } from '../fit/fit-model.js';
import { interpolate, mean } from '../numerics/numbers.js';
import { AGES_YEARS } from '../plans/axes.js';
import { bodyTable } from '../population-tables.js';
import { groupBy, share } from './metrics.js';

/** Served shares of people below one limit of BMI, compared with those of NCD-RisC in the reference year. */
export interface BmiShareScore {
  readonly people: string;
  readonly cells: number;
  /** Share of cells inside the 95 % interval, or within 3 points where no interval is printed. */
  readonly within: number;
  /** Mean of served − published (`biasPoints`), and mean of its absolute value, in points. */
  readonly biasPoints: number;
  readonly meanAbsPoints: number;
}

/** Names of the limits whose shares have an interval, by their index. */
const ADULTS = { 0: 'adults under 18.5 kg/m²', 3: 'adults under 30', 5: 'adults under 40' };
const CHILDREN = { 0: 'children under −2 SD', 3: 'children under +2 SD' };
export const THIN_BY_AGE = 'single ages under 18.5 kg/m²';
/** Largest distance of a share by age, in points. No interval is printed. */
const TOLERANCE_POINTS = 3;
const Z95 = 1.96;

/** Compares the shares in the column of BMI of an artifact, which is linear between the ages of adults. */
export function scoreBmiShares({ model, tables }: Fit): BmiShareScore[] {
  const quantiles = bodyTable(model);
  const size = { countries: COUNTRY_CODES.length, ages: AGES_YEARS.length };
  const [bmi, countries] = [MASS_QUANTITIES.indexOf('BMI'), COUNTRY_CODES as readonly string[]];
  /** Score of the share below a limit at an age. */
  const below = (gender: Gender, country: string, ageYears: number, lnLimit: number): number => {
    const cell = (age: number): Float32Array => {
      const [g, c, a] = [
        GENDERS.indexOf(gender),
        countries.indexOf(country),
        AGES_YEARS.indexOf(age),
      ];
      const from = bodyIndex(size, bmi, g, c, a);
      return quantiles.subarray(from, from + Z_COUNT);
    };
    const last = AGES_YEARS.findIndex((age) => age >= ageYears);
    const ages = [AGES_YEARS[last - 1] as number, AGES_YEARS[last] as number];
    const [young, old] = ages.map(cell) as [Float32Array, Float32Array];
    const knots = Float64Array.from(young, (value, i) =>
      interpolate(ages, [value, old[i] as number], ageYears),
    );
    return normalCdf(curveInverse(knots, Math.exp(lnLimit)), 0, 1);
  };
  const found = [...knownShares(tables)].flatMap(([key, { adults, children, byAge }]) => {
    const [country = '', gender] = key.split('|') as [string, Gender];
    const cells = (known: KnownShares | undefined, names: Readonly<Record<number, string>>) =>
      known === undefined || country === 'US'
        ? []
        : Object.entries(names).map(([index, people]) => {
            const { score, error } = known.below[Number(index)] as KnownShares['below'][number];
            const served = known.ages.reduce((sum, { ageYears, weight, lnLimits }) => {
              return (
                sum + weight * below(gender, country, ageYears, lnLimits[Number(index)] as number)
              );
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
