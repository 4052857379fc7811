import { limitSkew, type Marginal, type Tails } from '../../numerics/marginal.js';
import type { Covariates } from '../covariates.js';

/**
 * A dimension's distribution given the covariates of a population, on the log scale:
 * ln D = level + slopeStature (ln S − mean ln S) + slopeBmi (ln B − mean ln B) + residual.
 */
export interface ConditionalModel {
  /** Mean of ln D (mm) at the population's mean ln stature and mean ln BMI. */
  readonly level: number;
  readonly slopeStature: number;
  readonly slopeBmi: number;
  readonly residualSd: number;
  /** Third central moment of the residual. */
  readonly residualThird: number;
  /** Tails of ln D in the population; absent if no survey shows them. */
  readonly tails?: Tails;
}

/**
 * Distribution of ln D in a population. Its mean is `level`. Its spread and skewness come from those of the
 * covariates and of the residual.
 */
export function marginalOf(model: ConditionalModel, covariates: Covariates): Marginal {
  const bs = model.slopeStature * covariates.lnStatureSd;
  const bb = model.slopeBmi * covariates.lnBmiSd;
  const variance = bs * bs + bb * bb + 2 * covariates.rho * bs * bb + model.residualSd ** 2;
  const sd = Math.sqrt(variance);
  const third =
    bs ** 3 * covariates.lnStatureSkew + bb ** 3 * covariates.lnBmiSkew + model.residualThird;
  const { level: mean, tails } = model;
  return { mean, sd, skew: limitSkew(third / sd ** 3), tails };
}

/** How a dimension follows stature and BMI in a country, by its own survey: slopes and residual SD on the log scale. */
export type OwnRegression = Pick<ConditionalModel, 'slopeStature' | 'slopeBmi' | 'residualSd'>;

/**
 * The same model with the slopes and the residual spread of a country's own survey.
 *
 * @param share share of the own survey, 0 to 1
 */
export function withOwn(
  model: ConditionalModel,
  own: OwnRegression,
  share: number,
): ConditionalModel {
  const between = (a: number, b: number): number => a + share * (b - a);
  return {
    ...withResidual(model, (own.residualSd / model.residualSd) ** share),
    slopeStature: between(model.slopeStature, own.slopeStature),
    slopeBmi: between(model.slopeBmi, own.slopeBmi),
  };
}

/** The same model with its residual spread multiplied by `ratio`. */
export function withResidual(model: ConditionalModel, ratio: number): ConditionalModel {
  const { residualSd, residualThird } = model;
  return {
    ...model,
    residualSd: residualSd * ratio,
    residualThird: residualThird * ratio ** 3,
  };
}
