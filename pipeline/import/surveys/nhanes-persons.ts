import type { DuckDBConnection } from '@duckdb/node-api';
import { NHANES_BANDS, NHANES_FOLDS } from '../../plans/nhanes-folds.js';
import { queryRows } from '../duck.js';
import { type FoldPeople, foldAges, foldLimits, foldShares } from '../fold-persons.js';
import type { Importer } from '../importer.js';
import { NHANES, nhanesPeopleSql } from './nhanes.js';

/** SQL of each quantity in mm, kg or kg/m². The survey has cm and kg. */
const QUANTITY_SQL: Readonly<Record<string, string>> = {
  Stature: 'BMXHT * 10',
  BodyMass: 'BMXWT',
  BMI: 'BMXWT / (BMXHT / 100) ** 2',
  WaistCircumferenceAbdominal: 'BMXWAIST * 10',
  UpperArmCircumferenceMidpoint: 'BMXARMC * 10',
  SittingUpperLegLength: 'BMXLEG * 10',
  CalfCircumference: 'BMXCALF * 10',
  ThighCircumferenceMidpoint: 'BMXTHICR * 10',
  HipCircumferenceMax: 'BMXHIP * 10',
};

const PERIODS = NHANES_FOLDS.map(({ period, cycles }) => ({ name: period, years: cycles }));

/** Reads the people of each fold, gender and age band. They stay in memory. */
async function readPeople(connection: DuckDBConnection, table: string): Promise<FoldPeople[]> {
  const found: FoldPeople[] = [];
  for (const fold of NHANES_FOLDS) {
    const columns = fold.names.map((name) => QUANTITY_SQL[name] as string);
    const known = columns.map((sql) => `(${sql}) IS NOT NULL`).join(' AND ');
    for (const gender of ['Female', 'Male']) {
      for (const ages of NHANES_BANDS) {
        const [from, to] = ages.split('-').map(Number);
        const rows = await queryRows(
          connection,
          `SELECT whole_years, sample_weight, ${columns.join(', ')}
           FROM (${nhanesPeopleSql(table, PERIODS)})
           WHERE period = '${fold.period}' AND gender = '${gender}' AND ${known}
             AND whole_years BETWEEN ${from} AND ${to} ORDER BY row_id`,
        );
        const column = (at: number): number[] => rows.map((row) => Number(row[at]));
        const values = new Map(fold.names.map((name, at) => [name, column(2 + at)] as const));
        found.push({ fold, gender, ages, ageYears: column(0), weights: column(1), values });
      }
    }
  }
  return found;
}

/** Statistics on how measurements of the same person of the US go together. */
export const NHANES_PERSONS: Importer = {
  source: 'nhanes-persons',
  title: 'NHANES 1999-2023, joint statistics of adults',
  citation: NHANES.citation,
  licence: NHANES.licence,
  notes: [
    'No model is fitted to these tables. `nhanes`, to which the model is fitted, has nobody of 2007-2010.',
    'People are those of 20 to 79 completed years who have all quantities of their period; ages from 80 on are not released. Pregnant women are left out. Shares are weighted with the examination weight times the years of the cycle; the weights are not corrected for people who lack a quantity. The rows of 2017-2018 are part of 2017-March 2020 and are read once. WaistCircumferenceAbdominal is the waist at the iliac crest and SittingUpperLegLength the upper leg length (BMXLEG), as the model takes them; the upper leg is left out before 2007, because its method changed.',
    'Periods, quantities and sets are in `pipeline/plans/nhanes-folds.ts`.',
  ],
  files: NHANES.files,
  async build({ connection, tables, log }) {
    const groups = await readPeople(connection, tables[0] ?? '');
    for (const { fold, gender, ages, weights } of groups) {
      log(`${fold.period}, ${gender}, ${ages}: ${weights.length} people have all quantities`);
    }
    return [foldLimits(groups), foldShares(groups), foldAges(groups)];
  },
};
