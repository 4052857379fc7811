import { type Gender, type PerGender, perGender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { FIRST_YEAR, LAST_YEAR, REFERENCE_YEAR, YEARS_FROM_AGE } from '../model/axes.js';
import type { CarryOver } from './carry-over.js';
import type { ChildFit } from './child-fit.js';
import type { CohortStatures } from './cohort-stature.js';
import type { CountryShift } from './country-drivers.js';
import type { Drivers } from './drivers.js';
import type { HeightLoss } from './height-loss.js';
import type { MilitaryFit } from './military-fit.js';
import type { NhanesFits } from './nhanes-fit.js';
import { memoise } from './numbers.js';
import type { YearShifts } from './year-drivers.js';

/** Correlation of the normal scores of two dimensions. */
export type ScoreCorrelation = (a: MeasurementName, b: MeasurementName) => number;

/** Everything fitted to the surveys that the distributions of a population are computed from. */
export interface FittedModel {
  readonly usDrivers: (gender: Gender, ageYears: number) => Drivers;
  readonly countryShift: (gender: Gender, country: string, ageYears: number) => CountryShift;
  /** Adult stature by birth cohort. */
  readonly cohortStature: CohortStatures;
  /** Change of the drivers by year; undefined where only the reference year is known. */
  readonly yearShifts: YearShifts | undefined;
  readonly heightLoss: HeightLoss;
  /** Regressions among US soldiers, by measurement. */
  readonly military: PerGender<ReadonlyMap<string, MilitaryFit>>;
  /** The dimensions that NHANES measures in the general population. */
  readonly nhanes: NhanesFits;
  /** What NHANES' girths add to the soft dimensions that NHANES does not measure. */
  readonly carryOver: PerGender<CarryOver>;
  /** The dimensions that Snyder 1977 measured on children. */
  readonly children: PerGender<ReadonlyMap<string, ChildFit>>;
  /** ln median head girth (mm) of infants, for growth below the youngest age of Snyder 1977. */
  readonly lnInfantHeadGirth: (gender: Gender, ageYears: number) => number;
  /** ln of the upper arm's share of infants' length, for the same ages. */
  readonly lnInfantArmShare: (gender: Gender, ageYears: number) => number;
  /** Median stature (mm) of US adults, at which lone numbers of formulas are stated. */
  readonly referenceStatureMm: PerGender<number>;
  /** Shift of a dimension's ln median in a country, from national studies. */
  readonly calibration: (gender: Gender, country: string, name: MeasurementName) => number;
  /** Ratio of a dimension's residual spread in a country to the US soldiers', from national studies. */
  readonly spread: (gender: Gender, country: string, name: MeasurementName) => number;
  /** Correlations of normal scores; absent while they are fitted. */
  readonly joint?: (gender: Gender, ageYears: number) => ScoreCorrelation;
}

/** Difference of a country from the US in a dimension's ln median, from national studies. */
export function countryDeparture(
  { calibration }: FittedModel,
  gender: Gender,
  country: string,
  name: MeasurementName,
): number {
  return calibration(gender, country, name) - calibration(gender, 'US', name);
}

/** Drivers by gender, country and age that were computed before, of every model. */
const knownDrivers = new WeakMap<FittedModel, PerGender<(country: string) => DriversByAge>>();

type DriversByAge = (ageYears: number) => Drivers;

/** Drivers of a country's population at an age in the reference year. */
function driversToday(
  model: FittedModel,
  gender: Gender,
  country: string,
  ageYears: number,
): Drivers {
  const known =
    knownDrivers.get(model) ??
    perGender((of) =>
      memoise((from: string) => memoise((age: number) => computeDrivers(model, of, from, age))),
    );
  knownDrivers.set(model, known);
  return known[gender](country)(ageYears);
}

function computeDrivers(
  model: FittedModel,
  gender: Gender,
  country: string,
  ageYears: number,
): Drivers {
  const us = model.usDrivers(gender, ageYears);
  const shift = model.countryShift(gender, country, ageYears);
  return {
    lnStature: us.lnStature + shift.lnStature,
    lnStatureSd: us.lnStatureSd * shift.statureSpread,
    lnStatureSkew: us.lnStatureSkew,
    lnBmi: us.lnBmi + shift.lnBmi,
    lnBmiSd: us.lnBmiSd * shift.bmiSpread,
    lnBmiSkew: us.lnBmiSkew * shift.bmiSkew,
    rho: us.rho,
  };
}

/**
 * Refuses a year that a population of this age has no drivers for.
 *
 * @throws RangeError outside `FIRST_YEAR` to `LAST_YEAR`, and for other years than the reference year
 * below `YEARS_FROM_AGE` or without the table of BMI by year
 */
function yearShiftsFor(model: FittedModel, ageYears: number, year: number): YearShifts {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) {
    throw new RangeError(`The year ${year} is not between ${FIRST_YEAR} and ${LAST_YEAR}.`);
  }
  if (model.yearShifts === undefined) {
    throw new RangeError(`The model has no other year than ${REFERENCE_YEAR}.`);
  }
  if (ageYears < YEARS_FROM_AGE) {
    const only = `only the year ${REFERENCE_YEAR} is known below ${YEARS_FROM_AGE} years of age`;
    throw new RangeError(`No drivers of ${year} at ${ageYears} years: ${only}.`);
  }
  return model.yearShifts;
}

/**
 * Narrowest SD of ln BMI that a large sample of adults shows: 4,402 soldiers of Pakistan (pk-2015-kamran
 * in `data/raw/world`). Some fits for young people of lean countries in early years are narrower, because
 * nearly all of these people are in three classes of BMI.
 */
const NARROWEST_LN_BMI_SD = 0.09;

/**
 * Drivers of a country's population at an age, in a year. Spread and skewness of stature and the
 * correlation are those of the reference year; the skewness of BMI falls as its spread grows.
 *
 * @throws RangeError for a year without drivers at this age
 */
export function countryDrivers(
  model: FittedModel,
  gender: Gender,
  country: string,
  ageYears: number,
  year: number = REFERENCE_YEAR,
): Drivers {
  const today = driversToday(model, gender, country, ageYears);
  if (year === REFERENCE_YEAR) return today;
  const { at } = yearShiftsFor(model, ageYears, year);
  const shift = at(gender, country, ageYears, year);
  const narrowest = Math.min(today.lnBmiSd, NARROWEST_LN_BMI_SD);
  const lnBmiSd = Math.max(narrowest, today.lnBmiSd * shift.bmiSpread);
  return {
    ...today,
    lnStature: today.lnStature + shift.lnStature,
    lnBmi: today.lnBmi + shift.lnBmi,
    lnBmiSd,
    lnBmiSkew: (today.lnBmiSkew * today.lnBmiSd) / lnBmiSd,
  };
}
