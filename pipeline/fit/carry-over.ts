import { inverse, Matrix } from 'ml-matrix';
import { type Gender, type PerGender, perGender } from '../../src/core/genders.js';
import { SOFT_DIMENSIONS } from '../model/nhanes-plan.js';
import type { SurveyGroup } from '../raw-tables/surveys.js';
import type { ConditionalModel } from './conditional-model.js';
import type { Drivers } from './drivers.js';
import {
  type MilitaryFit,
  type MilitarySources,
  militaryModel,
  type PredictorValues,
} from './military-fit.js';
import { levelGap, type NhanesFit, type NhanesFits } from './nhanes-fit.js';
import { covarianceOf, PREDICTORS, regress, residualCovariance } from './regression.js';

/** A girth in which civilians are compared with soldiers of their stature, BMI and age. */
interface Anchor {
  readonly nhanes: NhanesFit;
  readonly military: MilitaryFit;
  /** Difference at the soldiers' own size and age where the surveys define the girth differently. */
  readonly constant: number;
}

/** What the girths of civilians add to the soft dimensions of the military regressions. */
export interface CarryOver {
  readonly anchors: readonly Anchor[];
  /** Regression weights of each soft dimension's residual on the residuals of the anchors. */
  readonly weights: ReadonlyMap<string, readonly number[]>;
}

/** Weights of a variable on the anchors: Σ_DV Σ_VV⁻¹ of the residuals, on the log scale. */
function weightsOf(group: SurveyGroup, variable: string, anchors: readonly string[]): number[] {
  const covariance = covarianceOf(group);
  const slopes = new Map(
    anchors.map((a) => [a, regress(covariance, a, PREDICTORS).slopes] as const),
  );
  const residual = (a: string, b: string) =>
    residualCovariance(covariance, PREDICTORS, slopes.get(a) ?? [], a, b);
  const vv = new Matrix(anchors.map((a) => anchors.map((b) => residual(a, b))));
  const moment = group.moment(variable);
  const scale = moment.transform === 'log' ? 1 : 1 / moment.p50;
  const dv = new Matrix([anchors.map((a) => residual(a, variable) * scale)]);
  return dv.mmul(inverse(vv)).to1DArray();
}

function groupWith(sources: MilitarySources, gender: Gender, variables: readonly string[]) {
  return [sources.ansur2, sources.ansur1]
    .map((survey) => survey.group(gender, 'adult'))
    .find((group) => group && variables.every((name) => group.moments.has(name)));
}

/** Anchors of one gender, in the order of the plan. */
function anchorsOf(
  sources: MilitarySources,
  gender: Gender,
  fits: NhanesFits,
  military: ReadonlyMap<string, MilitaryFit>,
) {
  const soldiers = sources.ansur2.adults(gender);
  const anchors: Anchor[] = [];
  const variables: string[] = [];
  for (const [name, nhanes] of fits[gender]) {
    const source = nhanes.plan.military;
    if (source === undefined) continue;
    const fit = military.get(source.variable) ?? military.get(name);
    if (fit === undefined) throw new Error(`no fit of ${source.variable} for ${gender}`);
    const constant = source.definition === 'different' ? levelGap(nhanes, fit, soldiers) : 0;
    anchors.push({ nhanes, military: fit, constant });
    variables.push(source.variable);
  }
  return { anchors, variables };
}

/**
 * Fits how the girths of civilians in NHANES carry over to the soft dimensions that NHANES does not
 * measure. Soldiers are selected people. The regression of a dimension on stature, BMI, age and the
 * girths is assumed to hold for all people; the distribution of the girths is that of civilians (the
 * correction for selection of Pearson 1903, Phil. Trans. A 200:1, and Lawley 1943, Proc. R. Soc.
 * Edinb. A 62:28).
 */
export function fitCarryOver(
  sources: MilitarySources,
  fits: NhanesFits,
  military: PerGender<ReadonlyMap<string, MilitaryFit>>,
): PerGender<CarryOver> {
  return perGender((gender) => {
    const { anchors, variables } = anchorsOf(sources, gender, fits, military[gender]);
    const weights = new Map<string, readonly number[]>();
    for (const name of SOFT_DIMENSIONS) {
      const fit = military[gender].get(name);
      if (fit === undefined || fit.residual.share === 0) continue;
      if (fits[gender].has(name)) continue;
      const { variable, share } = fit.residual;
      const group = groupWith(sources, gender, [variable, ...variables]);
      if (group === undefined) continue;
      weights.set(
        name,
        weightsOf(group, variable, variables).map((weight) => weight * share),
      );
    }
    return { anchors, weights };
  });
}

/** Civilians less soldiers in one anchor, in one population. */
export interface AnchorGap {
  readonly level: number;
  readonly slopeStature: number;
  readonly slopeBmi: number;
  /** Difference of the squares of the residual SDs. */
  readonly variance: number;
  readonly residualThird: number;
}

/**
 * Civilians less soldiers in every anchor. All dimensions of a population share them.
 *
 * @param drivers drivers of the population
 * @param values predictor values of the same population, with an adult's age
 */
export function anchorGaps(
  { anchors }: CarryOver,
  drivers: Drivers,
  values: PredictorValues,
): AnchorGap[] {
  return anchors.map(({ nhanes, military, constant }) => {
    const civilians = nhanes.at(drivers, values.ageYears);
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
 * Moves the military model of a soft dimension to civilians; other dimensions stay as they are.
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
    const weight = own[i] as number;
    level += weight * gap.level;
    slopeStature += weight * gap.slopeStature;
    slopeBmi += weight * gap.slopeBmi;
    variance += weight ** 2 * gap.variance;
    residualThird += weight ** 3 * gap.residualThird;
  });
  const residualSd = Math.sqrt(Math.max(variance, (model.residualSd / 2) ** 2));
  return { level, slopeStature, slopeBmi, residualSd, residualThird };
}
