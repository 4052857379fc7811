import { groups } from 'd3-array';
import { GENDERS } from '../../src/core/genders.js';
import { DESIGN_EFFECT } from '../fit/covariates/covariate-errors.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import type { Asked } from './asked.js';
import { meanAbs, share } from './metrics.js';

/** Largest error allowed, as a share of the SD. */
const ASKED = 0.05;

/** Spread of a quantity of children of one gender and age in the US: model against NHANES 1999–2023 by month. */
export interface ExactAgeError {
  readonly gender: string;
  /** Completed years. */
  readonly age: number;
  readonly quantity: string;
  readonly n: number;
  /** SD of ln of the quantity as served ÷ SD of the survey, both at an exact age, less 1. */
  readonly error: number;
  /** Two standard errors of the survey's SD, as a share of the SD. */
  readonly twoSe: number;
  /** Whether the error is within 5 %, or within two standard errors if these are more. */
  readonly within: boolean;
}

/**
 * Compares spreads at exact ages with people of NHANES whose age in months is known. Variances of both periods are
 * pooled by people; only those of 2011–2023 are fitted.
 */
export async function scoreExactAges(asked: Asked, tables: RawTables): Promise<ExactAgeError[]> {
  const rows = await tables.rows('nhanes', 'exact_ages', 'variable, age_years, gender, period');
  const keyOf = (row: (typeof rows)[number]) => `${row.gender}|${row.age_years}|${row.variable}`;
  return groups(rows, keyOf).map(([, cell]) => {
    const [{ gender: name, age_years, variable }] = cell as [(typeof cell)[number]];
    const gender = GENDERS.find((one) => one === name) ?? 'Male';
    const n = cell.reduce((sum, row) => sum + Number(row.n), 0);
    const pooled = (pick: (row: (typeof cell)[number]) => number) =>
      cell.reduce((sum, row) => sum + Number(row.n) * pick(row), 0) / n;
    const seen = Math.sqrt(pooled((row) => Number(row.sd_at_age) ** 2));
    const ageYears = pooled((row) => Number(row.mean_age));
    const quantity = variable === 'Bmi' ? 'BMI' : String(variable);
    const { lnSd } = asked.known(quantity, { gender, country: 'US', ageYears });
    const error = lnSd / seen - 1;
    const twoSe = 2 * Math.sqrt(DESIGN_EFFECT / (2 * n));
    const within = Math.abs(error) <= Math.max(ASKED, twoSe);
    return { gender, age: Number(age_years), quantity, n, error, twoSe, within };
  });
}

/** Errors of spreads at exact ages of 1 to 5 years, as shares of the SD. */
export function exactAgeFigures(errors: readonly ExactAgeError[]) {
  const of = (name: string) => errors.filter(({ quantity }) => quantity === name);
  const absolute = (name: string) => meanAbs(of(name).map(({ error }) => error));
  return {
    exactAgeSdAbs: absolute('Stature'),
    exactAgeMassAbs: absolute('BodyMass'),
    exactAgeBmiAbs: absolute('BMI'),
    exactAgeArmAbs: absolute('UpperArmCircumferenceMidpoint'),
    exactAgeSdWithin: share(of('Stature'), ({ within }) => within),
  };
}
