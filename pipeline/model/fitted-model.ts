import type { Gender, PerGender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { memoise } from '../numerics/numbers.js';
import { FIRST_YEAR, LAST_YEAR, REFERENCE_YEAR, YEARS, YEARS_FROM_AGE } from '../plans/axes.js';
import type { NhanesDimension } from '../plans/nhanes-plan.js';
import { type ByAge, type ByCountry, type Covariates, memoisePopulations } from './covariates.js';
import type { ConditionalModel, OwnRegression } from './regressions/conditional-model.js';

/** Mean stature in youth of the people of a country born in one year. */
export interface CohortStature {
  readonly meanMm: number;
  /**
   * Standard error of the mean. It contains the published error, the difference of the two vintages and the
   * projection.
   */
  readonly errorMm: number;
}

/** The birth cohorts of every country. Cohorts before the first one in the table have its stature. */
export type CohortStatures = (gender: Gender, country: string, birthYear: number) => CohortStature;

/** Difference of a country from the US at an age, in ln units, and its spreads relative to the US. */
export interface CountryShift {
  readonly lnStature: number;
  readonly lnBmi: number;
  /** Standard deviation of ln BMI over that of the US. */
  readonly bmiSpread: number;
  /** Skewness of ln BMI, less that of the US. */
  readonly bmiSkew: number;
  /** Standard deviation of ln stature over that of the US. */
  readonly statureSpread: number;
}

/** Difference of a population in another year from the people of the same age in the reference year. */
export interface YearShift {
  /** Difference of the means of ln stature. */
  readonly lnStature: number;
  /** Difference of the means of ln BMI. */
  readonly lnBmi: number;
  /** SD of ln BMI over that of the reference year. */
  readonly bmiSpread: number;
}

/** The shift at an age from `YEARS_FROM_AGE` on, in a year from `FIRST_YEAR` to `LAST_YEAR`. */
export type YearShifts = (
  ...of: [gender: Gender, country: string, ageYears: number, year: number]
) => YearShift;

/** Height lost since youth in mm, by gender and age. */
export type HeightLoss = ByAge;

/**
 * Regression of ln D (mm) on stature, BMI and age among US soldiers, centred at the means of the sample.
 */
export interface MilitaryFit {
  /** Mean of ln D at `centre`. */
  readonly level: number;
  readonly slopes: readonly [stature: number, bmi: number, age: number, ageSquared: number];
  readonly centre: readonly [lnStature: number, lnBmi: number, age: number, ageSquared: number];
  /** Ages between which age has an effect: below 18 years and above P99 of age in the survey, it stays constant. */
  readonly youngestYears: number;
  readonly oldestYears: number;
  readonly residualSd: number;
  readonly residualThird: number;
  /** Survey variable whose residual this one follows, and the correlation of the two residuals. */
  readonly residual: { readonly variable: string; readonly share: number };
}

/** A dimension in the general population of the US given stature and BMI, over all ages measured. */
export interface NhanesFit {
  readonly plan: NhanesDimension;
  /**
   * ln D (mm) at the covariates of a population and an age. Below `plan.fromYears`, the level, slopes and
   * residual are those of `plan.fromYears`.
   */
  readonly at: (
    covariates: Pick<Covariates, 'lnStature' | 'lnBmi'>,
    ageYears: number,
  ) => ConditionalModel;
  /** ln of the survey's own reading over the dimension, if the survey measures at another place. */
  readonly lnOfSurvey?: (ageYears: number) => number;
}

/** The NHANES fits by gender and measurement. */
export type NhanesFits = PerGender<ReadonlyMap<MeasurementName, NhanesFit>>;

/** A girth in which civilians are compared with soldiers of their stature, BMI and age. */
export interface Anchor {
  readonly nhanes: NhanesFit;
  readonly military: MilitaryFit;
  /** Difference at the soldiers' own size and age, if the surveys define the girth differently. */
  readonly constant: number;
}

/** Carries the girths of civilians over to the soft dimensions of the military regressions. */
export interface CarryOver {
  readonly anchors: readonly Anchor[];
  /** Regression weights of each soft dimension's residual on the residuals of the anchors. */
  readonly weights: ReadonlyMap<string, readonly number[]>;
}

/** ln D of a child's dimension given stature and BMI, by age. */
export interface ChildFit {
  /** Conditional model at an age. Below `SURVEYED_FROM`, it is the model at `SURVEYED_FROM`. */
  readonly at: (covariates: Covariates, ageYears: number) => ConditionalModel;
  /** Exponent k of D ∝ Sᵏ in early growth. It extends the dimension below `SURVEYED_FROM`. */
  readonly growth: number;
}

/** Correlation of the normal scores of two dimensions. */
export type ScoreCorrelation = (a: MeasurementName, b: MeasurementName) => number;

/** The fits to the surveys. The distributions of a population are computed from them. */
export interface FittedModel {
  readonly usCovariates: ByAge<Covariates>;
  readonly countryShift: ByCountry<CountryShift>;
  /**
   * Covariates of a country's population at an age in the reference year. `withCovariates` computes them.
   */
  readonly covariatesToday: ByCountry<Covariates>;
  /** Adult stature by birth cohort. */
  readonly cohortStature: CohortStatures;
  /** Change of the covariates by year; undefined if only the reference year is known. */
  readonly yearShifts: YearShifts | undefined;
  readonly heightLoss: HeightLoss;
  /** Regressions among US soldiers, by measurement. */
  readonly military: PerGender<ReadonlyMap<string, MilitaryFit>>;
  /** The dimensions that NHANES measures in the general population. */
  readonly nhanes: NhanesFits;
  /** Carries NHANES' girths over to the soft dimensions that NHANES does not measure. */
  readonly carryOver: PerGender<CarryOver>;
  /** The dimensions that Snyder 1977 measured on children. */
  readonly children: PerGender<ReadonlyMap<string, ChildFit>>;
  /** ln median head girth (mm) of infants, for growth below the youngest age of Snyder 1977. */
  readonly lnInfantHeadGirth: ByAge;
  /** ln of newborns' head girth in a country over that of the US; undefined where its table was left out. */
  readonly lnNewbornHead: ((country: string) => number) | undefined;
  /** ln of the upper arm's share of infants' length, for the same ages. */
  readonly lnInfantArmShare: ByAge;
  /** Median stature (mm) of US adults. The lone numbers of formulas apply at this stature. */
  readonly referenceStatureMm: PerGender<number>;
  /** Shift of a dimension's ln median in a country, from national studies. */
  readonly calibration: (gender: Gender, country: string, name: MeasurementName) => number;
  /**
   * Addition to it among children, by age, from surveys of the country's pupils (fading until 20 years) and from the arm
   * girths of the growth standards.
   */
  readonly childDeparture: (
    gender: Gender,
    country: string,
    name: MeasurementName,
    ageYears: number,
  ) => number;
  /** Ratio of a dimension's residual spread in a country to the US soldiers', from national studies. */
  readonly spread: (gender: Gender, country: string, name: MeasurementName) => number;
  /** The regression of a country's own survey on stature and BMI; undefined where there is none. */
  readonly ownRegression: (
    gender: Gender,
    country: string,
    name: MeasurementName,
  ) => OwnRegression | undefined;
  /** Correlations of normal scores. They are absent while they are being fitted. */
  readonly joint?: ByAge<ScoreCorrelation>;
}

/** The years that the model has covariates for. */
export function yearsOf({ yearShifts }: FittedModel): readonly number[] {
  return yearShifts === undefined ? [REFERENCE_YEAR] : YEARS;
}

/** Difference of a country from the US in a dimension's ln median, from national studies. */
export function countryDeparture(
  { calibration }: Pick<FittedModel, 'calibration'>,
  gender: Gender,
  country: string,
  name: MeasurementName,
): number {
  return calibration(gender, country, name) - calibration(gender, 'US', name);
}

/**
 * Adds the covariates of the reference year to the model: those of the US, shifted to the country. They are
 * computed once for each gender, country and age.
 */
export function withCovariates<
  Model extends Pick<FittedModel, 'usCovariates' | 'countryShift' | 'yearShifts'>,
>(model: Model): Model & Pick<FittedModel, 'covariatesToday'> {
  const known = memoisePopulations((gender, country) =>
    memoise((ageYears: number): Covariates => {
      const us = model.usCovariates(gender, ageYears);
      const shift = model.countryShift(gender, country, ageYears);
      return {
        lnStature: us.lnStature + shift.lnStature,
        lnStatureSd: us.lnStatureSd * shift.statureSpread,
        lnStatureSkew: us.lnStatureSkew,
        lnBmi: us.lnBmi + shift.lnBmi,
        lnBmiSd: us.lnBmiSd * shift.bmiSpread,
        lnBmiSkew: us.lnBmiSkew + shift.bmiSkew,
        rho: us.rho,
      };
    }),
  );
  const covariatesToday: ByCountry<Covariates> = (gender, country, ageYears) =>
    known(gender, country)(ageYears);
  return { ...model, covariatesToday };
}

/**
 * Refuses a year for which a population of this age has no covariates. Below `YEARS_FROM_AGE`, and without
 * the table of BMI by year, only the reference year has covariates.
 *
 * @throws RangeError for such a year, and outside `FIRST_YEAR` to `LAST_YEAR`
 */
function yearShiftsFor(
  model: Pick<FittedModel, 'yearShifts'>,
  ageYears: number,
  year: number,
): YearShifts {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) {
    throw new RangeError(`The year ${year} is not between ${FIRST_YEAR} and ${LAST_YEAR}.`);
  }
  if (model.yearShifts === undefined) {
    throw new RangeError(`The model has no other year than ${REFERENCE_YEAR}.`);
  }
  if (ageYears < YEARS_FROM_AGE) {
    const only = `only the year ${REFERENCE_YEAR} is known below ${YEARS_FROM_AGE} years of age`;
    throw new RangeError(`No covariates of ${year} at ${ageYears} years: ${only}.`);
  }
  return model.yearShifts;
}

/**
 * Minimum SD of ln BMI. It is the narrowest that a large sample of adults shows: 4,402 soldiers of Pakistan
 * (pk-2015-kamran in `data/raw/world`). Some fits for young people of lean countries in early years are
 * narrower, because nearly all of these people are in three classes of BMI.
 */
const NARROWEST_LN_BMI_SD = 0.09;

/**
 * Covariates of a country's population at an age, in a year. The spread of stature, skewness and the
 * correlation are those of the reference year.
 *
 * @throws RangeError for a year without covariates at this age
 */
export function countryCovariates(
  model: Pick<FittedModel, 'covariatesToday' | 'yearShifts'>,
  gender: Gender,
  country: string,
  ageYears: number,
  year: number = REFERENCE_YEAR,
): Covariates {
  const today = model.covariatesToday(gender, country, ageYears);
  if (year === REFERENCE_YEAR) return today;
  const shift = yearShiftsFor(model, ageYears, year)(gender, country, ageYears, year);
  const narrowest = Math.min(today.lnBmiSd, NARROWEST_LN_BMI_SD);
  const lnBmiSd = Math.max(narrowest, today.lnBmiSd * shift.bmiSpread);
  return {
    ...today,
    lnStature: today.lnStature + shift.lnStature,
    lnBmi: today.lnBmi + shift.lnBmi,
    lnBmiSd,
  };
}
