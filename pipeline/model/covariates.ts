import { type Gender, perGender } from '../../src/core/genders.js';
import { BODY_SLOPES, type MassQuantity } from '../../src/lookup/format.js';
import { allKnots, SCORES } from '../numerics/grid-knots.js';
import { limitSkew, lnQuantilesAt, type Marginal } from '../numerics/marginal.js';
import { memoise } from '../numerics/numbers.js';
import { sumQuantiles } from '../numerics/sum-quantiles.js';

/** A figure by gender and exact age in years. */
export type ByAge<T = number> = (gender: Gender, ageYears: number) => T;

/** A figure by gender, country and exact age in years. */
export type ByCountry<T = number> = (gender: Gender, country: string, ageYears: number) => T;

/** The function with its results cached by gender and country. */
export function memoisePopulations<T>(
  compute: (gender: Gender, country: string) => T,
): (gender: Gender, country: string) => T {
  const known = perGender((gender) => memoise((country: string) => compute(gender, country)));
  return (gender, country) => known[gender](country);
}

/** Distribution of ln stature (mm) and ln BMI (kg/m²) in one population at one age. */
export interface Covariates {
  readonly lnStature: number;
  readonly lnStatureSd: number;
  readonly lnStatureSkew: number;
  readonly lnBmi: number;
  readonly lnBmiSd: number;
  readonly lnBmiSkew: number;
  /** Correlation of ln stature and ln BMI. */
  readonly rho: number;
}

/** Mean BMI (kg/m²): ln E[B] = mean + variance ÷ 2 + third cumulant ÷ 6. */
export function meanBmi({ lnBmi, lnBmiSd, lnBmiSkew }: Covariates): number {
  return Math.exp(lnBmi + lnBmiSd ** 2 / 2 + (lnBmiSkew * lnBmiSd ** 3) / 6);
}

/** ln of the millimetres in a metre, because BMI takes the stature in metres. */
const LN_MM_IN_M = Math.log(1000);

/** Distribution of ln BMI (kg/m²) or of ln body mass (kg) in a population. */
export function bodyMarginal(name: MassQuantity, covariates: Covariates): Marginal {
  const { lnBmi: mean, lnBmiSd: sd, lnBmiSkew } = covariates;
  const bmi = { mean, sd, skew: limitSkew(lnBmiSkew) };
  return name === 'BMI' ? bmi : massMarginal(bmi, covariates);
}

/**
 * Mass = BMI × stature², so ln mass = ln BMI + 2 ln stature (m). The quantiles are those of this sum in
 * people whose scores correlate as the covariates do. For the nearest distribution of the family, third
 * cumulants add as those of independent parts do.
 */
function massMarginal(bmi: Marginal, covariates: Covariates): Marginal {
  const { rho } = covariates;
  const stature: Marginal = {
    mean: covariates.lnStature - LN_MM_IN_M,
    sd: covariates.lnStatureSd,
    skew: limitSkew(covariates.lnStatureSkew),
  };
  const parts = [
    { ofPart: bmi, coefficient: BODY_SLOPES.BodyMass.bmi },
    { ofPart: stature, coefficient: BODY_SLOPES.BodyMass.stature },
  ].map(({ ofPart, coefficient }) => ({
    ...{ coefficient, mean: coefficient * ofPart.mean, sd: coefficient * ofPart.sd },
    third: ofPart.skew * (coefficient * ofPart.sd) ** 3,
    fill: (scores: Float64Array, ln: Float64Array) => lnQuantilesAt(ofPart, scores, ln),
  }));
  const [b, s] = parts.map(({ sd }) => sd) as [number, number];
  const sd = Math.sqrt(b * b + s * s + 2 * rho * b * s);
  const sum = (pick: (part: (typeof parts)[number]) => number) =>
    parts.reduce((total, part) => total + pick(part), 0);
  const ln = sumQuantiles(
    parts,
    [
      [1, rho],
      [rho, 1],
    ],
    SCORES,
  );
  return {
    mean: sum((part) => part.mean),
    ...{ sd, skew: limitSkew(sum((part) => part.third) / sd ** 3), lnKnots: allKnots(ln) },
  };
}
