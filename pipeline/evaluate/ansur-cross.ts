import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { covarianceOf, explainedVariance, PREDICTORS } from '../fit/regressions/regression.js';
import type { FittedModel, MilitaryFit } from '../model/fitted-model.js';
import { lnQuantile } from '../numerics/marginal.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import type { CellValue, RawTables } from '../raw-tables/raw-tables.js';
import type { Survey, SurveyGroup } from '../raw-tables/surveys.js';

/** Errors on ANSUR I of the fits to ANSUR II, for one dimension and gender. */
export interface AnsurError {
  readonly gender: Gender;
  readonly measurement: MeasurementName;
  /** Predicted less observed, in ANSUR I's SD. */
  readonly mean: number;
  readonly p1: number;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Predicted SD over observed SD. */
  readonly sdRatio: number;
}

/** Distribution of ln D that a fit predicts for the people of a survey group. */
function predicted(fit: MilitaryFit, group: SurveyGroup) {
  const level = PREDICTORS.reduce((sum, predictor, i) => {
    const departure = group.moment(predictor).tMean - (fit.centre[i] as number);
    return sum + (fit.slopes[i] as number) * departure;
  }, fit.level);
  const explained = explainedVariance(covarianceOf(group), PREDICTORS, fit.slopes);
  const sd = Math.sqrt(fit.residualSd ** 2 + explained);
  const bmi = group.moment('Bmi');
  const third = (fit.slopes[1] * bmi.tSd) ** 3 * bmi.tSkew + fit.residualThird;
  return { mean: level, sd, skew: third / sd ** 3 };
}

function errorOf(
  fit: MilitaryFit,
  group: SurveyGroup,
  observed: Record<string, CellValue>,
): Omit<AnsurError, 'gender' | 'measurement'> {
  const marginal = predicted(fit, group);
  const sd = Number(observed.sd);
  const meanMm = Math.exp(marginal.mean + marginal.sd ** 2 / 2);
  const off = (percentile: number): number =>
    (Math.exp(lnQuantile(marginal, zOfPercentile(percentile))) -
      Number(observed[`p${percentile}`])) /
    sd;
  return {
    mean: (meanMm - Number(observed.mean)) / sd,
    p1: off(1),
    p5: off(5),
    p50: off(50),
    p95: off(95),
    p99: off(99),
    sdRatio: (meanMm * Math.sqrt(Math.exp(marginal.sd ** 2) - 1)) / sd,
  };
}

/**
 * Predicts ANSUR I (1988) from fits to ANSUR II (2012) alone. The fits are given the stature, BMI and ages of ANSUR I.
 * The dimensions are those that the plan fits to ANSUR II and that both surveys took with the same landmarks.
 *
 * @param names dimensions that the two surveys define in the same way
 */
export async function scoreAnsur1(
  model: FittedModel,
  ansur1: Survey,
  tables: RawTables,
  names: readonly MeasurementName[],
): Promise<AnsurError[]> {
  const rows = await tables.rows('ansur1', 'moments', 'variable, gender');
  const errors: AnsurError[] = [];
  for (const measurement of names) {
    const { basis } = DIMENSION_PLAN[measurement];
    const fitted = basis.kind === 'survey' && basis.survey === 'ansur2';
    if (!fitted || measurement === 'Stature') continue;
    for (const gender of GENDERS) {
      const fit = model.military[gender].get(measurement);
      const group = ansur1.group(gender, 'adult');
      const row = rows.find((r) => r.variable === measurement && r.gender === gender);
      if (fit === undefined || group === undefined || row === undefined) continue;
      errors.push({ gender, measurement, ...errorOf(fit, group, row) });
    }
  }
  return errors;
}
