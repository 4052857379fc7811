import type { Gender } from '../../../src/core/genders.js';
import type { HeightLoss } from '../../model/fitted-model.js';
import { interpolate } from '../../numerics/numbers.js';
import type { SourceTables } from '../../raw-tables/source-tables.js';
import { cohortSeries } from './cohort-stature.js';

/** Loss begins about 40 (Cline 1989, Hum. Biol. 61(3)). */
const ONSET_YEARS = 40;
/** Oldest age in the published studies; above it the loss continues at the rate reached. */
const LAST_OBSERVED_YEARS = 85;
/** Above this age nothing is known, so no more loss is added. */
const LAST_EXTRAPOLATED_YEARS = 100;

/** Surveys with several age bands of adults: periods of NHANES, with the year in their middle. */
const BANDED = [
  { period: '1999-2006', year: 2003 },
  { period: '2011-2023', year: 2017 },
] as const;
/** Ages of the bands: grown people, without the open group of 80 and over. */
const BANDS_YEARS = { from: 25, to: 80 } as const;
/**
 * SD (mm) of the error in the trend of cohorts between the young and the old people of a survey. It is the
 * difference of the two vintages of NCD-RisC, for each of the two cohorts that are compared.
 */
const TREND_ERROR_MM = Math.SQRT2 * 10;

function shape(ageYears: number): number {
  const observed = Math.max(0, Math.min(ageYears, LAST_OBSERVED_YEARS) - ONSET_YEARS);
  const beyond = Math.max(0, Math.min(ageYears, LAST_EXTRAPOLATED_YEARS) - LAST_OBSERVED_YEARS);
  return observed ** 2 + 2 * observed * beyond;
}

/** A figure and its variance. */
interface Estimate {
  readonly value: number;
  readonly variance: number;
}

/** Least-squares coefficient k of the published losses. Its variance comes from their scatter. */
function publishedRate(losses: readonly (readonly [x: number, mm: number])[]): Estimate {
  let [xy, xx] = [0, 0];
  for (const [x, mm] of losses) {
    xy += x * mm;
    xx += x * x;
  }
  const value = xy / xx;
  const squares = losses.reduce((sum, [x, mm]) => sum + x * x * (mm - value * x) ** 2, 0);
  return { value, variance: squares / (xx * xx) };
}

/**
 * The coefficient k in one survey. The stature of birth cohorts is subtracted from the band means. The rest
 * is regressed on the shape of the loss, with an intercept of the survey's own.
 */
function bandedRate(
  bands: readonly { readonly x: number; readonly mm: number; readonly n: number }[],
): Estimate {
  const people = bands.reduce((sum, { n }) => sum + n, 0);
  const mean = (pick: (band: (typeof bands)[number]) => number) =>
    bands.reduce((sum, band) => sum + band.n * pick(band), 0) / people;
  const [meanX, meanMm] = [mean(({ x }) => x), mean(({ mm }) => mm)];
  const xx = mean(({ x }) => (x - meanX) ** 2);
  const xy = mean(({ x, mm }) => (x - meanX) * (mm - meanMm));
  const longest = Math.max(...bands.map(({ x }) => x));
  return { value: -xy / xx, variance: (TREND_ERROR_MM / longest) ** 2 };
}

/**
 * Fits loss = k (age − 40)² for each gender. The loss is quadratic because its rate rises linearly with
 * age, as Sorkin 1999 (Am. J. Epidemiol. 150:969) describes. The prior is the least-squares fit to the
 * published losses between two ages (`height-loss`). The data are surveys with several bands of age. The
 * trend of birth cohorts is removed from them, and each survey has its own intercept. Otherwise the loss
 * could not be told apart from the bias of cohorts.
 *
 * Without the table of birth cohorts, only the published losses are used.
 */
export function fitHeightLoss({
  heightLoss,
  cohorts,
  nhanes,
}: Pick<SourceTables, 'heightLoss' | 'cohorts' | 'nhanes'>): HeightLoss {
  const ofAmericans = cohortSeries(cohorts);
  const published = (gender: Gender): Estimate => {
    const column = gender === 'Male' ? 'male_mm' : 'female_mm';
    return publishedRate(
      heightLoss.flatMap((row): [number, number][] => {
        const x = shape(Number(row.to_age_years)) - shape(Number(row.from_age_years));
        return row[column] === null || !(x > 0) || !(Number(row[column]) > 0)
          ? []
          : [[x, Number(row[column])]];
      }),
    );
  };
  const banded = (gender: Gender): Estimate[] => {
    const born = ofAmericans.get(gender, 'US');
    if (born === undefined) return [];
    return BANDED.map(({ period, year }) =>
      bandedRate(
        nhanes.groupsOf(gender, `${period}/`).flatMap(([ages, group]) => {
          if (ages.startsWith('m') || !group.moments.has('Stature')) return [];
          const ageYears = group.moment('AgeYears').mean;
          if (ageYears < BANDS_YEARS.from || ageYears >= BANDS_YEARS.to) return [];
          const { mean, n } = group.moment('Stature');
          const mm = mean - interpolate(born.years, born.means, year - ageYears);
          return [{ x: shape(ageYears), mm, n }];
        }),
      ),
    );
  };
  const rateOf = (gender: Gender): number => {
    const prior = published(gender);
    const surveys = banded(gender);
    if (surveys.length === 0) return prior.value;
    // The surveys share the trend of cohorts, so two surveys are not more certain than one.
    const value = surveys.reduce((sum, rate) => sum + rate.value, 0) / surveys.length;
    const variance = Math.max(...surveys.map((rate) => rate.variance));
    const weight = prior.variance / (prior.variance + variance);
    return prior.value + weight * (value - prior.value);
  };
  const rate = { Male: rateOf('Male'), Female: rateOf('Female') };
  return (gender, ageYears) => rate[gender] * shape(ageYears);
}
