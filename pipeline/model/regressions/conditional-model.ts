import { limitSkew, type Marginal, type Tails } from '../../numerics/marginal.js';
import type { Drivers } from '../drivers.js';

/**
 * A dimension's distribution given the drivers of a population, on the log scale:
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
  /** Tails of ln D in the population; absent where no survey shows them. */
  readonly tails?: Tails;
}

/**
 * Distribution of ln D in a population: the mean is `level`; the spread and the skewness come from
 * those of the drivers and of the residual.
 */
export function marginalOf(model: ConditionalModel, drivers: Drivers): Marginal {
  const bs = model.slopeStature * drivers.lnStatureSd;
  const bb = model.slopeBmi * drivers.lnBmiSd;
  const variance = bs * bs + bb * bb + 2 * drivers.rho * bs * bb + model.residualSd ** 2;
  const sd = Math.sqrt(variance);
  const third = bs ** 3 * drivers.lnStatureSkew + bb ** 3 * drivers.lnBmiSkew + model.residualThird;
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
