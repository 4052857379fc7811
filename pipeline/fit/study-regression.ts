import { GENDERS } from '../../src/core/genders.js';
import {
  MEASUREMENT_NAMES,
  type MeasurementName,
  measurementIndex,
} from '../../src/core/measurements.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import type { Study, StudyRow } from '../tables/studies.js';
import type { Survey } from '../tables/surveys.js';
import { type AdultFit, adultGiven } from './adult-model.js';
import type { Departure } from './calibration.js';
import { type Given, type Marginal, marginalOf } from './dimension.js';
import type { HeightLoss } from './height-loss.js';
import type { Origin } from './pooling.js';
import { type Drivers, groupDrivers } from './us-drivers.js';

/** What predicting a sample from its own drivers rests on: the fits to the US soldiers. */
export interface SampleContext {
  readonly adults: Readonly<Record<Study['gender'], ReadonlyMap<string, AdultFit>>>;
  readonly heightLoss: HeightLoss;
  readonly soldiers: Survey;
  /** Further surveys of US soldiers, which count as studies where they shaped no regression. */
  readonly earlier: readonly { readonly survey: Survey; readonly year: number }[];
}

/** Year of the base survey, ANSUR II (NATICK/TR-15/007): departures of its time are none. */
const BASE_YEAR = 2012;
const YEARS_AN_ERA = 50;

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
export function plainGiven(
  context: SampleContext,
  study: Study,
  measurement: MeasurementName,
): (Given & { readonly drivers: Drivers }) | undefined {
  const fit = context.adults[study.gender].get(measurement);
  const drivers = driversOf(study, context.soldiers);
  if (fit === undefined || drivers === undefined) return undefined;
  const age = study.ageMean ?? USUAL_AGE_YEARS;
  const loss = context.heightLoss(study.gender, age);
  const youth = Math.log(Math.exp(drivers.lnStature) + loss);
  const lost = loss * (DIMENSION_PLAN[measurement].trunkShare ?? 0);
  return { ...adultGiven(fit, drivers, age, youth, lost), drivers };
}

/** The distribution of `plainGiven`. */
export function plainMarginal(
  context: SampleContext,
  study: Study,
  measurement: MeasurementName,
): Marginal | undefined {
  const given = plainGiven(context, study, measurement);
  return given === undefined ? undefined : marginalOf(given, given.drivers);
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

/** Where a sample stands in what studies share. */
export function originOf({ gender, country, year }: Study): Origin {
  return { gender, country, era: Math.min(0, (year - BASE_YEAR) / YEARS_AN_ERA) };
}

/** Least share of the expected residual spread believed, as where spreads are borrowed. */
const LEAST_RESIDUAL_SHARE = 0.3;

/**
 * ln ratio of a printed spread's residual to the regression's: what the sample's own spread of
 * stature and BMI leaves over. The sampling variance of ln SD is 1 ÷ 2n, larger as the residual's
 * share of the whole is smaller.
 */
function lnResidualRatio(
  study: Study,
  row: Study['rows'][number],
  given: Given,
  predicted: Marginal,
): Departure['lnSpread'] {
  if (row.sdMm === undefined || given.residualSd === 0) return undefined;
  const expected = given.residualSd ** 2;
  const left = (row.sdMm / row.meanMm) ** 2 - (predicted.sd ** 2 - expected);
  const value = 0.5 * Math.log(Math.max(left / expected, LEAST_RESIDUAL_SHARE ** 2));
  return { value, sampling: (predicted.sd ** 2 / expected) ** 2 / (2 * study.n) };
}

/** How far the studies' means and spreads lie from what their own stature, BMI and age predict. */
export function departuresOf(context: SampleContext, studies: readonly Study[]): Departure[] {
  return studies.flatMap((study) =>
    study.rows.flatMap((row) => {
      const { measurement } = row;
      if (measurement === 'Stature' || row.match === 'poor') return [];
      const given = plainGiven(context, study, measurement);
      const unit = soldierMarginal(context, study, measurement);
      if (given === undefined || unit === undefined) return [];
      const predicted = marginalOf(given, given.drivers);
      return [
        {
          ...originOf(study),
          family: study.family,
          measurement,
          inSd: (Math.log(row.meanMm) - lnMean(predicted)) / unit.sd,
          people: study.n,
          lnSpread: lnResidualRatio(study, row, given, predicted),
          doubtful: row.match !== 'exact' || row.checkDefinition || row.checkFigure,
        },
      ];
    }),
  );
}

/**
 * The base of every dimension, as one study more: by construction it does not depart from itself.
 * It keeps the US near what was measured there. A level taken from the literature is doubtful: it is
 * no survey of these soldiers.
 */
export function baseDepartures(context: SampleContext): Departure[] {
  return GENDERS.flatMap((gender) => {
    const people = context.soldiers.group(gender, 'adult')?.moment('Stature').n ?? 0;
    return [...context.adults[gender].keys()].flatMap((name) => {
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

/** The survey whose people a dimension's regression was centred in. */
function baseOf(
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

/** The earlier surveys of US soldiers as studies of the dimensions whose base is another. */
export function surveyStudies(context: SampleContext): Study[] {
  return context.earlier.flatMap(({ survey, year }) =>
    GENDERS.flatMap((gender): Study[] => {
      const group = survey.group(gender, 'adult');
      if (group === undefined) return [];
      const rows = MEASUREMENT_NAMES.flatMap((measurement): StudyRow[] => {
        const moment = group.moments.get(measurement);
        if (moment === undefined || baseOf(context, measurement).family === survey.name) return [];
        const printed = { meanMm: moment.mean, sdMm: moment.sd, p5Mm: undefined, p95Mm: undefined };
        const flags = { match: 'exact', checkDefinition: false, checkFigure: false } as const;
        return [{ measurement, ...printed, ...flags }];
      });
      const stature = group.moment('Stature');
      const bmi = group.moment('Bmi');
      const id = survey.name;
      return [
        {
          ...{
            id,
            family: id,
            country: 'US',
            gender,
            n: stature.n,
            year,
            people: 'military',
            rows,
          },
          ...{ statureMm: stature.mean, statureSdMm: stature.sd, bmi: bmi.mean, lnBmiSd: bmi.tSd },
          ageMean: group.moment('AgeYears').mean,
        },
      ];
    }),
  );
}
