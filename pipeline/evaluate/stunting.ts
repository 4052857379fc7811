import { createHash } from 'node:crypto';
import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { GENDERS, type Gender, perGender } from '../../src/core/genders.js';
import { fitStatures } from '../fit/covariates/country-covariates.js';
import {
  BANDS_MONTHS,
  type ChildSurvey,
  childSurveys,
  STUNTED_Z,
  stuntedScore,
} from '../fit/covariates/small-child-stature.js';
import { whoStandards } from '../fit/covariates/who-standards.js';
import type { Fit } from '../fit/fit-model.js';
import { limitSkew, scoreOf } from '../numerics/marginal.js';
import { mean } from '../numerics/numbers.js';
import { REFERENCE_YEAR } from '../plans/axes.js';
import { meanAbs } from './metrics.js';
import { type ServedRow, STATURE } from './served.js';

/** Each survey is left out once, with one survey in so many. The seed chooses them. */
export const SURVEY_FOLDS = 8;
const SEED = 'stunting 1';
/** Surveys of the last years before the reference year are predicted. Older children are another generation. */
const JUDGED_YEARS = 10;
/** Ages within a band at which the share is computed, as shares of the band. */
const WITHIN_BAND = [0.125, 0.375, 0.625, 0.875];
const LAST_MONTHS = 60;
/** Both genders together, and each. */
const SCORED = ['Both', ...GENDERS] as const;

const LEFT_OUT = 'the fit has no surveys of small children';

/** Number of the fold in which a survey is left out. */
export function surveyFold({
  country,
  year,
  id,
}: Pick<ChildSurvey, 'country' | 'year' | 'id'>): number {
  const hash = createHash('sha256').update(`${SEED} ${country} ${year} ${id}`).digest();
  return hash.readUInt32BE(0) % SURVEY_FOLDS;
}

/**
 * Predicts the share of stunted children in surveys of the last `JUDGED_YEARS` years from the distribution of stature
 * that the model without a fold of surveys serves. Children are served for the reference year only, so the limit moves by
 * the change of mean z since the survey.
 *
 * @returns figures of the errors in points; `served`: stature by survey, band and gender, in SD of stature
 * @throws Error where the surveys of children were left out
 */
export function scoreStunting({ tables, model, studies }: Fit) {
  const { malnutrition, whoHeights } = tables;
  if (malnutrition === undefined || whoHeights === undefined) throw new Error(LEFT_OUT);
  const who = whoStandards(whoHeights).statureMm;
  const { usCovariates, cohortStature, heightLoss } = model;
  const points: Record<(typeof SCORED)[number], number[]> = { Both: [], Male: [], Female: [] };
  const rows: ServedRow[] = [];
  for (let fold = 0; fold < SURVEY_FOLDS; fold++) {
    const heldOut = (row: (typeof malnutrition)[number]) =>
      surveyFold({
        country: String(row.country),
        year: Number(row.year),
        id: String(row.survey),
      }) === fold;
    const { small, stature, statureSpread } = fitStatures(
      { ...tables, malnutrition: malnutrition.filter((row) => !heldOut(row)) },
      cohortStature,
      heightLoss,
      usCovariates,
      studies,
    );
    if (small === undefined) throw new Error(LEFT_OUT);
    /** Share of children at an age below a z of the standards. */
    const below = (gender: Gender, country: string, ageYears: number, z: number): number => {
      const us = usCovariates(gender, ageYears);
      const served = scoreOf({
        mean: us.lnStature + stature(gender, country, ageYears),
        sd: us.lnStatureSd * statureSpread(gender, country, ageYears),
        skew: limitSkew(us.lnStatureSkew),
      });
      const { median, cv } = who(gender, ageYears);
      return normalCdf(served(Math.log(median * (1 + cv * z))).z, 0, 1);
    };
    for (const { country, year, shares } of childSurveys(malnutrition.filter(heldOut))) {
      if (country === 'US' || year < REFERENCE_YEAR - JUDGED_YEARS) continue;
      const { fit, sdOfZ, lnSe, lnSd } = small;
      const [then, today] = [fit.at(country, year), fit.at(country, REFERENCE_YEAR)];
      BANDS_MONTHS.forEach((from, band) => {
        const to = BANDS_MONTHS[band + 1] ?? LAST_MONTHS;
        const z = STUNTED_Z + sdOfZ * (today.bands[band] - then.bands[band]);
        const of = perGender((gender) =>
          mean(WITHIN_BAND.map((at) => below(gender, country, (from + at * (to - from)) / 12, z))),
        );
        const served = { ...of, Both: (of.Male + of.Female) / 2 };
        for (const gender of SCORED) {
          const printed = shares[gender][band];
          if (printed === undefined) continue;
          points[gender].push(100 * (served[gender] - printed));
          if (gender === 'Both') continue;
          const ageYears = (from + to) / 24;
          const known = lnSe(country, ageYears) / lnSd(gender, country, ageYears);
          const expectedSd = Math.hypot(known, fit.surveySd);
          const errorSd = stuntedScore(served[gender]) - stuntedScore(printed);
          rows.push({ kind: STATURE, ageYears, errorSd, expectedSd });
        }
      });
    }
  }
  return {
    stuntingPoints: meanAbs(points.Both),
    stuntingBoysBiasPoints: mean(points.Male),
    stuntingGirlsBiasPoints: mean(points.Female),
    served: rows,
  };
}
