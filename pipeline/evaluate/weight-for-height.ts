import { fitWeight, weightShares, weightZ } from '../fit/covariates/small-child-bmi.js';
import type { Fit } from '../fit/fit-model.js';
import { mean } from '../numerics/numbers.js';
import { meanAbs } from './metrics.js';
import { MASS, type ServedRow } from './served.js';
import { SURVEY_FOLDS, surveyFold } from './stunting.js';

/** Wasting is published for all ages under 5 years together. */
const AGE_YEARS = 2.5;

/**
 * Predicts the shares of wasted and overweight children in surveys from the other surveys. Errors are in points, and the
 * mean z of each survey in SD of z.
 *
 * @throws Error where the surveys were left out
 */
export function scoreWeightForHeight({ smallBmi }: Pick<Fit, 'smallBmi'>) {
  if (smallBmi === undefined) throw new Error('the fit has no surveys of small children');
  const { surveys } = smallBmi;
  const [wasting, overweight]: [number[], number[]] = [[], []];
  const served: ServedRow[] = [];
  for (let fold = 0; fold < SURVEY_FOLDS; fold++) {
    const fitted = fitWeight(surveys.filter((survey) => surveyFold(survey) !== fold));
    for (const survey of surveys.filter((one) => surveyFold(one) === fold)) {
      const level = fitted(survey.country, survey.year);
      const shares = weightShares(level);
      wasting.push(100 * (shares.wasting - survey.wasting));
      overweight.push(100 * (shares.overweight - survey.overweight));
      const [errorSd, expectedSd] = [level.mean - weightZ(survey).mean, level.surveySe].map(
        (z) => z / level.sd,
      ) as [number, number];
      served.push({ kind: MASS, ageYears: AGE_YEARS, errorSd, expectedSd });
    }
  }
  return {
    wastingPoints: meanAbs(wasting),
    wastingBiasPoints: mean(wasting),
    overweightPoints: meanAbs(overweight),
    overweightBiasPoints: mean(overweight),
    served,
  };
}
