import type { Importer } from '../importer.js';
import { defineCountries, queryTable, refuseMissingCountries, tableColumns } from '../published.js';

/** 176 countries with 17 age groups each. */
const ROWS = 2992;

/** People of every country in 2022 by gender and five-year age group. */
export const WPP_2022: Importer = {
  source: 'wpp2022',
  title: 'Population of 2022 by country, gender and five-year age group',
  citation:
    'United Nations, Department of Economic and Social Affairs, Population Division. World Population Prospects 2022. Estimates of the population by age group and gender, 2022.',
  licence: 'CC BY 3.0 IGO',
  notes: [
    'The publisher gives thousands with three decimals. The table has persons.',
    'The last group is open: 80 years and older. The model spreads the groups to single years of age (`pipeline/fit/head-counts.ts`).',
  ],
  files: [
    {
      label: `population by country and age group (CSV, ${ROWS} rows)`,
      numbers: ['men_thousand', 'women_thousand'],
      texts: ['country', 'age_group'],
      minimumRows: ROWS,
      maximumRows: ROWS,
      figures: [
        {
          what: 'population of all countries (thousands)',
          sql: 'sum(men_thousand + women_thousand)',
          low: 7_800_000,
          high: 8_000_000,
        },
        {
          what: 'smallest age group (thousands)',
          sql: 'min(least(men_thousand, women_thousand))',
          low: 0,
          high: 1,
        },
        { what: 'age groups', sql: 'count(DISTINCT age_group)', low: 17, high: 17 },
      ],
    },
  ],
  async build(context) {
    const { connection, tables } = context;
    await defineCountries(connection);
    await connection.run(
      `CREATE TABLE people AS
       SELECT code, iso3, CAST(regexp_extract(age_group, '^\\d+') AS INTEGER) AS age_min, p.*
       FROM ${tables[0] ?? ''} p JOIN countries ON country = code`,
    );
    await refuseMissingCountries({ ...context, tables: ['people'] }, 0, 'iso3');
    const persons = (gender: 'Male' | 'Female', column: string) =>
      // As text, because numbers are written with seven digits.
      `SELECT code, '${gender}' AS gender, age_min,
              CAST(CAST(round(${column} * 1000) AS BIGINT) AS VARCHAR) AS persons FROM people`;
    return [
      await queryTable(
        connection,
        'population.csv',
        tableColumns([
          ['country', 'country code of the service'],
          ['gender', 'Male or Female'],
          ['age_min', 'first age of the group, completed years; 80 is the open group'],
          ['persons', 'people of the group'],
        ]),
        `${persons('Male', 'men_thousand')} UNION ALL ${persons('Female', 'women_thousand')}
         ORDER BY code, gender, age_min`,
      ),
    ];
  },
};
