import type { Importer } from '../importer.js';
import {
  defineCountries,
  NCDRISC_TERMS,
  queryTable,
  refuseMissingCountries,
  tableColumns,
} from '../published.js';

const ROWS = 7600;

/** Upper bound of the open age group 85+, the oldest age the service answers for. */
const OLDEST_AGE_YEARS = 120;

/** Gamma distributions of BMI in 2022 by country, gender and age. */
export const NCDRISC_2024_BMI: Importer = {
  source: 'ncdrisc-2024-bmi',
  title: 'BMI in 2022 by country, gender and age, gamma fits to NCD-RisC 2024',
  citation:
    'Gamma fits by P. J. Dodd to the BMI classes of NCD Risk Factor Collaboration. Worldwide trends in underweight and obesity from 1990 to 2022. Lancet 2024;403:1027-1050.',
  licence: `CC BY 4.0 (the paper). ${NCDRISC_TERMS}`,
  notes: ['Hong Kong (HK) is absent: NCD-RisC 2024 does not list it.'],
  files: [
    {
      label: `gamma fits of BMI 2022 by country, age and sex (CSV, ${ROWS} rows)`,
      numbers: ['k', 'theta', 'bmi_mean', 'bmi_sd'],
      texts: ['iso3', 'sex', 'age'],
      minimumRows: ROWS,
      maximumRows: ROWS,
      figures: [
        { what: 'median of bmi_mean (kg/m2)', sql: 'median(bmi_mean)', low: 23, high: 29 },
        {
          what: 'largest distance of k * theta from bmi_mean',
          sql: 'max(abs(k * theta - bmi_mean))',
          low: 0,
          high: 0.01,
        },
        {
          what: 'largest distance of sqrt(k) * theta from bmi_sd',
          sql: 'max(abs(sqrt(k) * theta - bmi_sd))',
          low: 0,
          high: 0.01,
        },
      ],
    },
  ],
  async build(context) {
    const { connection, tables } = context;
    await defineCountries(connection);
    await refuseMissingCountries(context, 0, 'iso3', ['HK']);
    const columns = tableColumns([
      ['country', 'country code of the service'],
      ['gender', 'Male or Female'],
      ['age_min', 'first age of the group, completed years'],
      ['age_max', 'last age of the group, completed years; 120 for the open group'],
      ['shape', 'shape of the gamma distribution'],
      ['scale', 'scale of the gamma distribution, kg/m2'],
      ['mean', 'mean BMI, kg/m2'],
      ['sd', 'standard deviation of BMI, kg/m2'],
    ]);
    const sql = `
      SELECT code, sex AS gender, CAST(regexp_extract(age, '^\\d+') AS INTEGER) AS age_min,
        CASE WHEN age LIKE '%plus' THEN ${OLDEST_AGE_YEARS}
          ELSE CAST(regexp_extract(age, '\\d+$') AS INTEGER) END AS age_max,
        k, theta, bmi_mean, bmi_sd
      FROM ${tables[0] ?? ''} JOIN countries USING (iso3)
      ORDER BY code, gender, age_min`;
    return [await queryTable(connection, 'bmi_gamma.csv', columns, sql)];
  },
};
