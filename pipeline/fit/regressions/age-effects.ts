import { Matrix, solve } from 'ml-matrix';
import type { Gender } from '../../../src/core/genders.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import type { HeightLoss, MilitaryFit } from '../../model/fitted-model.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import { isSkeletal } from '../../plans/growth-rules.js';
import { ELBOW_SHARE } from '../../plans/plan.js';
import type { SourceTables } from '../../raw-tables/source-tables.js';
import { covarianceOf, regress } from './regression.js';

/** The effect of age among civilians at equal stature in youth and equal BMI. */
export type AgeEffect = Pick<MilitaryFit, 'youngestYears' | 'oldestYears'> & {
  /** Slopes of ln D on age and its square. */
  readonly slopes: readonly [age: number, ageSquared: number];
};

/** Mean of ln D at one age, at equal stature in youth and equal BMI, with its weight. */
interface AgePoint {
  readonly ageYears: number;
  readonly lnMean: number;
  readonly weight: number;
}

/** Dimensions of the arm that no survey of civilians has with all ages. They have the mean effect of these parts. */
const ARM: readonly MeasurementName[] = ['ShoulderElbowLength', 'ElbowFingertipLength'];
/** Dimensions without such a survey, and the measured ones that they follow. */
const FOLLOWS: Partial<Record<MeasurementName, readonly MeasurementName[]>> = {
  ForearmLength: ['ElbowFingertipLength'],
  ShoulderGripLength: ARM,
  ShoulderToWristLength: ARM,
  HorizontalPinchGripReach: ARM,
  WorkReach: ARM,
  Span: ARM,
  ThighLength: ['ButtockKneeLength'],
  HipHeight: ['CrotchHeight'],
  VerticalGripReachSitting: ['VerticalGripReachStanding'],
};

/** Whether a landmark is at the elbow or hangs from it. Its height depends on how people hold their arms. */
const hangs = (name: MeasurementName) => DIMENSION_PLAN[name].trunkShare === ELBOW_SHARE;

/** Weighted least squares of ln D on age and its square. */
function fitted(points: readonly AgePoint[]): AgeEffect {
  const terms = ({ ageYears }: AgePoint) => [1, ageYears, ageYears ** 2];
  const scaled = points.map((point) => terms(point).map((term) => term * Math.sqrt(point.weight)));
  const y = points.map(({ lnMean, weight }) => lnMean * Math.sqrt(weight));
  const [, age, ageSquared] = solve(new Matrix(scaled), Matrix.columnVector(y)).to1DArray();
  const ages = points.map(({ ageYears }) => ageYears);
  const [youngestYears, oldestYears] = [Math.min(...ages), Math.max(...ages)];
  return { slopes: [age, ageSquared], youngestYears, oldestYears };
}

/** The ages of a dimension in a survey that gives it at one stature and BMI, in ten-year groups. */
function givenStature(
  rows: NonNullable<SourceTables['regressions']>,
  gender: Gender,
  name: MeasurementName,
  heightLoss: HeightLoss,
  slopeStature: number,
): AgePoint[] {
  const { trunkShare = 0 } = DIMENSION_PLAN[name];
  return rows
    .filter((row) => row.gender === gender && row.measurement === name)
    .map((row) => {
      const ageYears = Number(row.age_min) + 5;
      const lossMm = heightLoss(gender, ageYears);
      const statureMm = Number(row.reference_stature_mm);
      const inYouth = slopeStature * Math.log(1 + lossMm / statureMm);
      return {
        ageYears,
        lnMean: Math.log(Number(row.mean_mm) + trunkShare * lossMm) - inYouth,
        weight: Number(row.n) / Number(row.residual_sd) ** 2,
      };
    });
}

/** The upper arm in NHANES, from the acromion to the olecranon, in five-year groups from 20 years. */
function upperArm(nhanes: SourceTables['nhanes'], gender: Gender, heightLoss: HeightLoss) {
  const variable = 'AcromionOlecranonLength';
  const points: AgePoint[] = [];
  let first: { lnStature: number; lnBmi: number } | undefined;
  for (const [ages, group] of nhanes.groupsOf(gender, '2011-2023/')) {
    if (!/^[2-7]\d-/.test(ages)) continue;
    const { slopes, residualVariance } = regress(covarianceOf(group), variable, ['Stature', 'Bmi']);
    const ageYears = group.moment('AgeYears').mean;
    const { tMean, n } = group.moment(variable);
    const lostMm = heightLoss(gender, ageYears);
    const lnStature = Math.log(Math.exp(group.moment('Stature').tMean) + lostMm);
    const lnBmi = group.moment('Bmi').tMean;
    first ??= { lnStature, lnBmi };
    const lnMean =
      tMean - slopes[0] * (lnStature - first.lnStature) - slopes[1] * (lnBmi - first.lnBmi);
    points.push({ ageYears, lnMean, weight: n / residualVariance });
  }
  return points;
}

/**
 * Effects of age from surveys of civilians. Soldiers are selected and have few people above 45 years, and their lengths
 * grow with age by 1 to 3 %, which bones do not. The effects are those at equal stature in youth: means at equal
 * measured stature, less what the loss of stature explains.
 *
 * Sources: `korea2015` (20 to 69 years), and `nhanes` (2011–2023, 20 to 79 years) for the upper arm.
 *
 * @returns the effect on a dimension with a slope of ln D on ln stature; undefined where no such survey has it
 */
export function ageEffects(
  { regressions = [], nhanes }: Pick<SourceTables, 'regressions' | 'nhanes'>,
  heightLoss: HeightLoss,
  gender: Gender,
) {
  return (name: MeasurementName, slopeStature: number): AgeEffect | undefined => {
    if (!isSkeletal(name) || hangs(name)) return undefined;
    if (name === 'UpperArmLength') return fitted(upperArm(nhanes, gender, heightLoss));
    const parts = (FOLLOWS[name] ?? [name])
      .map((part) => givenStature(regressions, gender, part, heightLoss, slopeStature))
      .filter((points) => points.length > 0)
      .map(fitted);
    if (parts.length === 0) return undefined;
    const mean = (i: 0 | 1) => parts.reduce((sum, { slopes }) => sum + slopes[i], 0) / parts.length;
    return { ...parts[0], slopes: [mean(0), mean(1)] };
  };
}
