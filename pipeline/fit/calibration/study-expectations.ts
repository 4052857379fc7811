import type { MeasurementName } from '../../../src/core/measurements.js';
import type { CohortStatures } from '../../model/fitted-model.js';
import { marginalOf } from '../../model/regressions/conditional-model.js';
import type { Study } from '../../raw-tables/studies.js';
import type { StudyExpectations } from '../../raw-tables/study-check.js';
import { groupCovariates } from '../covariates/group-covariates.js';
import {
  militaryMarginal,
  type SampleContext,
  USUAL_AGE_YEARS,
  uncalibratedModel,
} from './study-regression.js';

/**
 * Figures that the model expects national studies to print. A dimension comes from the regression among US soldiers
 * on the sample's own stature, BMI and age. No study has changed this regression. Stature comes from
 * NCD-RisC for the country, gender and birth year.
 */
export function studyExpectations(
  context: SampleContext,
  cohorts: CohortStatures,
): StudyExpectations {
  const dimension = (study: Study, measurement: MeasurementName) => {
    const unit = militaryMarginal(context, study.gender, measurement);
    if (unit === undefined) return undefined;
    const sample = uncalibratedModel(context, study, measurement);
    const { mean, sd } = sample === undefined ? unit : marginalOf(sample.model, sample.covariates);
    const from =
      sample === undefined
        ? `US soldiers, ${study.gender}`
        : `people of this sample’s stature, BMI and age`;
    return { meanMm: Math.exp(mean + sd ** 2 / 2), lnSd: unit.sd, from };
  };
  const stature = (study: Study) => {
    const birthYear = Math.round(study.year - (study.ageMean ?? USUAL_AGE_YEARS));
    return {
      meanMm: cohorts(study.gender, study.country, birthYear).meanMm,
      lnSd: groupCovariates(context.base.adults(study.gender)).lnStatureSd,
      from: `${study.country}, ${study.gender}, born in ${birthYear}`,
    };
  };
  return { dimension, stature };
}
