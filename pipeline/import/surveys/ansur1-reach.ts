import { ANSUR1_REACH_DIMENSIONS } from '../columns/ansur1-reach-columns.js';
import { queryRows } from '../duck.js';
import type { Cell, FileSpec, Importer } from '../importer.js';
import {
  columnsOf,
  createCheckedPeople,
  dimensionVariables,
  publishedMean,
} from '../person-survey.js';
import { MINIMUM_CELL } from '../statistics.js';
import { ANSUR1 } from './ansur1.js';

const VARIABLES = dimensionVariables(ANSUR1_REACH_DIMENSIONS);
const NAMES = VARIABLES.map(({ name }) => name);
const AGE_GROUP = `CASE WHEN AGE_ANSUR88 < 25 THEN '17-24' WHEN AGE_ANSUR88 < 35 THEN '25-34' ELSE '35-51' END`;

function fileSpec({ label, rows }: FileSpec, thumbTipMm: number): FileSpec {
  return {
    ...{ label, rows, missing: -999 },
    numbers: [...columnsOf(VARIABLES), 'AGE_ANSUR88'],
    figures: [publishedMean('THUMB_TIP_REACH', 'mm', 'NATICK/TR-89/044', thumbTipMm, 0.5)],
  };
}

const [MEN, WOMEN] = ANSUR1.files as [FileSpec, FileSpec];

/** Reaches, arms and shoulders of the same soldiers of 1988, in two halves: one to fit, one to test. */
export const ANSUR1_REACH: Importer = {
  source: 'ansur1-reach',
  title: 'ANSUR I, reaches and shoulders of US soldiers of 1988',
  citation: ANSUR1.citation,
  licence: ANSUR1.licence,
  notes: [
    'Every second person, in the order of the file, belongs to the half `fit`; the others are the half `test`. The model of the shoulder is fitted to the first half and judged on the second.',
    'WorkReach is taken with both shoulders against the wall; WorkReachExtended with the right shoulder stretched forward and the other one against the wall. VerticalGripReachSitting is taken sitting, with the arm stretched up. Measurements without their own column are sums and differences of columns, as in `ansur1`.',
  ],
  files: [fileSpec(MEN, 800.8), fileSpec(WOMEN, 734.6)],
  async build(context) {
    const { connection, tables } = context;
    const files = tables.map(
      (table, i) => `SELECT *, '${i === 0 ? 'Male' : 'Female'}' AS gender FROM ${table}`,
    );
    const rowsSql = `SELECT *, ${AGE_GROUP} || CASE WHEN row_id % 2 = 0 THEN '|fit' ELSE '|test' END AS age_group, 1.0 AS sample_weight FROM (${files.join(' UNION ALL BY NAME ')})`;
    await createCheckedPeople(context, 'ansur1-reach', rowsSql, VARIABLES);
    const complete = NAMES.map((name) => `${name} IS NOT NULL`).join(' AND ');
    const rows: Cell[][] = [];
    for (const [i, a] of NAMES.entries()) {
      for (const b of NAMES.slice(i)) {
        const found = await queryRows(
          connection,
          `SELECT gender, split_part(age_group, '|', 1), split_part(age_group, '|', 2), '${a}', '${b}',
             count(*), round(avg(${a}), 3), round(avg(${b}), 3), round(covar_samp(${a}, ${b}), 3)
           FROM people WHERE ${complete} GROUP BY gender, age_group
           HAVING count(*) >= ${MINIMUM_CELL}`,
        );
        rows.push(...found);
      }
    }
    return [
      {
        file: 'pairs.csv',
        columns: [
          ['gender', 'Male or Female'],
          ['age_group', 'completed years'],
          ['half', '`fit` or `test`'],
          ['a', 'measurement'],
          ['b', 'the same or another measurement'],
          ['n', 'people who have all measurements, at least 10'],
          ['mean_a', 'mean of a in mm'],
          ['mean_b', 'mean of b in mm'],
          ['cov', 'covariance in mm², n - 1'],
        ],
        rows,
      },
    ];
  },
};
