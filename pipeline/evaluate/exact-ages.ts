import { groups } from 'd3-array';
import type { Gender } from '../../src/core/genders.js';
import { DESIGN_EFFECT } from '../fit/covariates/covariate-errors.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import type { Asked } from './asked.js';

/** Largest error allowed, as a share of the SD. */
const ASKED = 0.05;

/**
 * Compares spreads at exact ages with people of NHANES whose age in months is known. Variances of both periods are
 * pooled by people; only those of 2011–2023 are fitted.
 *
 * @returns by gender, year of age and quantity: SD of ln as served ÷ SD of the survey, both at an exact age, less 1; and
 * whether this error is within 5 %, or within two standard errors of the survey's SD if these are more
 */
export async function scoreExactAges(asked: Asked, tables: RawTables) {
  const rows = await tables.rows('nhanes', 'exact_ages', 'variable, age_years, gender, period');
  const keyOf = (row: (typeof rows)[number]) => `${row.gender}|${row.age_years}|${row.variable}`;
  return groups(rows, keyOf).map(([, cell]) => {
    const [{ gender: name, age_years, variable }] = cell as [(typeof cell)[number]];
    const gender = name as Gender;
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
    return { gender, age: Number(age_years), quantity, error, within };
  });
}
