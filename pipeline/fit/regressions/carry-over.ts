import { inverse, Matrix } from 'ml-matrix';
import { type Gender, type PerGender, perGender } from '../../../src/core/genders.js';
import type { Anchor, CarryOver, MilitaryFit, NhanesFits } from '../../model/fitted-model.js';
import { SOFT_DIMENSIONS } from '../../plans/nhanes-plan.js';
import type { SurveyGroup } from '../../raw-tables/surveys.js';
import type { MilitarySources } from './military-fit.js';
import { levelGap } from './nhanes-fit.js';
import { covarianceOf, PREDICTORS, regress, residualCovariance } from './regression.js';

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
 * measure. Soldiers are selected people. The regression of a dimension on stature, BMI, age and the girths
 * is assumed to hold for all people, and the girths are given the distribution of civilians. This is the
 * correction for selection of Pearson 1903 (Phil. Trans. A 200:1) and Lawley 1943 (Proc. R. Soc. Edinb. A
 * 62:28).
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
