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

/** The same model with its residual spread multiplied by `ratio`. */
export function withResidual(model: ConditionalModel, ratio: number): ConditionalModel {
  const { residualSd, residualThird } = model;
  return {
    ...model,
    residualSd: residualSd * ratio,
    residualThird: residualThird * ratio ** 3,
  };
}
