import { COUNTRY_CODES, type CountryCode } from '../src/core/countries.js';
import { GENDERS, type Gender } from '../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../src/core/measurements.js';
import { bodyIndex, covariateIndex, dimensionRow, slopeIndex } from '../src/lookup/cell.js';
import { DRIVER_COLUMNS, MASS_QUANTITIES, Z_COUNT, Z_FIRST, Z_STEP } from '../src/lookup/format.js';
import type { Covariates } from './model/covariates.js';
import { bodyMarginal } from './model/covariates.js';
import { countryCovariates, type FittedModel, yearsOf } from './model/fitted-model.js';
import type { Slopes } from './model/sensitivities.js';
import { lnQuantileOf } from './numerics/marginal.js';
import { AGES_YEARS, YEARS_FROM_AGE } from './plans/axes.js';

/** The age knots at which years other than the reference year are known. */
export const ADULT_AGES_YEARS: readonly number[] = AGES_YEARS.filter(
  (age) => age >= YEARS_FROM_AGE,
);

type CovariateColumn = (typeof DRIVER_COLUMNS)[number];

/** The covariate that each column of `drivers.arrow` holds. */
const DRIVER_FIELDS: Readonly<Record<CovariateColumn, keyof Covariates>> = {
  ln_stature_mean: 'lnStature',
  ln_stature_sd: 'lnStatureSd',
  ln_stature_skew: 'lnStatureSkew',
  ln_bmi_mean: 'lnBmi',
  ln_bmi_sd: 'lnBmiSd',
  ln_bmi_skew: 'lnBmiSkew',
  rho: 'rho',
};

/** Returns the covariates of adults by country, gender, age and year, in the order of `covariateIndex`. */
export function covariateTable(
  model: FittedModel,
  years: readonly number[],
  countries: readonly CountryCode[] = COUNTRY_CODES,
): Record<CovariateColumn, Float32Array> {
  const rows = years.length * GENDERS.length * countries.length * ADULT_AGES_YEARS.length;
  const columns = Object.fromEntries(
    DRIVER_COLUMNS.map((name) => [name, new Float32Array(rows)]),
  ) as Record<CovariateColumn, Float32Array>;
  years.forEach((year, y) => {
    GENDERS.forEach((gender, g) => {
      countries.forEach((country, c) => {
        ADULT_AGES_YEARS.forEach((age, a) => {
          const covariates = countryCovariates(model, gender, country, age, year);
          const row = covariateIndex(countries.length, ADULT_AGES_YEARS.length, y, g, c, a);
          for (const name of DRIVER_COLUMNS) columns[name][row] = covariates[DRIVER_FIELDS[name]];
        });
      });
    });
  });
  return columns;
}

/** Returns quantiles of BMI (kg/m²) and body mass (kg) of every population, in the order of `bodyIndex`. */
export function bodyTable(
  model: FittedModel,
  countries: readonly CountryCode[] = COUNTRY_CODES,
): Float32Array {
  const size = { countries: countries.length, ages: AGES_YEARS.length };
  // The index after the last quantity is the length of the column.
  const quantiles = new Float32Array(bodyIndex(size, MASS_QUANTITIES.length, 0, 0, 0));
  MASS_QUANTITIES.forEach((name, b) => {
    GENDERS.forEach((gender, g) => {
      countries.forEach((country, c) => {
        AGES_YEARS.forEach((age, a) => {
          const covariates = countryCovariates(model, gender, country, age);
          const lnQuantile = lnQuantileOf(bodyMarginal(name, covariates));
          const from = bodyIndex(size, b, g, c, a);
          for (let i = 0; i < Z_COUNT; i++) {
            quantiles[from + i] = Math.exp(lnQuantile(Z_FIRST + i * Z_STEP));
          }
        });
      });
    });
  });
  return quantiles;
}

/** Tables of the people of all countries, of both genders. */
export interface CountryTables {
  readonly covariates: ReturnType<typeof covariateTable>;
  readonly bodyQuantiles: Float32Array;
}

/** Returns the covariates of all years, and body mass. */
export function countryTables(
  model: FittedModel,
  countries: readonly CountryCode[],
): CountryTables {
  return {
    covariates: covariateTable(model, yearsOf(model), countries),
    bodyQuantiles: bodyTable(model, countries),
  };
}

/**
 * Returns the slopes of dimensions on the covariates, in the order of `slopeIndex`. A dimension without a
 * model has slopes of 0.
 */
export function slopeTable(
  model: FittedModel,
  slopesOf: (gender: Gender) => (name: MeasurementName, ageYears: number) => Slopes,
): Record<'slopeStature' | 'slopeBmi' | 'slopeBmiSpread', Float32Array> {
  const ages = ADULT_AGES_YEARS.length;
  const length = MEASUREMENT_NAMES.length * GENDERS.length * ages;
  const slopeStature = new Float32Array(length);
  const slopeBmi = new Float32Array(length);
  const slopeBmiSpread = new Float32Array(length);
  GENDERS.forEach((gender, g) => {
    const slopes = slopesOf(gender);
    MEASUREMENT_NAMES.forEach((name, m) => {
      if (!model.military[gender].has(name)) return;
      ADULT_AGES_YEARS.forEach((age, a) => {
        const { stature, bmi, bmiSpread } = slopes(name, age);
        const at = slopeIndex(ages, dimensionRow(m, g), a);
        slopeStature[at] = stature;
        slopeBmi[at] = bmi;
        slopeBmiSpread[at] = bmiSpread;
      });
    });
  });
  return { slopeStature, slopeBmi, slopeBmiSpread };
}
