import { createHash } from 'node:crypto';
import {
  BANDS_MONTHS,
  type ChildSurvey,
  fitStunting,
  stuntedShare,
} from '../fit/covariates/small-child-stature.js';
import type { Fit } from '../fit/fit-model.js';
import { Z95 } from '../numerics/marginal.js';
import { mean } from '../numerics/numbers.js';
import { share } from './metrics.js';

/** Errors of the shares of stunted children in surveys that were left out, in points. */
export interface StuntingScore {
  /** First month of the band of age; undefined for all bands. */
  readonly fromMonths: number | undefined;
  readonly rows: number;
  readonly meanAbsPoints: number;
  readonly biasPoints: number;
}

/** Errors by band, and how often the 90 % interval of the level holds. */
export interface StuntingScores {
  readonly surveys: number;
  readonly scores: readonly StuntingScore[];
  /** Share of the levels of left-out surveys inside their 90 % interval. */
  readonly levelsWithin: number;
}

/** Each survey is left out once, with one survey in so many. The seed chooses them. */
export const SURVEY_FOLDS = 8;
const SEED = 'stunting 1';

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
 * Predicts the share of stunted children in surveys from the other surveys.
 *
 * @returns undefined where the surveys of children were left out
 */
export function scoreStunting({ smallChildren }: Fit): StuntingScores | undefined {
  if (smallChildren === undefined) return undefined;
  const { surveys, sdOfZ } = smallChildren;
  const errors: { readonly band: number; readonly points: number }[] = [];
  const levels: boolean[] = [];
  for (let fold = 0; fold < SURVEY_FOLDS; fold++) {
    const fit = fitStunting(
      surveys.filter((survey) => surveyFold(survey) !== fold),
      sdOfZ,
    );
    for (const survey of surveys.filter((one) => surveyFold(one) === fold)) {
      const { bands, surveySe } = fit.at(survey.country, survey.year);
      const off: number[] = [];
      survey.shares.forEach((printed, band) => {
        if (printed === undefined) return;
        const meanZ = bands[band] as number;
        errors.push({ band, points: 100 * (stuntedShare(meanZ, sdOfZ) - printed) });
        off.push(meanZ - fit.meanZ(printed));
      });
      levels.push(Math.abs(mean(off)) <= Z95 * surveySe);
    }
  }
  const scoreOf = (fromMonths: number | undefined, of: typeof errors): StuntingScore => ({
    fromMonths,
    rows: of.length,
    meanAbsPoints: mean(of.map(({ points }) => Math.abs(points))),
    biasPoints: mean(of.map(({ points }) => points)),
  });
  const byBand = BANDS_MONTHS.map((months, band) =>
    scoreOf(
      months,
      errors.filter((error) => error.band === band),
    ),
  );
  return {
    surveys: surveys.length,
    scores: [scoreOf(undefined, errors), ...byBand],
    levelsWithin: share(levels, (within) => within),
  };
}
