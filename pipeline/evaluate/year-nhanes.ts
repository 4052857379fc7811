import { GENDERS } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { groupCovariates, standingGroups } from '../fit/covariates/group-covariates.js';
import type { Covariates } from '../model/covariates.js';
import { REFERENCE_YEAR, YEARS_FROM_AGE } from '../plans/axes.js';
import type { Survey } from '../raw-tables/surveys.js';
import type { Asked, AskedCurve } from './asked.js';
import { meanAbs, summariseBy } from './metrics.js';

/** The earlier period of NHANES and its middle. */
const PERIOD = '1999-2006';
const NHANES_YEAR = 2003;

/** Girths that both periods measured in the same way, and girths of the earlier period only. */
const GIRTHS: readonly (readonly [measurement: MeasurementName, variable: string])[] = [
  ['WaistCircumferenceAbdominal', 'WaistCircumferenceIliac'],
  ['UpperArmCircumferenceMidpoint', 'UpperArmCircumferenceMidpoint'],
  ['CalfCircumference', 'CalfCircumference'],
  ['ThighCircumferenceMidpoint', 'ThighCircumferenceMidpoint'],
];
const PERCENTILES = [5, 50, 95] as const;

/** Age that separates the two groups for which stature is reported. */
const OLD_YEARS = 60;

/** Errors of one quantity in SD: of the answer for the year of the survey, and for the reference year. */
export interface YearError {
  readonly quantity: string;
  readonly ownYear: number;
  readonly referenceYear: number;
}

/** Mean and SD of ln stature and of ln BMI. */
type Sizes = Pick<Covariates, 'lnStature' | 'lnStatureSd' | 'lnBmi' | 'lnBmiSd'>;

function sizeErrors(age: number, seen: Sizes, own: Sizes, reference: Sizes): YearError[] {
  const ages = age < OLD_YEARS ? `below ${OLD_YEARS} years` : `from ${OLD_YEARS} years`;
  const error = (quantity: string, of: (sizes: Sizes) => number, unit: number): YearError => ({
    quantity,
    ownYear: (of(own) - of(seen)) / unit,
    referenceYear: (of(reference) - of(seen)) / unit,
  });
  return [
    error(`mean of ln stature ${ages}, SD`, ({ lnStature }) => lnStature, seen.lnStatureSd),
    error('mean of ln BMI, SD', ({ lnBmi }) => lnBmi, seen.lnBmiSd),
    error('SD of ln BMI, ln ratio', ({ lnBmiSd }) => Math.log(lnBmiSd), 1),
  ];
}

/**
 * Compares the answers for the United States in 2003 with NHANES 1999–2006, by gender and age group of adults: stature
 * and BMI, and P5, P50 and P95 of girths. The answers for the reference year are compared in the same way. The model
 * takes the level from NHANES 2011–2023 and the change from NCD-RisC, which uses NHANES among other surveys.
 *
 * @returns mean absolute errors by quantity
 */
export function scoreNhanesYear(asked: Asked, nhanes: Survey) {
  const errors = GENDERS.flatMap((gender) => {
    const groups = standingGroups(nhanes, gender, PERIOD).filter(
      ({ age }) => age >= YEARS_FROM_AGE,
    );
    return groups.flatMap(({ age, group }) => {
      const curves = (name: string) =>
        [NHANES_YEAR, REFERENCE_YEAR].map((year) =>
          asked.known(name, { gender, country: 'US', ageYears: age, year }),
        ) as [AskedCurve, AskedCurve];
      const [stature, bmi] = [curves('Stature'), curves('BMI')];
      const [own, reference] = stature.map(
        (curve, i): Sizes => ({
          ...{ lnStature: curve.lnMean, lnStatureSd: curve.lnSd },
          ...{ lnBmi: bmi[i].lnMean, lnBmiSd: bmi[i].lnSd },
        }),
      ) as [Sizes, Sizes];
      const girths = GIRTHS.flatMap(([measurement, variable]) => {
        const moment = group.moments.get(variable);
        if (moment === undefined) return [];
        const served = curves(measurement);
        return PERCENTILES.map((percentile): YearError => {
          const [ownYear, referenceYear] = served.map((curve) => {
            return (curve.at(zOfPercentile(percentile)) - moment[`p${percentile}`]) / moment.sd;
          }) as [number, number];
          const quantity = `P${percentile} of waist, arm, calf and thigh girth, SD`;
          return { quantity, ownYear, referenceYear };
        });
      });
      return [...sizeErrors(age, groupCovariates(group), own, reference), ...girths];
    });
  });
  return summariseBy(errors, ['quantity'], (of) => ({
    ownYearAbs: meanAbs(of.map(({ ownYear }) => ownYear)),
    referenceYearAbs: meanAbs(of.map(({ referenceYear }) => referenceYear)),
  }));
}
