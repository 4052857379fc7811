import type { DuckDBConnection } from '@duckdb/node-api';
import { NHANES_BANDS, UNFITTED } from '../../plans/nhanes-folds.js';
import { queryRows } from '../duck.js';
import { type FoldPeople, foldAges, foldLimits, foldShares } from '../fold-persons.js';
import type { Importer } from '../importer.js';
import { NHANES, nhanesPeopleSql } from './nhanes.js';

/** SQL of each quantity in mm, kg or kg/m². The survey has cm and kg. */
const QUANTITY_SQL: Readonly<Record<(typeof UNFITTED.names)[number], string>> = {
  Stature: 'BMXHT * 10',
  BodyMass: 'BMXWT',
  BMI: 'BMXWT / (BMXHT / 100) ** 2',
  WaistCircumferenceAbdominal: 'BMXWAIST * 10',
  UpperArmCircumferenceMidpoint: 'BMXARMC * 10',
  SittingUpperLegLength: 'BMXLEG * 10',
};

/** Reads the people of each gender and age band. They stay in memory. */
async function readPeople(connection: DuckDBConnection, table: string): Promise<FoldPeople[]> {
  const found: FoldPeople[] = [];
  const columns = UNFITTED.names.map((name) => QUANTITY_SQL[name]);
  const known = columns.map((sql) => `(${sql}) IS NOT NULL`).join(' AND ');
  const people = nhanesPeopleSql(table, [{ name: '2007-2010', years: UNFITTED.cycles }]);
  for (const gender of ['Female', 'Male']) {
    for (const ages of NHANES_BANDS) {
      const [from, to] = ages.split('-').map(Number);
      const rows = await queryRows(
        connection,
        `SELECT whole_years, sample_weight, ${columns.join(', ')} FROM (${people})
         WHERE gender = '${gender}' AND ${known} AND whole_years BETWEEN ${from} AND ${to} ORDER BY row_id`,
      );
      const column = (at: number): number[] => rows.map((row) => Number(row[at]));
      const values = new Map(UNFITTED.names.map((name, at) => [name, column(2 + at)] as const));
      found.push({ gender, ages, ageYears: column(0), weights: column(1), values });
    }
  }
  return found;
}

/** Statistics on how measurements of the same person of the US go together. */
export const NHANES_PERSONS: Importer = {
  source: 'nhanes-persons',
  files: NHANES.files,
  async build({ connection, tables, log }) {
    const groups = await readPeople(connection, tables[0] ?? '');
    for (const { gender, ages, weights } of groups) {
      log(`${gender}, ${ages}: ${weights.length} people have all quantities`);
    }
    return [foldLimits(groups), foldShares(groups), foldAges(groups)];
  },
};
