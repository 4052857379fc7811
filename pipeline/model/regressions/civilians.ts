import type { Covariates } from '../covariates.js';
import type { CarryOver } from '../fitted-model.js';
import type { ConditionalModel } from './conditional-model.js';
import { militaryModel, type PredictorValues } from './military-model.js';

/** Difference between civilians and soldiers in one anchor, in one population. */
export interface AnchorGap {
  readonly level: number;
  readonly slopeStature: number;
  readonly slopeBmi: number;
  /** Difference of the squares of the residual SDs. */
  readonly variance: number;
  readonly residualThird: number;
}

/**
 * Differences between civilians and soldiers in every anchor. All dimensions of a population share them.
 *
 * @param covariates covariates of the population
 * @param values predictor values of the same population, with an adult's age
 */
export function anchorGaps(
  { anchors }: CarryOver,
  covariates: Covariates,
  values: PredictorValues,
): AnchorGap[] {
  return anchors.map(({ nhanes, military, constant }) => {
    const civilians = nhanes.at(covariates, values.ageYears);
    const soldiers = militaryModel(military, values, 0);
    return {
      level: civilians.level - soldiers.level - constant,
      slopeStature: civilians.slopeStature - soldiers.slopeStature,
      slopeBmi: civilians.slopeBmi - soldiers.slopeBmi,
      variance: civilians.residualSd ** 2 - soldiers.residualSd ** 2,
      residualThird: civilians.residualThird - soldiers.residualThird,
    };
  });
}

/**
 * Moves the military model of a soft dimension to civilians. Other dimensions stay unchanged.
 *
 * @param gapsOf gives the population's `anchorGaps`
 */
export function movedToCivilians(
  { weights }: CarryOver,
  name: string,
  model: ConditionalModel,
  gapsOf: () => readonly AnchorGap[],
): ConditionalModel {
  const own = weights.get(name);
  if (own === undefined) return model;
  let { level, slopeStature, slopeBmi, residualThird } = model;
  let variance = model.residualSd ** 2;
  gapsOf().forEach((gap, i) => {
    const weight = own[i];
    level += weight * gap.level;
    slopeStature += weight * gap.slopeStature;
    slopeBmi += weight * gap.slopeBmi;
    variance += weight ** 2 * gap.variance;
    residualThird += weight ** 3 * gap.residualThird;
  });
  const residualSd = Math.sqrt(Math.max(variance, (model.residualSd / 2) ** 2));
  return { level, slopeStature, slopeBmi, residualSd, residualThird };
}
