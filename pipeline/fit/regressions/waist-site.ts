import { GENDERS, type Gender, perGender } from '../../../src/core/genders.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import type { MilitaryFit, NhanesFits } from '../../model/fitted-model.js';
import { localLinear, mean, memoise, smoothStep } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';
import { NHANES_DIMENSIONS } from '../../plans/nhanes-plan.js';
import type { Subsample, Survey } from '../../raw-tables/surveys.js';
import { levelGap } from './nhanes-fit.js';
import { regress } from './regression.js';

const WAIST = 'WaistCircumferenceAbdominal';
/**
 * Girths that all surveys take at one place. They show how the surveys differ apart from the place of the
 * waist.
 */
const CONTROLS = ['HipCircumferenceMax', 'UpperArmCircumferenceMidpoint', 'CalfCircumference'];
/** The controls that soldiers also have at that place; their arm was measured flexed. */
const ADULT_CONTROLS: readonly MeasurementName[] = ['HipCircumferenceMax', 'CalfCircumference'];
const PERIODS = ['1999-2006', '2011-2023'];
/** Single years of age that both surveys of children have. */
const [YOUNGEST, OLDEST] = [2, 17] as const;
/** Half width in years of the window over age. The difference at a single year has an error of 1 %. */
const WINDOW = 6;

/** ln of the ratio of the means of two samples, at equal stature and BMI. */
function gap(one: Subsample, other: Subsample): number {
  const slopesOf = ({ covariance }: Subsample) =>
    regress(covariance, 'dimension', ['stature', 'bmi']).slopes as [number, number];
  const [a, b] = [slopesOf(one), slopesOf(other)];
  return (
    one.mean.dimension -
    other.mean.dimension -
    ((a[0] + b[0]) / 2) * (one.mean.stature - other.mean.stature) -
    ((a[1] + b[1]) / 2) * (one.mean.bmi - other.mean.bmi)
  );
}

/**
 * ln of the waist girth at the iliac crest (NHANES) over that at the navel (Snyder 1977, ANSUR II), by age.
 * No survey has both. At equal stature and BMI, NHANES and Snyder differ by the place, and by what the
 * surveys and their years change in other girths, too. So the mean difference of the control girths is
 * subtracted. Genders and periods of NHANES are pooled, because they differ by no more than chance. Adults
 * have the same difference between NHANES and the soldiers of ANSUR II.
 */
export function fitWaistSite(
  nhanes: Survey,
  snyder: Survey,
  fits: NhanesFits,
  military: Readonly<Record<Gender, ReadonlyMap<string, MilitaryFit>>>,
  soldiers: Survey,
): (ageYears: number) => number {
  const points: { age: number; value: number; weight: number }[] = [];
  for (const gender of GENDERS) {
    for (const period of PERIODS) {
      for (let age = YOUNGEST; age <= OLDEST; age++) {
        const ours = nhanes.group(gender, `${period}/${age}`)?.subsamples;
        const theirs = snyder.group(gender, String(age))?.subsamples;
        const gapOf = (variable: string, name: string): number[] => {
          const [one, other] = [ours?.get(variable), theirs?.get(name)];
          return one === undefined || other === undefined ? [] : [gap(one, other)];
        };
        const { variable = '' } = NHANES_DIMENSIONS.find((d) => d.measurement === WAIST) ?? {};
        const [waist] = gapOf(variable, WAIST);
        const controls = CONTROLS.flatMap((name) => gapOf(name, name));
        if (waist === undefined || controls.length === 0) continue;
        const weight = theirs?.get(WAIST)?.n ?? 0;
        points.push({ age: age + 0.5, value: waist - mean(controls), weight });
      }
    }
  }
  const grown = mean(
    GENDERS.map((gender) => {
      const gapOf = (name: MeasurementName): number => {
        const [fit, soldier] = [fits[gender].get(name), military[gender].get(name)];
        if (fit === undefined || soldier === undefined) throw new Error(`no fit of ${name}`);
        return levelGap(fit, soldier, soldiers.adults(gender));
      };
      return gapOf(WAIST) - mean(ADULT_CONTROLS.map(gapOf));
    }),
  );
  const [ages, values, weights] = (['age', 'value', 'weight'] as const).map((field) =>
    points.map((point) => point[field]),
  ) as [number[], number[], number[]];
  return memoise((ageYears: number) => {
    const age = Math.min(Math.max(ageYears, YOUNGEST + 0.5), OLDEST + 0.5);
    const child = localLinear(ages, values, weights, age, WINDOW);
    return child + (grown - child) * smoothStep(ageYears, OLDEST, ADULT_AGE_YEARS);
  });
}

/** Moves the waists of NHANES from the iliac crest to the navel. */
export function withWaistAtNavel(
  fits: NhanesFits,
  lnCrestOverNavel: (ageYears: number) => number,
): NhanesFits {
  return perGender((gender) => {
    const fit = fits[gender].get(WAIST);
    if (fit === undefined) return fits[gender];
    const at: typeof fit.at = (covariates, ageYears) => {
      const model = fit.at(covariates, ageYears);
      return { ...model, level: model.level - lnCrestOverNavel(ageYears) };
    };
    return new Map(fits[gender]).set(WAIST, { ...fit, at, lnOfSurvey: lnCrestOverNavel });
  });
}
