import { fitWeight, weightShares, weightZ } from '../fit/covariates/small-child-bmi.js';
import type { Fit } from '../fit/fit-model.js';
import { Z95 } from '../numerics/marginal.js';
import { mean } from '../numerics/numbers.js';
import { share } from './metrics.js';
import { SURVEY_FOLDS, surveyFold } from './stunting.js';

/** Errors of the shares of wasted and of overweight children in surveys that were left out, in points. */
export interface WeightScores {
  readonly surveys: number;
  readonly wastingPoints: number;
  readonly wastingBiasPoints: number;
  readonly overweightPoints: number;
  readonly overweightBiasPoints: number;
  /** Share of the means of z of left-out surveys inside their 90 % interval. */
  readonly meansWithin: number;
}

/**
 * Predicts the shares of wasted and overweight children in surveys from the other surveys.
 *
 * @returns undefined where the surveys were left out
 */
export function scoreWeightForHeight({
  smallBmi,
}: Pick<Fit, 'smallBmi'>): WeightScores | undefined {
  if (smallBmi === undefined) return undefined;
  const { surveys } = smallBmi;
  const [wasting, overweight]: [number[], number[]] = [[], []];
  const within: boolean[] = [];
  for (let fold = 0; fold < SURVEY_FOLDS; fold++) {
    const fitted = fitWeight(surveys.filter((survey) => surveyFold(survey) !== fold));
    for (const survey of surveys.filter((one) => surveyFold(one) === fold)) {
      const level = fitted(survey.country, survey.year);
      const shares = weightShares(level);
      wasting.push(100 * (shares.wasting - survey.wasting));
      overweight.push(100 * (shares.overweight - survey.overweight));
      within.push(Math.abs(level.mean - weightZ(survey).mean) <= Z95 * level.surveySe);
    }
  }
  const absolute = (points: readonly number[]) => mean(points.map(Math.abs));
  return {
    surveys: surveys.length,
    wastingPoints: absolute(wasting),
    wastingBiasPoints: mean(wasting),
    overweightPoints: absolute(overweight),
    overweightBiasPoints: mean(overweight),
    meansWithin: share(within, (one) => one),
  };
}
