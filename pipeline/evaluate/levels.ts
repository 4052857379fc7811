import { COUNTRY_CODES } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import {
  fitCohortStature,
  type MeasuredSample,
  measuredAmericans,
  measuredSamples,
  predictedMean,
} from '../fit/covariates/cohort-stature.js';
import type { Fit } from '../fit/fit-model.js';
import { mean } from '../numerics/numbers.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import type { Asked } from './asked.js';
import { scoreBmiShares, THIN_BY_AGE } from './bmi-shares.js';
import { meanAbs, share } from './metrics.js';
import { isMet, type NationalMean, scoreNationalMeans } from './national-means.js';
import { yearScored } from './served.js';

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
}

/** The levels of the covariates, compared with their sources and with samples that were left out. */
export interface LevelScores {
  /** Samples of women of 25 to 49 years. Each is left out of the fit that predicts it. */
  readonly women: readonly LevelError[];
  readonly bmi: ReturnType<typeof scoreBmiShares>;
  /** Known figures of single countries. */
  readonly national: readonly NationalMean[];
}

/** Summary of the levels. */
export function levelFigures({ women, bmi, national }: LevelScores) {
  const errors = women.map(({ errorMm }) => errorMm);
  return {
    // Predicted − measured stature, mm. Each sample of women is left out of the fit that predicts it.
    womenBiasMm: mean(errors),
    womenAbsMm: meanAbs(errors),
    // Share of countries with NCD-RisC's share of people below a limit of BMI: the smallest over the limits.
    bmiSharesWithin: Math.min(...bmi.map(({ within }) => within)),
    thinByAgePoints: bmi.find(({ people }) => people === THIN_BY_AGE)?.meanAbsPoints ?? Number.NaN,
    nationalWithin: share(national, isMet),
  };
}

/**
 * Error of the answer for the people of a sample; undefined in a year that is not served.
 *
 * @param changeMm change of the answer when the sample is left out
 */
function levelError(
  asked: Asked,
  sample: MeasuredSample,
  changeMm: number,
): LevelError | undefined {
  const { gender, year, agesYears, meanMm } = sample;
  const country = COUNTRY_CODES.find((code) => code === sample.country);
  if (country === undefined || yearScored({ year }) !== year) return undefined;
  const ageYears = mean(agesYears) + 0.5;
  const served = asked.known('Stature', { gender, country, ageYears, year });
  const errorMm = served.mean + changeMm - meanMm;
  return {
    ...{ country, gender, year, measuredMm: meanMm, errorMm },
    ages: agesYears[0] === agesYears[1] ? String(agesYears[0]) : agesYears.join('–'),
    errorSd: errorMm / (served.lnSd * meanMm),
  };
}

/**
 * Predicts each measured sample as an artifact without it would serve it: the answer, with the change of the stature of
 * its birth cohorts when they are fitted without the sample.
 */
function scoreWomen(fit: Fit, asked: Asked): LevelError[] {
  const samples = measuredSamples(fit.tables.statureSd);
  const americans = measuredAmericans(fit.tables.nhanes);
  return samples.flatMap((sample) => {
    const others = [...samples.filter((other) => other !== sample), ...americans];
    const without = fitCohortStature(fit.tables, fit.model.heightLoss, others);
    const [left, known] = [without, fit.model.cohortStature].map((level) => {
      const cohortMm = (of: Gender, from: string, born: number) => level.at(of, from, born).meanMm;
      return predictedMean(sample, cohortMm, fit.model.heightLoss);
    }) as [number, number];
    return levelError(asked, sample, left - known) ?? [];
  });
}

/** Scores the levels of stature and BMI. */
export async function scoreLevels(fit: Fit, asked: Asked, tables: RawTables): Promise<LevelScores> {
  return {
    women: scoreWomen(fit, asked),
    bmi: scoreBmiShares(asked, fit.tables),
    national: await scoreNationalMeans(asked, tables),
  };
}
