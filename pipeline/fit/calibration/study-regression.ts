import { GENDERS, type Gender, type PerGender } from '../../../src/core/genders.js';
import {
  MEASUREMENT_NAMES,
  type MeasurementName,
  measurementIndex,
} from '../../../src/core/measurements.js';
import type { Covariates } from '../../model/covariates.js';
import type { HeightLoss, MilitaryFit } from '../../model/fitted-model.js';
import { type ConditionalModel, marginalOf } from '../../model/regressions/conditional-model.js';
import { militaryModel, predictorValues } from '../../model/regressions/military-model.js';
import type { Marginal } from '../../numerics/marginal.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import type { Study } from '../../raw-tables/studies.js';
import type { Survey } from '../../raw-tables/surveys.js';
import { groupCovariates } from '../covariates/group-covariates.js';
import { LEAST_RESIDUAL_SHARE } from '../regressions/military-fit.js';
import type { Departure } from './calibration.js';
import { type Origin, YEARS_AN_ERA } from './pooling.js';

/** The fits to US soldiers. They predict the dimensions of a sample from its own covariates. */
export interface SampleContext {
  readonly military: PerGender<ReadonlyMap<string, MilitaryFit>>;
  readonly heightLoss: HeightLoss;
  /** The base survey of US soldiers (ANSUR II). */
  readonly base: Survey;
  /**
   * Earlier surveys of US soldiers. A survey counts as a study of the dimensions whose regressions it does
   * not give.
   */
  readonly earlier: readonly { readonly survey: Survey; readonly year: number }[];
  /** The people of the base survey by origin; the age groups are the codes of the origins. */
  readonly origins: Survey;
}

/**
 * Year of the base survey, ANSUR II (NATICK/TR-15/007). Eras are counted from this year, so the base survey
 * has no era effect.
 */
export const BASE_YEAR = 2012;

/** Age of a sample that states none. Most such samples are recruits and aircrew. */
export const USUAL_AGE_YEARS = 25;

/**
 * Covariates of a sample. A spread that the sample did not print is that of the base survey.
 *
 * @returns undefined when the sample printed no stature, or neither mass nor BMI
 */
export function covariatesOf(study: Study, base: Survey): Covariates | undefined {
  if (study.statureMm === undefined || study.bmi === undefined) return undefined;
  const usual = groupCovariates(base.adults(study.gender));
  const statureSd = study.statureSdMm;
  const lnStatureSd = statureSd === undefined ? usual.lnStatureSd : statureSd / study.statureMm;
  const lnBmiSd = study.lnBmiSd ?? usual.lnBmiSd;
  return {
    // The mean of a logarithm is below the logarithm of the mean by half the variance.
    lnStature: Math.log(study.statureMm) - lnStatureSd ** 2 / 2,
    lnStatureSd,
    lnStatureSkew: usual.lnStatureSkew,
    lnBmi: Math.log(study.bmi) - lnBmiSd ** 2 / 2,
    lnBmiSd,
    lnBmiSkew: usual.lnBmiSkew,
    rho: usual.rho,
  };
}

/** A dimension of a sample by the regressions among US soldiers. */
export interface SampleModel {
  readonly model: ConditionalModel;
  /** The sample's own covariates. */
  readonly covariates: Covariates;
}

/** Regression on the sample's own stature, BMI and age, without any calibration. */
export function uncalibratedModel(
  context: SampleContext,
  study: Study,
  measurement: MeasurementName,
): SampleModel | undefined {
  const fit = context.military[study.gender].get(measurement);
  const covariates = covariatesOf(study, context.base);
  if (fit === undefined || covariates === undefined) return undefined;
  const age = study.ageMean ?? USUAL_AGE_YEARS;
  const lossMm = context.heightLoss(study.gender, age);
  const values = predictorValues(covariates, age, lossMm);
  const ownLossMm = lossMm * (DIMENSION_PLAN[measurement].trunkShare ?? 0);
  return { model: militaryModel(fit, values, ownLossMm), covariates };
}

/** The US soldiers' own distribution of a dimension. It is the same for every sample of a gender. */
export function militaryMarginal(
  context: SampleContext,
  gender: Gender,
  measurement: MeasurementName,
): Marginal | undefined {
  const fit = context.military[gender].get(measurement);
  if (fit === undefined) return undefined;
  const { level, slopes, residualSd, residualThird } = fit;
  const [slopeStature, slopeBmi] = slopes;
  const model = { level, slopeStature, slopeBmi, residualSd, residualThird };
  return marginalOf(model, groupCovariates(context.base.adults(gender)));
}

/** ln mean of a distribution given on the log scale. */
const lnMean = (marginal: Marginal): number => marginal.mean + marginal.sd ** 2 / 2;

/** The country, gender and era of a sample, which it shares with other samples. */
export function originOf({ gender, country, year }: Study): Origin {
  return { gender, country, era: Math.min(0, (year - BASE_YEAR) / YEARS_AN_ERA) };
}

/**
 * Dimensions that studies compute as the difference of two heights. Their printed spreads contain the
 * errors of both heights: the SD is 9 to 13 mm, but 5.7 mm when measured with a headboard. So these spreads
 * do not show how people vary.
 */
const DIFFERENCES: ReadonlySet<MeasurementName> = new Set(['EyeScalpDistance']);

/**
 * ln of a sample's residual spread over that of the regression. The sample's residual spread is the part of
 * its printed spread that its own spread of stature and BMI does not explain. The sampling variance of ln
 * SD is 1 ÷ 2n. It is larger where the residual is a smaller share of the whole.
 */
function lnResidualRatio(
  study: Study,
  row: Study['rows'][number],
  { residualSd }: ConditionalModel,
  predicted: Marginal,
): Departure['lnSpread'] {
  if (row.sdMm === undefined || residualSd === 0) return undefined;
  if (DIFFERENCES.has(row.measurement)) return undefined;
  const expected = residualSd ** 2;
  const left = (row.sdMm / row.meanMm) ** 2 - (predicted.sd ** 2 - expected);
  const value = 0.5 * Math.log(Math.max(left / expected, LEAST_RESIDUAL_SHARE ** 2));
  return { value, sampling: (predicted.sd ** 2 / expected) ** 2 / (2 * study.n) };
}

/** Departures of the studies' means and spreads from those that their stature, BMI and age predict. */
export function departuresOf(context: SampleContext, studies: readonly Study[]): Departure[] {
  return studies.flatMap((study) =>
    study.rows.flatMap((row) => {
      const { measurement } = row;
      if (measurement === 'Stature' || row.match === 'poor') return [];
      const sample = uncalibratedModel(context, study, measurement);
      const unit = militaryMarginal(context, study.gender, measurement);
      if (sample === undefined || unit === undefined) return [];
      const predicted = marginalOf(sample.model, sample.covariates);
      return [
        {
          ...originOf(study),
          family: study.family,
          measurement,
          inSd: (Math.log(row.meanMm) - lnMean(predicted)) / unit.sd,
          people: study.n,
          further: study.lnBmiError && (study.lnBmiError * sample.model.slopeBmi) / unit.sd,
          lnSpread: lnResidualRatio(study, row, sample.model, predicted),
          doubtful: row.match !== 'exact' || row.checkDefinition || row.checkFigure,
        },
      ];
    }),
  );
}

/**
 * The base survey of every dimension as one more study, whose departure is 0. This study keeps the US near
 * the values that the base survey measured. A level from the literature counts as doubtful, because no
 * survey of these soldiers measured it.
 */
export function baseDepartures(context: SampleContext): Departure[] {
  return GENDERS.flatMap((gender) => {
    const people = context.base.adults(gender).moment('Stature').n;
    return [...context.military[gender].keys()].flatMap((name) => {
      const index = measurementIndex(name);
      const measurement = index === undefined ? undefined : MEASUREMENT_NAMES[index];
      if (measurement === undefined || measurement === 'Stature') return [];
      const { family, year } = baseOf(context, measurement);
      const era = (year - BASE_YEAR) / YEARS_AN_ERA;
      const origin = { gender, country: 'US', family, era };
      const lnSpread = { value: 0, sampling: 1 / (2 * people) };
      const doubtful = family === 'published';
      return [{ ...origin, measurement, inSd: 0, people, lnSpread, doubtful, anchor: true }];
    });
  });
}

/** The survey in which a dimension's regression was centred, with its year. */
export function baseOf(
  context: SampleContext,
  measurement: MeasurementName,
): { family: string; year: number } {
  const { basis } = DIMENSION_PLAN[measurement];
  switch (basis.kind) {
    case 'alias':
      return baseOf(context, basis.of);
    case 'survey': {
      const year = context.earlier.find(({ survey }) => survey.name === basis.survey)?.year;
      return { family: basis.survey, year: year ?? BASE_YEAR };
    }
    case 'headboard': // A summary of the same people as ANSUR 1988.
      return { family: 'ansur1', year: 1988 };
    default:
      return { family: 'published', year: BASE_YEAR };
  }
}
