import { inverse, Matrix } from 'ml-matrix';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { placeOf } from '../../../src/core/regions.js';
import type { CohortStature, CohortStatures, HeightLoss } from '../../model/fitted-model.js';
import {
  type DampedTrend,
  fitTrend,
  projected,
  projectionError,
} from '../../numerics/damped-trend.js';
import { interpolate, mean, median, memoise } from '../../numerics/numbers.js';
import { ByPopulation } from '../../raw-tables/by-population.js';
import type { Rows, SourceTables } from '../../raw-tables/source-tables.js';
import type { Survey } from '../../raw-tables/surveys.js';
import { gapError, TRUE_GAP_SD, worldGap } from './gender-gaps.js';

/** Last birth year of the cohort table; later cohorts are projected. */
const LAST_COHORT = 1996;
/** Years of birth between two rows of the cohort table. */
const COHORT_STEP_YEARS = 4;
/** Steps ahead for which the trend is fitted: to 2016, because adults of 18 in 2035 are born in 2017. */
const TREND_STEPS = 5;
/**
 * Number of last rows to which the trend is fitted: 48 years. Earlier in the century, growth accelerated,
 * and a trend fitted to those years would hardly slow down.
 */
const TREND_ROWS = 13;
/** First and last cohort whose height at 19 years the newer vintage has, in 1985 and in 2019. */
const [FIRST_RECENT, LAST_RECENT] = [1966, 2000] as const;
/** The newer vintage's weight fades to 0 over this many years before its first cohort. */
const FADE_YEARS = 40;
/**
 * Variance (mm²) added to that of each vintage. The two vintages differ by 17 mm on average, far more than
 * their intervals allow (`data/raw/ncdrisc-2020/SOURCE.md`).
 */
const VINTAGE_VARIANCE = 10 ** 2;

/**
 * SDs (mm) of the parts of the bias of NCD-RisC's cohorts: the part that all countries share, those of a
 * super-region and a region, and the country's own. Each part has the mean 0. Measured samples show the
 * bias. The SDs were chosen by leaving samples out; `docs/accuracy.md` has the errors.
 */
const BIAS_SD_MM = { world: 2, superregion: 3, region: 3, country: 6 } as const;
/** SD (mm) of a measured sample's own error: sampling, instrument, and who was chosen. */
const SAMPLE_SD_MM = 4;
/** Correlation of the bias of men and women of one country; assumed. */
const GENDERS_SHARE = 0.5;
/** Years of birth after which the correlation of the bias has fallen to 1 ÷ e; assumed. */
const BIAS_YEARS = 30;
/** Minimum number of people in a measured sample of the general population. */
const FEWEST_PEOPLE = 500;

interface Level {
  readonly meanMm: number;
  readonly variance: number;
}

/** Adult stature by birth year of one country and gender. */
export interface CohortSeries {
  readonly years: number[];
  readonly means: number[];
  /** Variances of the means (mm²), with the variance of the vintage. */
  readonly variances: number[];
}

/** The cohort table; empty where it was left out. */
export const cohortSeries = (rows: Rows = []): ByPopulation<CohortSeries> =>
  ByPopulation.of(rows, (own) => ({
    years: own.map((row) => Number(row.birth_year)),
    means: own.map((row) => Number(row.mean_mm)),
    variances: own.map((row) => Number(row.se_mm) ** 2 + VINTAGE_VARIANCE),
  }));

/** The newer vintage of one country and gender. */
interface Recent extends Level {
  /** Mean (mm) of the cohort of `FIRST_RECENT`, where the table of children is present. */
  readonly earlierMm: number | undefined;
}

function recentOf({ statureAt19 = [], statureAt19ByYear = [] }: SourceTables) {
  const earlier = ByPopulation.of(
    statureAt19ByYear.filter((row) => Number(row.year) === 1985),
    ([row]) => Number(row.mean_mm),
  );
  return ByPopulation.of(statureAt19, ([row], { gender, country }): Recent => {
    const variance = Number(row.se_mm) ** 2 + VINTAGE_VARIANCE;
    return { meanMm: Number(row.mean_mm), variance, earlierMm: earlier.get(gender, country) };
  });
}

/** Damped trend of cohorts, from the last rows of each series of means. */
export function cohortTrend(all: readonly (readonly number[])[], steps: number): DampedTrend {
  return fitTrend(
    all.map((means) => means.slice(-TREND_ROWS)),
    steps,
  );
}

/** A sample of the general population of one country whose stature was measured. */
export interface MeasuredSample {
  readonly country: string;
  readonly gender: Gender;
  readonly year: number;
  readonly agesYears: readonly [from: number, to: number];
  readonly meanMm: number;
}

/**
 * Samples of the general population with their range of ages, from `stature-sd`. Samples of students, of
 * regions and of several countries are left out.
 */
export function measuredSamples(
  rows: Rows,
): (MeasuredSample & { readonly sdMm: number; readonly n: number })[] {
  return rows.flatMap((row) => {
    const ages = /^(\d+)-(\d+)$/.exec(String(row.age));
    const known = (COUNTRY_CODES as readonly string[]).includes(String(row.country));
    if (ages === null || !known || row.kind !== 'measured') return [];
    if (!(Number(row.n) >= FEWEST_PEOPLE)) return [];
    return [
      {
        country: String(row.country),
        gender: row.gender as Gender,
        year: Number(row.year),
        agesYears: [Number(ages[1]), Number(ages[2])] as const,
        meanMm: Number(row.mean_mm),
        ...{ sdMm: Number(row.sd_mm), n: Number(row.n) },
      },
    ];
  });
}

/** Period of NHANES, the year in its middle, and the ages of the adults whose cohorts it measures. */
const NHANES = { period: '2011-2023/', year: 2017, fromYears: 20, toYears: 60 } as const;

/** The age groups of NHANES as samples of the United States. */
export function measuredAmericans(nhanes: Survey): MeasuredSample[] {
  return GENDERS.flatMap((gender) =>
    nhanes.groupsOf(gender, NHANES.period).flatMap(([ages, group]) => {
      const [, from, to] = /^(\d+)-(\d+)$/.exec(ages) ?? [];
      if (from === undefined || to === undefined) return [];
      if (Number(from) < NHANES.fromYears || Number(to) >= NHANES.toYears) return [];
      const { mean: meanMm } = group.moment('Stature');
      const agesYears = [Number(from), Number(to)] as const;
      return [{ country: 'US', gender, year: NHANES.year, agesYears, meanMm }];
    }),
  );
}

/** Mean (mm) that a level of cohorts predicts for a sample. All ages of the sample have the same weight. */
export function predictedMean(
  { country, gender, year, agesYears: [from, to] }: Omit<MeasuredSample, 'meanMm'>,
  cohortMm: (gender: Gender, country: string, birthYear: number) => number,
  heightLoss: HeightLoss,
): number {
  const ages = Array.from({ length: to - from + 1 }, (_, i) => from + i + 0.5);
  return mean(ages.map((age) => cohortMm(gender, country, year - age) - heightLoss(gender, age)));
}

type Bias = (gender: Gender, country: string, birthYear: number) => Level;

/**
 * Estimates the bias of the cohorts' level from measured samples: the best linear unbiased prediction
 * (Robinson 1991, Stat. Sci. 6:15) with the variances of `BIAS_SD_MM`.
 *
 * @returns the addition to a cohort (mm), and the variance that the samples take away
 */
function fitBias(
  samples: readonly MeasuredSample[],
  cohortMm: (gender: Gender, country: string, birthYear: number) => number,
  heightLoss: HeightLoss,
): Bias {
  if (samples.length === 0) return () => ({ meanMm: 0, variance: 0 });
  const about = samples.map((sample) => ({
    ...{ gender: sample.gender, country: sample.country },
    birthYear: sample.year - mean(sample.agesYears) - 0.5,
  }));
  type Cohort = (typeof about)[number];
  const shared = (a: Cohort, b: Cohort): number => {
    const [one, other] = [placeOf(a.country), placeOf(b.country)];
    let variance = BIAS_SD_MM.world ** 2;
    if (one.superregion === other.superregion) variance += BIAS_SD_MM.superregion ** 2;
    if (one.region === other.region) variance += BIAS_SD_MM.region ** 2;
    if (a.country === b.country) variance += BIAS_SD_MM.country ** 2;
    const near = Math.exp(-Math.abs(a.birthYear - b.birthYear) / BIAS_YEARS);
    return variance * near * (a.gender === b.gender ? 1 : GENDERS_SHARE);
  };
  const covariance = new Matrix(
    about.map((a, i) => about.map((b, j) => shared(a, b) + (i === j ? SAMPLE_SD_MM ** 2 : 0))),
  );
  const precision = inverse(covariance);
  const gaps = samples.map(({ meanMm, ...sample }) => {
    return meanMm - predictedMean(sample, cohortMm, heightLoss);
  });
  const weights = precision.mmul(Matrix.columnVector(gaps)).to1DArray();
  // Columns, in which the sums below run.
  const precisions = precision.transpose().to2DArray();
  return (gender, country, birthYear) => {
    const covariances = about.map((sample) => shared(sample, { gender, country, birthYear }));
    let [meanMm, variance] = [0, 0];
    covariances.forEach((value, i) => {
      const row = precisions[i];
      let sum = 0;
      for (let j = 0; j < row.length; j++) sum += covariances[j] * row[j];
      meanMm += value * weights[i];
      variance += sum * value;
    });
    return { meanMm, variance };
  };
}

/**
 * Combines the two vintages of one study into the level of each cohort. Their mean has the error of one
 * vintage.
 */
function vintages(
  cohorts: ByPopulation<CohortSeries>,
  recent: ByPopulation<Recent>,
  trend: DampedTrend | undefined,
): (gender: Gender, country: string, birthYear: number) => Level {
  /** The older vintage. */
  const older = ({ years, means, variances }: CohortSeries, birthYear: number): Level => {
    const variance = interpolate(years, variances, birthYear);
    if (trend === undefined || birthYear <= LAST_COHORT) {
      return { meanMm: interpolate(years, means, birthYear), variance };
    }
    const steps = (birthYear - LAST_COHORT) / COHORT_STEP_YEARS;
    const error = projectionError(trend, steps);
    // A decline is smaller than its error, so it does not go on.
    const meanMm = Math.max(means[means.length - 1], projected(means, steps, trend.phi));
    return { meanMm, variance: variance + error ** 2 };
  };
  return (gender, country, birthYear) => {
    const series = cohorts.get(gender, country);
    const fresh = recent.get(gender, country);
    if (series === undefined) {
      if (fresh === undefined) throw new Error(`no stature of ${country}, ${gender}`);
      const { meanMm, variance, earlierMm = meanMm } = fresh;
      const known = [FIRST_RECENT, LAST_RECENT];
      return { meanMm: interpolate(known, [earlierMm, meanMm], birthYear), variance };
    }
    const cohort = older(series, birthYear);
    if (fresh === undefined) return cohort;
    /** Weight of the newer vintage at a cohort, and how far the newer vintage moves the older one. */
    const moved = (at: number, meanMm: number) => {
      const { variance, ...then } = older(series, at);
      const weight = variance / (variance + fresh.variance);
      return { weight, correction: weight * (meanMm - then.meanMm) };
    };
    const last = moved(LAST_RECENT, fresh.meanMm);
    const { earlierMm } = fresh;
    const moves =
      earlierMm === undefined
        ? [{ year: LAST_RECENT, ...last }]
        : [
            { year: FIRST_RECENT, ...moved(FIRST_RECENT, earlierMm) },
            { year: LAST_RECENT, ...last },
          ];
    const known = [moves[0].year - FADE_YEARS, ...moves.map(({ year }) => year)];
    const at = (pick: (of: typeof last) => number) =>
      interpolate(known, [0, ...moves.map(pick)], birthYear);
    const weight = at((of) => of.weight);
    return {
      meanMm: cohort.meanMm + at((of) => of.correction),
      // Both vintages rest on the same surveys, so their errors do not average out.
      variance: (1 - weight) * cohort.variance + weight * fresh.variance,
    };
  };
}

/**
 * Fits adult stature by birth cohort. Two vintages of one study are weighted by their standard errors, and
 * measured samples correct their bias. Cohorts after `LAST_COHORT` continue with a damped trend, or hold if it falls.
 *
 * @param measured samples of the general population
 * @throws Error when both vintages are left out
 */
export function fitCohortStature(
  tables: SourceTables,
  heightLoss: HeightLoss,
  measured: readonly MeasuredSample[],
): CohortStatures {
  const cohorts = cohortSeries(tables.cohorts);
  const recent = recentOf(tables);
  const means = cohorts.values.map((series) => series.means);
  if (means.length === 0 && recent.values.length === 0) {
    throw new Error(
      'Both sources of country stature are left out; keep ncdrisc-2016 or ncdrisc-2020.',
    );
  }
  const trend = means.length === 0 ? undefined : cohortTrend(means, TREND_STEPS);
  const level = vintages(cohorts, recent, trend);
  const known = measured.filter(
    ({ country, gender }) => cohorts.get(gender, country) ?? recent.get(gender, country),
  );
  const bias = fitBias(known, (...cohort) => level(...cohort).meanMm, heightLoss);
  const read = (gender: Gender, country: string, birthYear: number): CohortStature => {
    const { meanMm, variance } = level(gender, country, birthYear);
    const shown = bias(gender, country, birthYear);
    return {
      meanMm: meanMm + shown.meanMm,
      errorMm: Math.sqrt(Math.max(variance - shown.variance, SAMPLE_SD_MM ** 2)),
    };
  };
  return withShrunkGaps(read);
}

/**
 * Shrinks the gap of the genders of each country to the world's, because a large gap comes from few surveys of one
 * gender. The standard errors of the tables are scaled so that they explain the scatter of the gaps beside
 * `TRUE_GAP_SD`. The genders share the error by their variances.
 */
function withShrunkGaps(read: CohortStatures): CohortStatures {
  const ofCountryAt = (country: string, birthYear: number) => {
    const [men, women] = [read('Male', country, birthYear), read('Female', country, birthYear)];
    const [male, female] = [men, women].map(({ meanMm, errorMm }) => (errorMm / meanMm) ** 2);
    const [lnMale, lnFemale] = [Math.log(men.meanMm), Math.log(women.meanMm)];
    const gap = lnMale - lnFemale;
    return { Male: men, Female: women, lnMean: (lnMale + lnFemale) / 2, gap, male, female };
  };
  const years = memoise((country: string) =>
    memoise((birthYear: number) => ofCountryAt(country, birthYear)),
  );
  const ofCountry = (country: string, birthYear: number) => years(country)(birthYear);
  const world = memoise((birthYear: number) => {
    const all = COUNTRY_CODES.map((country) => ofCountry(country, birthYear));
    const of = worldGap(all);
    const printed = median(all.map(({ male, female }) => male + female));
    return { of, scale: Math.max(0, of.sd ** 2 - TRUE_GAP_SD ** 2) / printed };
  });
  return (gender, country, birthYear) => {
    const genders = ofCountry(country, birthYear);
    const cohort = genders[gender];
    const { male, female } = genders;
    const { of, scale } = world(birthYear);
    const error = gapError(genders, of, scale * (male + female));
    const share = gender === 'Male' ? -male / (male + female) : female / (male + female);
    return { ...cohort, meanMm: cohort.meanMm * Math.exp(share * error) };
  };
}
