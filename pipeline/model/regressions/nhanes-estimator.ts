import type { MeasurementName } from '../../../src/core/measurements.js';
import type { Marginal } from '../../numerics/marginal.js';
import { smoothStep } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';
import { JOINING_FROM, SPREADING_FROM } from '../../plans/growth-rules.js';
import type { Cohort } from '../cohort.js';
import { countryDeparture, type FittedModel } from '../fitted-model.js';
import { type ConditionalModel, marginalOf, withOwn } from './conditional-model.js';
import { militaryModelOf } from './military-estimator.js';

/**
 * Estimates a dimension that NHANES measures; returns undefined for others. Below the youngest age
 * measured, the estimate uses the fit of that age.
 */
export function estimateNhanes(
  model: FittedModel,
  cohort: Cohort,
  name: MeasurementName,
): Marginal | undefined {
  const found = nhanesModelOf(model, cohort, name);
  return found && marginalOf(found, cohort.covariates);
}

/**
 * Conditional model of an adult's dimension: from NHANES if it measures the dimension, otherwise from
 * soldiers.
 */
export function adultModelOf(
  model: FittedModel,
  cohort: Cohort,
  name: MeasurementName,
): ConditionalModel {
  return nhanesModelOf(model, cohort, name) ?? militaryModelOf(model, cohort, name);
}

function nhanesModelOf(
  model: FittedModel,
  { gender, country, ageYears, covariates }: Cohort,
  name: MeasurementName,
): ConditionalModel | undefined {
  const fit = model.nhanes[gender].get(name);
  if (fit === undefined) return undefined;
  const us = fit.at(covariates, ageYears);
  const { departsAs = name } = fit.plan;
  const departure = countryDeparture(model, gender, country, departsAs);
  const joined = smoothStep(ageYears, JOINING_FROM, ADULT_AGE_YEARS);
  const child = (1 - joined) * model.childDeparture(gender, country, name, ageYears);
  const there = { ...us, level: us.level + departure + child };
  const own = model.ownRegression(gender, country, name);
  const grown = smoothStep(ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
  return own === undefined ? there : withOwn(there, own, grown);
}
