import { COUNTRY_CODES } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import {
  fitCohortStature,
  measuredAmericans,
  measuredSamples,
  predictedMean,
} from '../fit/covariates/cohort-stature.js';
import type { Fit } from '../fit/fit-model.js';
import { mean } from '../numerics/numbers.js';
import type { Asked } from './asked.js';
import { scoreBmiShares, THIN_BY_AGE } from './bmi-shares.js';
import { meanAbs, share } from './metrics.js';
import { isMet, scoreNationalMeans } from './national-means.js';
import { yearScored } from './served.js';

/** The levels of the covariates, compared with their sources and with samples that were left out. */
type LevelScores = ReturnType<typeof scoreLevels>;

/** Summary of the levels. */
export function levelFigures({ womenMm, bmi, national }: LevelScores) {
  return {
    // Predicted − measured stature, mm. Each sample of women is left out of the fit that predicts it.
    womenBiasMm: mean(womenMm),
    womenAbsMm: meanAbs(womenMm),
    // Share of countries with NCD-RisC's share of people below a limit of BMI: the smallest over the limits.
    bmiSharesWithin: Math.min(...bmi.map(({ within }) => within)),
    thinByAgePoints: bmi.find(({ people }) => people === THIN_BY_AGE)?.meanAbs ?? Number.NaN,
    nationalWithin: share(national, isMet),
  };
}

/**
 * Predicts each measured sample of women of 25 to 49 years in a served year as an artifact without it would serve it:
 * the answer, with the change of the stature of its birth cohorts when they are fitted without the sample.
 *
 * @returns predicted − measured mean stature, mm
 */
function scoreWomen(fit: Fit, asked: Asked): number[] {
  const samples = measuredSamples(fit.tables.statureSd);
  const americans = measuredAmericans(fit.tables.nhanes);
  return samples.flatMap((sample) => {
    const { gender, year, agesYears, meanMm } = sample;
    const country = COUNTRY_CODES.find((code) => code === sample.country);
    if (country === undefined || yearScored({ year }) !== year) return [];
    const others = [...samples.filter((other) => other !== sample), ...americans];
    const without = fitCohortStature(fit.tables, fit.model.heightLoss, others);
    const [left, known] = [without, fit.model.cohortStature].map((level) => {
      const cohortMm = (of: Gender, from: string, born: number) => level(of, from, born).meanMm;
      return predictedMean(sample, cohortMm, fit.model.heightLoss);
    }) as [number, number];
    const ageYears = mean(agesYears) + 0.5;
    const served = asked.known('Stature', { gender, country, ageYears, year });
    return [served.mean + (left - known) - meanMm];
  });
}

/** Scores the levels of stature and BMI, and known figures of single countries. */
export function scoreLevels(fit: Fit, asked: Asked) {
  return {
    womenMm: scoreWomen(fit, asked),
    bmi: scoreBmiShares(asked, fit.tables),
    national: scoreNationalMeans(asked, fit.tables),
  };
}
