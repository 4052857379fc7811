import { inverse, Matrix } from 'ml-matrix';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { SOFT_DIMENSIONS } from '../model/civilian-plan.js';
import type { Survey, SurveyGroup } from '../tables/surveys.js';
import { type AdultFit, type AdultSources, adultGiven } from './adult-model.js';
import type { CivilianFit, Civilians } from './civilians.js';
import type { Given } from './dimension.js';
import type { FittedModel } from './population.js';
import { covarianceOf, regress } from './regression.js';
import { type Drivers, groupDrivers } from './us-drivers.js';

const PREDICTORS = ['Stature', 'Bmi', 'AgeYears', 'AgeYearsSquared'] as const;

/** By how much civilians depart from soldiers of their stature, BMI and age, in one girth. */
interface Anchor {
  readonly civilian: CivilianFit;
  readonly soldier: AdultFit;
  /** Departure at the soldiers' own size and age, where the two surveys take the girth otherwise. */
  readonly constant: number;
}

/** What the civilians' girths add to a soft dimension of the soldiers' model. */
export interface CarryOver {
  /** Moves a soft dimension's model to civilians; others are left as they are. */
  moved(name: string, given: Given, drivers: Drivers, ageYears: number, youth: number): Given;
}

/** A survey variable's regression weights on the anchors' residuals. */
type Weights = readonly number[];

function residualCovariance(group: SurveyGroup, a: string, b: string): number {
  const covariance = covarianceOf(group);
  const { slopes } = regress(covariance, a, PREDICTORS);
  return PREDICTORS.reduce(
    (sum, predictor, i) => sum - (slopes[i] as number) * covariance(predictor, b),
    covariance(a, b),
  );
}

/** Weights of a variable on the anchors: Σ_DV Σ_VV⁻¹ of the residuals, on the log scale. */
function weightsOf(group: SurveyGroup, variable: string, anchors: readonly string[]): Weights {
  const vv = new Matrix(anchors.map((a) => anchors.map((b) => residualCovariance(group, a, b))));
  const moment = group.moment(variable);
  const scale = moment.transform === 'log' ? 1 : 1 / moment.p50;
  const dv = new Matrix([anchors.map((a) => residualCovariance(group, a, variable) * scale)]);
  return dv.mmul(inverse(vv)).to1DArray();
}

function groupWith(sources: AdultSources, gender: Gender, variables: readonly string[]) {
  const surveys: Survey[] = [sources.ansur2, sources.ansur1];
  return surveys
    .map((survey) => survey.group(gender, 'adult'))
    .find((group) => group && variables.every((name) => group.moments.has(name)));
}

/** Anchors of one gender, in the order of the plan. */
function anchorsOf(
  sources: AdultSources,
  gender: Gender,
  civilians: Civilians,
  adults: ReadonlyMap<string, AdultFit>,
) {
  const soldiers = sources.ansur2.group(gender, 'adult');
  if (soldiers === undefined) throw new Error(`ansur2 has no ${gender} adults`);
  const [drivers, age] = [groupDrivers(soldiers), soldiers.moment('AgeYears').mean];
  const anchors: Anchor[] = [];
  const variables: string[] = [];
  for (const [name, civilian] of civilians[gender]) {
    const { soldiers: source } = civilian.plan;
    if (source === undefined) continue;
    const soldier = adults.get(source.variable) ?? adults.get(name);
    if (soldier === undefined) throw new Error(`no fit of ${source.variable} for ${gender}`);
    const gap =
      civilian.at(drivers, age).level -
      adultGiven(soldier, drivers, age, drivers.lnStature, 0).level;
    const constant = source.taken === 'otherwise' ? gap : 0;
    anchors.push({ civilian, soldier, constant });
    variables.push(source.variable);
  }
  return { anchors, variables };
}

/**
 * Carries what NHANES shows of civilians' girths over to the soft dimensions it does not measure.
 * Soldiers are selected people: a dimension's regression on stature, BMI, age and the girths is taken
 * to hold for all, the girths' own distribution is the civilians' (the correction for selection of
 * Pearson 1903, Phil. Trans. A 200:1, and Lawley 1943, Proc. R. Soc. Edinb. A 62:28).
 */
export function fitCarryOver(
  sources: AdultSources,
  civilians: Civilians,
  adults: Readonly<Record<Gender, ReadonlyMap<string, AdultFit>>>,
): Readonly<Record<Gender, CarryOver>> {
  const of = (gender: Gender): CarryOver => {
    const { anchors, variables } = anchorsOf(sources, gender, civilians, adults[gender]);
    const weights = new Map<string, Weights>();
    for (const name of SOFT_DIMENSIONS) {
      const fit = adults[gender].get(name);
      if (fit === undefined || fit.residual.share === 0) continue;
      if (civilians[gender].has(name)) continue;
      const group = groupWith(sources, gender, [fit.residual.variable, ...variables]);
      if (group === undefined) continue;
      const own = weightsOf(group, fit.residual.variable, variables);
      weights.set(
        name,
        own.map((weight) => weight * fit.residual.share),
      );
    }
    return {
      moved(name, given, drivers, ageYears, youth) {
        const own = weights.get(name);
        return own === undefined ? given : move(given, own, anchors, drivers, ageYears, youth);
      },
    };
  };
  return Object.fromEntries(GENDERS.map((gender) => [gender, of(gender)])) as unknown as Readonly<
    Record<Gender, CarryOver>
  >;
}

/** The model as it would be, had NHANES not measured one dimension. */
export function withoutCivilian(
  model: FittedModel,
  sources: AdultSources,
  name: MeasurementName,
): FittedModel {
  const rest = (gender: Gender) =>
    new Map([...model.civilians[gender]].filter(([n]) => n !== name));
  const civilians = { Male: rest('Male'), Female: rest('Female') };
  return { ...model, civilians, carryOver: fitCarryOver(sources, civilians, model.adults) };
}

function move(
  given: Given,
  weights: Weights,
  anchors: readonly Anchor[],
  drivers: Drivers,
  ageYears: number,
  youth: number,
): Given {
  let { level, slopeStature, slopeBmi, residualThird } = given;
  let variance = given.residualSd ** 2;
  anchors.forEach(({ civilian, soldier, constant }, i) => {
    const weight = weights[i] as number;
    const theirs = civilian.at(drivers, ageYears);
    const ours = adultGiven(soldier, drivers, ageYears, youth, 0);
    level += weight * (theirs.level - ours.level - constant);
    slopeStature += weight * (theirs.slopeStature - ours.slopeStature);
    slopeBmi += weight * (theirs.slopeBmi - ours.slopeBmi);
    variance += weight ** 2 * (theirs.residualSd ** 2 - ours.residualSd ** 2);
    residualThird += weight ** 3 * (theirs.residualThird - ours.residualThird);
  });
  const residualSd = Math.sqrt(Math.max(variance, (given.residualSd / 2) ** 2));
  return { level, slopeStature, slopeBmi, residualSd, residualThird };
}
