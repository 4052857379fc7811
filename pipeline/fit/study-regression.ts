import { GENDERS } from '../../src/core/genders.js';
import {
  MEASUREMENT_NAMES,
  type MeasurementName,
  measurementIndex,
} from '../../src/core/measurements.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import type { Study } from '../tables/studies.js';
import type { Survey } from '../tables/surveys.js';
import { type AdultFit, adultGiven } from './adult-model.js';
import type { Departure } from './calibration.js';
import { type Given, type Marginal, marginalOf } from './dimension.js';
import type { HeightLoss } from './height-loss.js';
import { type Drivers, groupDrivers } from './us-drivers.js';

/** What predicting a sample from its own drivers rests on: the fits to the US soldiers. */
export interface SampleContext {
  readonly adults: Readonly<Record<Study['gender'], ReadonlyMap<string, AdultFit>>>;
  readonly heightLoss: HeightLoss;
  readonly soldiers: Survey;
}

/** Age of a sample that does not say: most are recruits and aircrew. */
const USUAL_AGE_YEARS = 25;

/** Drivers of the US soldiers (ANSUR II). */
function soldierDrivers(soldiers: Survey, study: Pick<Study, 'gender'>): Drivers {
  const group = soldiers.group(study.gender, 'adult');
  if (group === undefined) throw new Error(`${soldiers.name} has no ${study.gender} adults`);
  return groupDrivers(group);
}

/**
 * A sample's own drivers; spreads it did not print are the soldiers'. Undefined when it did not
 * print stature, or neither mass nor BMI.
 */
export function driversOf(study: Study, soldiers: Survey): Drivers | undefined {
  if (study.statureMm === undefined || study.bmi === undefined) return undefined;
  const usual = soldierDrivers(soldiers, study);
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

/** Regression on the sample's own stature, BMI and age, without any calibration. */
export function plainMarginal(
  context: SampleContext,
  study: Study,
  measurement: MeasurementName,
): Marginal | undefined {
  const fit = context.adults[study.gender].get(measurement);
  const drivers = driversOf(study, context.soldiers);
  if (fit === undefined || drivers === undefined) return undefined;
  const age = study.ageMean ?? USUAL_AGE_YEARS;
  const loss = context.heightLoss(study.gender, age);
  const youth = Math.log(Math.exp(drivers.lnStature) + loss);
  const lost = loss * (DIMENSION_PLAN[measurement].trunkShare ?? 0);
  return marginalOf(adultGiven(fit, drivers, age, youth, lost), drivers);
}

function soldierGiven(fit: AdultFit): Given {
  const { level, residualSd, residualThird } = fit;
  return {
    level,
    slopeStature: fit.slopes[0],
    slopeBmi: fit.slopes[1],
    residualSd,
    residualThird,
  };
}

/** The US soldiers' distribution of a dimension as it is, whatever the sample. */
export function soldierMarginal(
  context: SampleContext,
  study: Pick<Study, 'gender'>,
  measurement: MeasurementName,
): Marginal | undefined {
  const fit = context.adults[study.gender].get(measurement);
  if (fit === undefined) return undefined;
  return marginalOf(soldierGiven(fit), soldierDrivers(context.soldiers, study));
}

/** ln mean of a distribution given on the log scale. */
const lnMean = (marginal: Marginal): number => marginal.mean + marginal.sd ** 2 / 2;

/** How far the studies' means lie from what their own stature, BMI and age predict. */
export function departuresOf(context: SampleContext, studies: readonly Study[]): Departure[] {
  return studies.flatMap((study) =>
    study.rows.flatMap((row) => {
      const { measurement } = row;
      if (measurement === 'Stature' || row.match === 'poor') return [];
      const predicted = plainMarginal(context, study, measurement);
      const unit = soldierMarginal(context, study, measurement);
      if (predicted === undefined || unit === undefined) return [];
      return [
        {
          family: study.family,
          country: study.country,
          gender: study.gender,
          measurement,
          inSd: (Math.log(row.meanMm) - lnMean(predicted)) / unit.sd,
          people: study.n,
          doubtful: row.match !== 'exact' || row.checkDefinition || row.checkFigure,
        },
      ];
    }),
  );
}

/**
 * The US soldiers themselves, as one study more: by construction they do not depart from their own
 * regressions. They keep the US near what was measured there, whatever other studies have in common.
 */
export function soldierDepartures(context: SampleContext): Departure[] {
  return GENDERS.flatMap((gender) => {
    const people = context.soldiers.group(gender, 'adult')?.moment('Stature').n ?? 0;
    return [...context.adults[gender].keys()].flatMap((name) => {
      const index = measurementIndex(name);
      const measurement = index === undefined ? undefined : MEASUREMENT_NAMES[index];
      if (measurement === undefined || measurement === 'Stature') return [];
      const family = context.soldiers.name;
      return [{ family, country: 'US', gender, measurement, inSd: 0, people, doubtful: false }];
    });
  });
}
