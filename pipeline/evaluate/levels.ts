import type { Gender } from '../../src/core/genders.js';
import {
  fitCohortStature,
  type MeasuredSample,
  measuredAmericans,
  measuredSamples,
  predictedMean,
} from '../fit/covariates/cohort-stature.js';
import type { Fit } from '../fit/fit-model.js';
import { countryCovariates } from '../model/fitted-model.js';
import { mean } from '../numerics/numbers.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import type { Study } from '../raw-tables/study.js';
import { type BmiShareScore, scoreBmiShares, THIN_BY_AGE } from './bmi-shares.js';
import { share } from './metrics.js';
import { isMet, type NationalMean, scoreNationalMeans } from './national-means.js';

/** Predicted and printed mean stature of a sample that was not fitted. */
export interface LevelError {
  readonly country: string;
  readonly gender: Gender;
  readonly year: number;
  readonly ages: string;
  readonly measuredMm: number;
  /** Predicted − measured. */
  readonly errorMm: number;
  /** Predicted − measured, in SD of stature. */
  readonly errorSd: number;
  /** Whether the 90 % interval of the level contains the measured mean. */
  readonly within: boolean;
}

/** The levels of the covariates, compared with their sources and with samples that were left out. */
export interface LevelScores {
  /** Samples of women of 25 to 49 years. Each is left out of the fit that predicts it. */
  readonly women: readonly LevelError[];
  /** Whole cohorts of conscripts, which the fit never has. */
  readonly conscripts: readonly LevelError[];
  readonly bmi: readonly BmiShareScore[];
  /** Known figures of single countries. */
  readonly national: readonly NationalMean[];
}

/** The levels in a few figures. */
export interface LevelFigures {
  /**
   * Mean of predicted − measured stature, and mean of its absolute value, mm, over samples of women. Each sample is
   * left out of the fit that predicts it.
   */
  readonly womenBiasMm: number;
  readonly womenAbsMm: number;
  /** Share of all samples inside their 90 % interval. */
  readonly levelIntervals90: number;
  /** Share of countries with NCD-RisC's share of people below a limit of BMI: the smallest over the limits. */
  readonly bmiSharesWithin: number;
  /** Mean error of the shares of thin people by age, in points. */
  readonly thinByAgePoints: number;
  /** Share of the known figures of single countries that the model meets within their tolerance. */
  readonly nationalWithin: number;
}

/** Summary of the levels. */
export function levelFigures({ women, conscripts, bmi, national }: LevelScores): LevelFigures {
  const errors = women.map(({ errorMm }) => errorMm);
  return {
    womenBiasMm: mean(errors),
    womenAbsMm: mean(errors.map(Math.abs)),
    levelIntervals90: share([...women, ...conscripts], ({ within }) => within),
    bmiSharesWithin: Math.min(...bmi.map(({ within }) => within)),
    thinByAgePoints: bmi.find(({ people }) => people === THIN_BY_AGE)?.meanAbsPoints ?? Number.NaN,
    nationalWithin: share(national, isMet),
  };
}

const Z90 = 1.645;
/** SD of a sample's own error, mm. It comes from sampling, the instrument and the choice of people. */
const SAMPLE_SD_MM = 4;
/**
 * Samples that contain nearly all people of a cohort and have a printed year, each with the age for samples without a
 * printed age.
 */
const WHOLE_COHORTS: ReadonlyMap<string, number> = new Map([
  ['il-2019-tsur', 19],
  ['at-statistik-austria-stellungspflichtige', 18],
  ['rp1024-de-20yo-1968', 20],
]);

function levelError(
  fit: Fit,
  sample: MeasuredSample,
  level: Awaited<ReturnType<typeof fitCohortStature>>,
): LevelError {
  const { country, gender, year, agesYears, meanMm } = sample;
  const cohortMm = (of: Gender, from: string, born: number) => level.at(of, from, born).meanMm;
  const errorMm = predictedMean(sample, cohortMm, fit.model.heightLoss) - meanMm;
  const age = mean(agesYears) + 0.5;
  const { errorMm: standardError } = level.at(gender, country, year - age);
  const { lnStatureSd } = countryCovariates(fit.model, gender, country, 35);
  const interval = Z90 * Math.hypot(standardError, SAMPLE_SD_MM);
  return {
    ...{ country, gender, year, measuredMm: meanMm, errorMm },
    ages: agesYears[0] === agesYears[1] ? String(agesYears[0]) : agesYears.join('–'),
    errorSd: errorMm / (lnStatureSd * meanMm),
    within: Math.abs(errorMm) <= interval,
  };
}

/** Predicts each measured sample from levels that were fitted without the sample. */
function scoreWomen(fit: Fit): LevelError[] {
  const samples = measuredSamples(fit.tables.statureSd);
  const americans = measuredAmericans(fit.tables.nhanes);
  const errors: LevelError[] = [];
  for (const sample of samples) {
    const others = [...samples.filter((other) => other !== sample), ...americans];
    const level = fitCohortStature(fit.tables, fit.model.heightLoss, others);
    errors.push(levelError(fit, sample, level));
  }
  return errors;
}

function scoreConscripts(fit: Fit, studies: readonly Study[]): LevelError[] {
  return studies.flatMap(({ id, country, gender, year, ageMean, statureMm }) => {
    const usual = WHOLE_COHORTS.get(id);
    if (usual === undefined || statureMm === undefined) return [];
    const age = Math.floor(ageMean ?? usual);
    const sample = { country, gender, year, agesYears: [age, age] as const, meanMm: statureMm };
    return [levelError(fit, sample, fit.model.cohortStature)];
  });
}

/** Scores the levels of stature and BMI. */
export async function scoreLevels(
  fit: Fit,
  tables: RawTables,
  studies: readonly Study[],
): Promise<LevelScores> {
  return {
    women: scoreWomen(fit),
    conscripts: scoreConscripts(fit, studies),
    bmi: scoreBmiShares(fit),
    national: await scoreNationalMeans(fit.model, tables),
  };
}
