import { COUNTRY_CODES } from '../../src/core/countries.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { calibrationGroup } from '../fit/calibration/calibration.js';
import { USUAL_AGE_YEARS } from '../fit/calibration/study-regression.js';
import { PEOPLE_MIN } from '../fit/covariates/covariate-errors.js';
import { medianErrors } from '../fit/evidence/uncertainty.js';
import type { Fit } from '../fit/fit-model.js';
import { bodyMarginal } from '../model/covariates.js';
import { countryCovariates } from '../model/fitted-model.js';
import { Populations } from '../model/population.js';
import type { Marginal } from '../numerics/marginal.js';
import { mean } from '../numerics/numbers.js';
import { EVIDENCE_AGES_YEARS, FIRST_YEAR, LAST_YEAR, YEARS_FROM_AGE } from '../plans/axes.js';
import type { Study } from '../raw-tables/studies.js';
import type { Fold, FoldKind } from './folds.js';
import { meanAbs, summariseBy } from './metrics.js';
import type { StudyLearner } from './predictors.js';
import { coverageOf, gradeKey, type Interval } from './survey-intervals.js';
import { type NhanesError, withoutNhanes } from './us-nhanes.js';

/** A figure of a left-out survey against the answer that a user is served for its people. */
export interface ServedRow extends Interval {
  /** Key of the group of dimensions: `STATURE`, `MASS` or a group of the calibration. */
  readonly kind: string;
  readonly ageYears: number;
  /** The dimension and its SD in mm, for a national study. */
  readonly name?: MeasurementName;
  readonly sdMm?: number;
}

export const STATURE = 'stature';
export const MASS = 'body mass';
/** First ages of the bands of age, years, with their keys. */
const BANDS = {
  0: 'under 5 years',
  5: '5 to 17 years',
  18: '18 to 59 years',
  60: '60 years and over',
};

function bandOf(ageYears: number): string {
  const [, band = ''] = Object.entries(BANDS).findLast(([from]) => ageYears >= Number(from)) ?? [];
  return band;
}

/** Year of the oldest studies that are scored. A study from before `FIRST_YEAR` counts as one of that year. */
const OLDEST_STUDY_YEAR = FIRST_YEAR - 5;

/** The year in which a study is scored; undefined for a study that is too old. */
export function yearScored({ year }: Pick<Study, 'year'>): number | undefined {
  return year < OLDEST_STUDY_YEAR ? undefined : Math.min(LAST_YEAR, Math.max(FIRST_YEAR, year));
}

/** ln of the mean of a distribution of ln of a quantity. */
const lnMean = ({ mean, sd, skew }: Marginal): number => mean + sd ** 2 / 2 + (skew * sd ** 3) / 6;

/**
 * Errors of the answers for the country, gender, mean age and year of each national study since 1985 of at least
 * `PEOPLE_MIN` people (25 years if it states no age). What is learned from national studies is learned without its
 * family, or its country, also effects of age and the sitting height of pupils. These stay: the spread of stature, which
 * does not move a mean; growth after 18, the loss of stature and the upper arm by age, which come from Americans and
 * from publications; and the stature and BMI of NCD-RisC, which are not surveys of dimensions. The unit is the SD in the
 * United States at that age.
 */
function servedStudies(
  fit: Fit,
  { variancesOf }: StudyLearner,
  folds: readonly Fold[],
): ServedRow[] {
  const errorsOf = medianErrors(fit, EVIDENCE_AGES_YEARS);
  const national = new Set(fit.studies);
  return folds.flatMap(({ train, test, variancesFrom }) => {
    const scored = test.flatMap((study) => {
      const { n, ageMean: age = USUAL_AGE_YEARS } = study;
      const [year, country] = [
        yearScored(study),
        COUNTRY_CODES.find((one) => one === study.country),
      ];
      if (year === undefined || country === undefined || country === 'US') return [];
      return n < PEOPLE_MIN || age < YEARS_FROM_AGE ? [] : [{ study, year, country, age }];
    });
    if (scored.length === 0) return [];
    const others = train.filter((study) => national.has(study));
    const learned = fit.relearned(others, variancesOf(variancesFrom));
    const { joint: _, ...model } = learned.model;
    const [populations, errors] = [new Populations(model), errorsOf(learned)];
    return scored.flatMap(({ study, year, country, age }) => {
      const { gender, n, rows, statureMm, bmi, lnBmiError } = study;
      const about = { ageYears: age, people: n };
      const cohort = populations.of(gender, country, year).at(age);
      const rowOf = (kind: string, name: MeasurementName, meanMm: number): ServedRow => {
        const { lnSd, inSd } = errors(gender, name)(country, age);
        const error = lnMean(cohort.marginal(name)) - Math.log(meanMm);
        const sdMm = (meanMm * lnSd) / inSd;
        return { ...about, kind, name, sdMm, errorSd: (error * inSd) / lnSd, expectedSd: inSd };
      };
      const served = rows.flatMap(({ measurement, match, meanMm }): ServedRow[] => {
        const isModelled = model.military[gender].has(measurement);
        if (match !== 'exact' || measurement === 'Stature' || !isModelled) return [];
        return [rowOf(calibrationGroup(measurement), measurement, meanMm)];
      });
      if (statureMm === undefined) return served;
      served.push(rowOf(STATURE, 'Stature', statureMm));
      if (bmi === undefined || lnBmiError !== undefined) return served;
      const mass = bodyMarginal('BodyMass', countryCovariates(model, gender, country, age, year));
      const error = lnMean(mass) - Math.log(bmi * (statureMm / 1000) ** 2);
      const { lnBmi, lnStature } = learned.errors;
      const expected = Math.hypot(lnBmi(gender, country, age), 2 * lnStature(gender, country, age));
      served.push({
        ...about,
        kind: MASS,
        errorSd: error / mass.sd,
        expectedSd: expected / mass.sd,
      });
      return served;
    });
  });
}

/** Errors of medians of the United States, each dimension predicted by a model that has not seen it in NHANES. */
function servedNhanes(fit: Fit, nhanes: readonly NhanesError[]): ServedRow[] {
  const leftOut = nhanes.filter(
    ({ status, percentile }) => status === 'left out' && percentile === 50,
  );
  const names = new Set(leftOut.map(({ measurement }) => measurement));
  return [...names].flatMap((name) => {
    const model = withoutNhanes(fit.model, fit.sources, name);
    const errors = medianErrors({ ...fit, model }, EVIDENCE_AGES_YEARS)(fit);
    return leftOut.flatMap(({ measurement, gender, ageYears, errorSd, n }) => {
      if (measurement !== name) return [];
      const expectedSd = errors(gender, name)('US', ageYears).inSd;
      return [{ kind: calibrationGroup(name), ageYears, errorSd, expectedSd, people: n }];
    });
  });
}

/**
 * Coverage over all rows, and by grade, kind and band of age. Surveys of small children are many, so they are scored by
 * themselves.
 */
export function servedCoverage(rows: readonly ServedRow[]) {
  const keyed = rows.flatMap((row) => {
    const band = bandOf(row.ageYears);
    const keys = band === BANDS[0] ? [band] : [gradeKey(row), row.kind, band];
    return keys.map((key) => ({ ...row, key }));
  });
  return [{ key: 'all', ...coverageOf(rows) }, ...summariseBy(keyed, ['key'], coverageOf)];
}

/** Dimensions that designers ask for first. */
const SHOWN: readonly MeasurementName[] = [
  'Stature',
  'SittingHeight',
  'ButtockKneeLength',
  'PoplitealHeight',
  'SittingHipBreadth',
  'ShoulderBreadthBideltoid',
  'ChestCircumferenceNipple',
  'HandLength',
  'FootLength',
  'HeadGirth',
];

/** Errors of the dimensions in `SHOWN` in mm: of each study, their mean size, and half the mean width of the intervals. */
function errorsInMm(rows: readonly ServedRow[]) {
  return SHOWN.flatMap((name) => {
    const own = rows.filter((row) => row.name === name);
    if (own.length === 0) return [];
    const mmOf = (scoreOf: (row: ServedRow) => number) =>
      own.map((row) => scoreOf(row) * (row.sdMm ?? Number.NaN));
    const errorsMm = mmOf(({ errorSd }) => errorSd);
    const halfWidthMm = mean(mmOf((row) => coverageOf([row]).halfWidthSd));
    return [
      {
        ...{ name, studies: own.length, meanAbsMm: meanAbs(errorsMm), halfWidthMm },
        errorsMm: errorsMm.map((mm) => Math.round(10 * mm) / 10),
      },
    ];
  });
}

/** Coverage with families left out, and with countries left out. */
type ServedScores = Readonly<Record<FoldKind, ReturnType<typeof servedCoverage>>>;

/**
 * Scores the answers on all left-out surveys; errors in mm are those of national studies whose families are left out.
 *
 * @param children rows of small children, whose surveys are left out in eight parts
 */
export function scoreServed(
  fit: Fit,
  learner: StudyLearner,
  folds: Readonly<Record<FoldKind, readonly Fold[]>>,
  nhanes: readonly NhanesError[],
  children: readonly ServedRow[],
): ServedScores & { readonly inMm: ReturnType<typeof errorsInMm> } {
  const others = [...servedNhanes(fit, nhanes), ...children];
  const [family, country] = (['family', 'country'] as const).map((kind) =>
    servedStudies(fit, learner, folds[kind]),
  ) as [ServedRow[], ServedRow[]];
  return {
    family: servedCoverage([...family, ...others]),
    country: servedCoverage([...country, ...others]),
    inMm: errorsInMm(family),
  };
}

/** Groups whose share inside the 90 % interval has a goal, by the name of the figure. */
const HELD = {
  servedGradeA: 'grade A',
  servedGradeB: 'grade B',
  servedGradeC: 'grade C',
  servedGradeD: 'grade D',
  servedGirths: 'girths, breadths and depths',
  servedLengths: 'heights, lengths and reaches',
  servedUnder5: BANDS[0],
  servedFrom5: BANDS[5],
  servedFrom18: BANDS[18],
  servedFrom60: BANDS[60],
} as const;
/** Groups whose mean error has a goal. */
const ERRORS = { gradeAAbs: 'grade A', gradeBAbs: 'grade B', gradeCAbs: 'grade C' } as const;

/**
 * Shares of left-out figures inside the 90 % interval, and mean errors in SD, as served, of groups with a goal; families
 * left out. Empty grades have none.
 */
export function servedFigures({ family }: ServedScores) {
  const of = (groups: object, name: 'held' | 'meanAbsSd') =>
    Object.entries(groups).map(([figure, key]) => {
      return [figure, family.find((one) => one.key === key)?.[name] ?? Number.NaN];
    });
  const figures = [...of(HELD, 'held'), ...of(ERRORS, 'meanAbsSd')];
  return Object.fromEntries(figures) as Record<keyof typeof HELD | keyof typeof ERRORS, number>;
}
