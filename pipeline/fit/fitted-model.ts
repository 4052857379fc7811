import type { Gender, PerGender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import type { CarryOver } from './carry-over.js';
import type { ChildFit } from './child-fit.js';
import type { CountryShift } from './country-drivers.js';
import type { Drivers } from './drivers.js';
import type { HeightLoss } from './height-loss.js';
import type { MilitaryFit } from './military-fit.js';
import type { NhanesFits } from './nhanes-fit.js';

/** Everything fitted to the surveys that the distributions of a population are computed from. */
export interface FittedModel {
  readonly usDrivers: (gender: Gender, ageYears: number) => Drivers;
  readonly countryShift: (gender: Gender, country: string, ageYears: number) => CountryShift;
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

/** Drivers of a country's population at an age. */
export function countryDrivers(
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
    // Over NHANES' ages skewness falls about as the spread grows (0.9 at SD 0.16, 0.5 at 0.25).
    lnBmiSkew: us.lnBmiSkew / shift.bmiSpread,
    rho: us.rho,
  };
}
