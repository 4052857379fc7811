import type { Importer } from '../importer.js';
import {
  defineCountries,
  NCDRISC_TERMS,
  queryTable,
  refuseMissingCountries,
  SANE_BMI_FIT,
  tableColumns,
} from '../published.js';

const ROWS = 5250;

/** Gamma distributions of the BMI of children of 5 to 19 years in 2022, by country and gender. */
export const NCDRISC_2024_BMI_CHILDREN: Importer = {
  source: 'ncdrisc-2024-bmi-children',
  title: 'BMI of children of 5 to 19 years in 2022 by country, gamma fits to NCD-RisC 2024',
  citation:
    'Gamma fits by P. J. Dodd to the BMI classes of NCD Risk Factor Collaboration. Worldwide trends in underweight and obesity from 1990 to 2022. Lancet 2024;403:1027-1050.',
  licence: `CC BY 4.0 (the paper). ${NCDRISC_TERMS}`,
  notes: [
    'Single years of age. Each fit rests on the classes with limits at −2, −1, +1 and +2 SD of the WHO reference of 2007, weighted by relative error. The middle of a fitted distribution is good. Its upper tail is too thin: P95 of US girls of 15 is 30.5 kg/m², and NHANES 2011–2023 has 36. The model takes the mean and the relative spread against the same fits for the United States, and the shape of the tail from persons.',
    'A fit that did not converge, or whose mean is outside 12 to 45 kg/m² or whose SD ÷ mean is outside 0.05 to 0.4, is left out. `dropped.csv` lists these fits.',
    'Hong Kong (HK) is absent: NCD-RisC 2024 does not list it.',
  ],
  files: [
    {
      label: `gamma fits of children's BMI by country, sex and age (CSV, ${ROWS} rows)`,
      numbers: ['age', 'k', 'theta', 'bmi_mean', 'bmi_sd', 'converged'],
      texts: ['country', 'gender'],
      minimumRows: ROWS,
      maximumRows: ROWS,
      figures: [
        { what: 'median of bmi_mean (kg/m2)', sql: 'median(bmi_mean)', low: 16, high: 21 },
        { what: 'first age', sql: 'min(age)', low: 5, high: 5 },
        { what: 'last age', sql: 'max(age)', low: 19, high: 19 },
        {
          what: 'largest distance of k * theta from bmi_mean among sane fits',
          sql: 'max(abs(k * theta - bmi_mean))',
          where: SANE_BMI_FIT,
          low: 0,
          high: 0.05,
        },
      ],
    },
  ],
  async build(context) {
    const { connection, tables } = context;
    const table = tables[0] ?? '';
    await defineCountries(connection);
    await connection.run(
      `CREATE TABLE fits AS SELECT code, iso3, f.* FROM ${table} f JOIN countries ON country = code`,
    );
    await refuseMissingCountries({ ...context, tables: ['fits'] }, 0, 'iso3', ['HK']);
    const keys = tableColumns([
      ['country', 'country code of the service'],
      ['gender', 'Male or Female'],
      ['age_years', 'age in completed years'],
    ]);
    const moments = tableColumns([
      ['mean', 'mean BMI, kg/m2'],
      ['sd', 'standard deviation of BMI, kg/m2'],
    ]);
    const parameters = tableColumns([
      ['shape', 'shape of the gamma distribution'],
      ['scale', 'scale of the gamma distribution, kg/m2'],
    ]);
    const told = tableColumns([['converged', '1 if the search for the parameters ended']]);
    const keySql = 'code, gender, CAST(age AS INTEGER) AS age_years';
    const order = 'ORDER BY code, gender, age_years';
    return [
      await queryTable(
        connection,
        'bmi_gamma_by_age.csv',
        [...keys, ...parameters, ...moments],
        `SELECT ${keySql}, k, theta, bmi_mean, bmi_sd FROM fits WHERE ${SANE_BMI_FIT} ${order}`,
      ),
      await queryTable(
        connection,
        'dropped.csv',
        [...keys, ...moments, ...told],
        `SELECT ${keySql}, bmi_mean, bmi_sd, CAST(converged AS INTEGER)
         FROM fits WHERE NOT (${SANE_BMI_FIT}) ${order}`,
      ),
    ];
  },
};
