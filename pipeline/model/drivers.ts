import { BODY_SLOPES, type BodyName } from '../../src/lookup/format.js';
import { limitSkew, type Marginal } from '../numerics/marginal.js';

/** Distribution of ln stature (mm) and ln BMI (kg/m²) in one population at one age. */
export interface Drivers {
  readonly lnStature: number;
  readonly lnStatureSd: number;
  readonly lnStatureSkew: number;
  readonly lnBmi: number;
  readonly lnBmiSd: number;
  readonly lnBmiSkew: number;
  /** Correlation of ln stature and ln BMI. */
  readonly rho: number;
}

/** ln of a millimetre in metres: BMI takes the stature in metres. */
const LN_MM_IN_M = Math.log(1000);

/**
 * Distribution of ln BMI (kg/m²) or of ln body mass (kg) in a population. Mass = BMI × stature², so
 * ln mass = ln BMI + 2 ln stature (m). The variance has the correlation of the two; the third cumulants
 * add as those of independent parts do.
 */
export function bodyMarginal(name: BodyName, drivers: Drivers): Marginal {
  const slopes = BODY_SLOPES[name];
  const stature = slopes.stature * drivers.lnStatureSd;
  const bmi = slopes.bmi * drivers.lnBmiSd;
  const sd = Math.sqrt(stature ** 2 + bmi ** 2 + 2 * drivers.rho * stature * bmi);
  const third = stature ** 3 * drivers.lnStatureSkew + bmi ** 3 * drivers.lnBmiSkew;
  const mean = slopes.bmi * drivers.lnBmi + slopes.stature * (drivers.lnStature - LN_MM_IN_M);
  return { mean, sd, skew: limitSkew(third / sd ** 3) };
}
