import type { Importer } from '../importer.js';
import {
  defineCountries,
  NCDRISC_TERMS,
  queryTable,
  refuseMissingCountries,
  SANE_BMI_FIT,
  tableColumns,
} from '../published.js';

const ROWS = 47_250;

/** Upper bound of the open age group 85+, the oldest age the service answers for. */
const OLDEST_AGE_YEARS = 120;

/** Gamma distributions of adults' BMI from 1990 to 2022 by country, gender and age group. */
export const NCDRISC_2024_BMI_YEARS: Importer = {
  source: 'ncdrisc-2024-bmi-years',
  title: 'BMI of adults from 1990 to 2022 by country, gender and age, gamma fits to NCD-RisC 2024',
  citation:
    'Gamma fits by P. J. Dodd to the BMI classes of NCD Risk Factor Collaboration. Worldwide trends in underweight and obesity from 1990 to 2022. Lancet 2024;403:1027-1050.',
  licence: `CC BY 4.0 (the paper). ${NCDRISC_TERMS}`,
  notes: [
    'Every fourth year from 1990 to 2022 and 15 age groups from 18–19 to 85+. Each fit rests on eight classes of BMI with limits from 18.5 to 40 kg/m².',
    'This is an earlier run of the fits than `ncdrisc-2024-bmi`. The two differ at 20–24 years by up to 1 kg/m² at P95. The model therefore takes the change between two years from this table, and the level of 2022 from the other one. The ages 18 and 19 are an exception: their level connects children with adults.',
    'A fit that did not converge, or whose mean is outside 12 to 45 kg/m² or whose SD ÷ mean is outside 0.05 to 0.4, is left out. `dropped.csv` lists these fits.',
    'Hong Kong (HK) is absent: NCD-RisC 2024 does not list it.',
  ],
  files: [
    {
      label: `gamma fits of adults' BMI by country, sex, year and age (CSV, ${ROWS} rows)`,
      numbers: ['year', 'k', 'theta', 'bmi_mean', 'bmi_sd', 'converged'],
      texts: ['country', 'gender', 'age_group'],
      minimumRows: ROWS,
      maximumRows: ROWS,
      figures: [
        { what: 'median of bmi_mean (kg/m2)', sql: 'median(bmi_mean)', low: 23, high: 28 },
        { what: 'first year', sql: 'min(year)', low: 1990, high: 1990 },
        { what: 'last year', sql: 'max(year)', low: 2022, high: 2022 },
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
      ['year', 'year that the fit describes'],
      ['age_min', 'first age of the group, completed years'],
      ['age_max', 'last age of the group, completed years; 120 for the open group'],
    ]);
    const moments = tableColumns([
      ['mean', 'mean BMI, kg/m2'],
      ['sd', 'standard deviation of BMI, kg/m2'],
    ]);
    const keySql = `code, gender, CAST(year AS INTEGER) AS year,
      CAST(regexp_extract(age_group, '^\\d+') AS INTEGER) AS age_min,
      CASE WHEN age_group LIKE '%plus' THEN ${OLDEST_AGE_YEARS}
        ELSE CAST(regexp_extract(age_group, '\\d+$') AS INTEGER) END AS age_max`;
    const order = 'ORDER BY code, gender, year, age_min';
    const columns = [
      ...keys,
      ...tableColumns([
        ['shape', 'shape of the gamma distribution'],
        ['scale', 'scale of the gamma distribution, kg/m2'],
      ]),
      ...moments,
    ];
    const kept = `SELECT ${keySql}, k, theta, bmi_mean, bmi_sd FROM fits WHERE ${SANE_BMI_FIT} ${order}`;
    const dropped = `SELECT ${keySql}, bmi_mean, bmi_sd, CAST(converged AS INTEGER)
      FROM fits WHERE NOT (${SANE_BMI_FIT}) ${order}`;
    const told = tableColumns([['converged', '1 if the search for the parameters ended']]);
    return [
      await queryTable(connection, 'bmi_gamma_by_year.csv', columns, kept),
      await queryTable(connection, 'dropped.csv', [...keys, ...moments, ...told], dropped),
    ];
  },
};
