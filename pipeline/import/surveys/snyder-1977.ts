import { measurementIndex } from '../../../src/core/measurements.js';
import { dimensionsOf } from '../dimensions.js';
import { queryRows } from '../duck.js';
import { orderShares, subsampleStatistics } from '../group-tables.js';
import { type Cell, type FileSpec, type Importer, ImportRefusal } from '../importer.js';
import {
  columnsOf,
  createCheckedPeople,
  dimensionVariables,
  driverVariables,
  screenMisreadings,
} from '../person-survey.js';
import { surveyStatistics } from '../statistics.js';

const DIMENSIONS = dimensionsOf('snyder1977');
const NAMES = DIMENSIONS.map(([name]) => name);
const VARIABLES = [
  ...dimensionVariables(DIMENSIONS),
  ...driverVariables('WEIGHT / 10', 'STATURE', '"AGE IN YEARS" / 1000'),
];

/** Dimensions outside the 148. Other dimensions grow like them; their covariances are not needed. */
const LENT = new Set<Cell | undefined>(
  NAMES.filter((name) => measurementIndex(name) === undefined),
);

/** Units of columns that are not stored in mm. */
const STORED_UNITS: Readonly<Record<string, string>> = {
  WEIGHT: '0.1 kg',
  'INDEX FINGER DIAMETER': '0.1 mm',
  'MIDDLE FINGER DIAMETER': '0.1 mm',
};
const AGE = 'AGE IN YEARS';
const READ_COLUMNS = columnsOf(VARIABLES);

const CHILDREN: FileSpec = {
  label: 'Snyder 1977 children',
  rows: 3900,
  numbers: ['SEX', ...READ_COLUMNS],
  // biome-ignore format: a row is a line
  figures: [
    ['smallest SEX code', 'min(SEX)', 1, 1],
    ['largest SEX code', 'max(SEX)', 2, 2],
    ['median AGE IN YEARS (0.001 y)', 'median("AGE IN YEARS")', 9e3, 12e3],
    // In the CDC reference, the medians at 10 years are 1388 mm (boys) and 1382 mm (girls).
    ['mean STATURE in mm at age 10', 'avg(STATURE)', 1360, 1410, '"AGE IN YEARS" BETWEEN 9750 AND 10250'],
  ],
};

const COLUMNS: FileSpec = {
  label: 'Snyder 1977 columns with their units',
  rows: 87,
  numbers: ['n'],
  texts: ['measure', 'unit'],
  figures: [],
};

/** Snyder 1977: body size and shape of 3900 US infants, children and youths, mm. */
export const SNYDER_1977: Importer = {
  source: 'snyder1977',
  files: [CHILDREN, COLUMNS],
  async build(context) {
    const { connection, tables, fileNames, log } = context;
    const [children = '', columns = ''] = tables;
    const units = new Map(
      (await queryRows(connection, `SELECT measure, unit FROM ${columns}`)).map(
        ([measure, unit]) => [String(measure), String(unit)],
      ),
    );
    for (const column of READ_COLUMNS) {
      const unit = units.get(column) ?? 'no unit';
      const expected = STORED_UNITS[column] ?? 'mm';
      if (column === AGE || unit === expected) continue;
      throw new ImportRefusal(
        fileNames[1] ?? '',
        `gives ${column} in ${unit}, expected ${expected}`,
        'Check that it is the right file and that its units were not converted',
      );
    }
    const people = `
      SELECT *, CASE WHEN SEX = 1 THEN 'Male' ELSE 'Female' END AS gender,
        CASE WHEN "AGE IN YEARS" >= 2000 AND "AGE IN YEARS" < 20000
          THEN CAST(CAST(floor("AGE IN YEARS" / 1000) AS INTEGER) AS VARCHAR) END AS age_group,
        1.0 AS sample_weight
      FROM ${children}`;
    await createCheckedPeople(context, 'snyder1977', people, VARIABLES);
    log(`${await screenMisreadings(connection, VARIABLES)} misread values left out`);
    const [moments, covariances] = await surveyStatistics(connection, VARIABLES, log);
    const ofTheList = ([, , x, y]: readonly Cell[]) => x === y || !(LENT.has(x) || LENT.has(y));
    return [
      moments,
      { ...covariances, rows: covariances.rows.filter(ofTheList) },
      await subsampleStatistics(
        connection,
        NAMES.filter((name) => name !== 'Stature'),
      ),
      await orderShares(connection, NAMES, "CASE WHEN AgeYears < 13 THEN '2-12' ELSE '13-19' END"),
    ];
  },
};
