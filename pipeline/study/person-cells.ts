import { queryRows, quoteName } from '../import/duck.js';
import { dimensionVariables, screenMisreadings } from '../import/person-survey.js';
import { MINIMUM_CELL, type StatisticVariable, surveyMoments } from '../import/statistics.js';
import { type AgeBand, groupKey, groupOf } from './age-bands.js';
import { AGE, type Connection, namedText } from './persons.js';

/** Quantities whose correlations with each measurement are kept. */
export const CORRELATED = ['Stature', 'BodyMass'] as const;
/** Measurements that are no dimensions in mm. */
const OF_MASS: readonly string[] = ['BodyMass', 'BMI'];
/** With fewer people, fewer than two would lie beyond P5 or P95, and the table would show nearly a person. */
const TAIL_PEOPLE = 40;
/** A slip of the decimal point changes a mass tenfold. Nobody weighs five times the median of the group. */
const MASS_FACTOR = 5;
/** Minimum rounding steps of the figures of a study; twice as large with fewer than `COARSER_PEOPLE` people. */
const STEPS = { mm: 1, kg: 0.1, 'kg/m2': 0.1, years: 1 } as const;
const COARSER_PEOPLE = 30;
/**
 * The step times the number of people is at least so many SDs. The values of one person cannot be told from two tables,
 * with and without this person, more exactly than so.
 */
const HIDDEN_SDS = 2;
/** A percentile is the mean of the people up to so many ranks from it, so that it is nobody's value. */
const NEIGHBOURS = 2;
const PERCENTILES = [5, 50, 95] as const;
const AGE_VARIABLE: StatisticVariable = { name: AGE, unit: 'years', linear: true };

/**
 * One measurement of the people of one country, gender and age band. Lengths are in mm, masses in kg, BMI in kg/m². All
 * are rounded so that they do not show a person.
 */
export interface PersonCell {
  readonly country: string;
  readonly gender: string;
  readonly band: AgeBand;
  readonly measurement: string;
  readonly n: number;
  readonly mean: number;
  readonly sd: number;
  /** P5 and P95 are null with fewer than 40 people. */
  readonly p5: number | null;
  readonly p50: number;
  readonly p95: number | null;
  readonly correlations: Readonly<
    Partial<Record<(typeof CORRELATED)[number], { readonly n: number; readonly r: number }>>
  >;
}

/** The table of a study of persons. */
export interface PersonCells {
  /** Cells of at least ten people. */
  readonly cells: readonly PersonCell[];
  /** Mean age in years of the people of a cell. */
  ageMean(cell: PersonCell): number | null;
  /** Values that were left out, and cells that were suppressed, one sentence each. */
  readonly leftOut: readonly string[];
}

/**
 * Aggregates the table `people` of `readPersons` by country, gender and age band. Lengths more than six robust SDs from
 * the median of their group are left out as misread, and so are masses of a fifth or five times the median. BMI is computed for people who have none.
 */
export async function personCells(
  connection: Connection,
  measurements: readonly string[],
): Promise<PersonCells> {
  const dimensions = dimensionVariables(
    measurements.filter((name) => !OF_MASS.includes(name)).map((name) => [name, quoteName(name)]),
  );
  const screened = [
    ...(await screenedText(connection, dimensions)),
    ...(measurements.includes('BodyMass') ? await screenedMasses(connection) : []),
  ];
  const variables = [...dimensions, ...(await massVariables(connection, measurements))];
  const { columns, rows } = await surveyMoments(connection, [...variables, AGE_VARIABLE]);
  const at = (name: string) => columns.findIndex(([column]) => column === name);
  const ages = new Map<string, number>();
  const percentiles = await percentilesOf(connection, variables);
  const correlations = await correlationsOf(connection, variables);
  const cells = rows.flatMap((row): PersonCell[] => {
    const [gender, group, measurement] = [0, 1, 2].map((i) => String(row[i])) as [
      string,
      string,
      string,
    ];
    const [n, mean, sd] = [at('n'), at('mean'), at('sd')].map((i) => Number(row[i])) as [
      number,
      number,
      number,
    ];
    const unit = row[at('unit')] as keyof typeof STEPS;
    const step = stepOf(unit, n, sd);
    const rounded = (value: number) => Number((Math.round(value / step) * step).toFixed(1));
    if (measurement === AGE) {
      // A whole step may lie outside a narrow band.
      const { minYears } = groupOf(group).band;
      ages.set(`${gender}|${group}`, Math.max(minYears, rounded(mean)));
      return [];
    }
    const [p5, p50, p95] = percentiles(gender, group, measurement).map(rounded) as [
      number,
      number,
      number,
    ];
    const hasTails = n >= TAIL_PEOPLE;
    return [
      {
        ...{ ...groupOf(group), gender, measurement, n },
        ...{ mean: rounded(mean), sd: Math.max(step, rounded(sd)), p50 },
        ...{ p5: hasTails ? p5 : null, p95: hasTails ? p95 : null },
        correlations: correlations(gender, group, measurement),
      },
    ];
  });
  const ofCell = ({ gender, country, band }: PersonCell) =>
    ages.get(`${gender}|${groupKey(country, band)}`) ?? null;
  return {
    cells,
    ageMean: ofCell,
    leftOut: [...screened, ...(await suppressedText(connection, variables))],
  };
}

/** The step of the figures of a measurement: 1, 2 or 5 times a power of ten. */
function stepOf(unit: keyof typeof STEPS, n: number, sd: number): number {
  const least = Math.max(STEPS[unit] * (n < COARSER_PEOPLE ? 2 : 1), (HIDDEN_SDS * sd) / n);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
}

/** `PERCENTILES` of the groups and measurements, each the mean of the people nearest to it. */
async function percentilesOf(connection: Connection, variables: readonly StatisticVariable[]) {
  const found = new Map<string, number[]>();
  const keyOf = (...parts: readonly unknown[]) => parts.join('|');
  const means = PERCENTILES.map(
    (p) => `avg(x) FILTER (abs(place - 0.5 - n * ${p / 100}) <= ${NEIGHBOURS})`,
  );
  for (const { name } of variables) {
    const rows = await queryRows(
      connection,
      `SELECT gender, age_group, ${means.join(', ')} FROM (
         SELECT gender, age_group, ${quoteName(name)} AS x,
           row_number() OVER (PARTITION BY gender, age_group ORDER BY x, row_id) AS place,
           count(*) OVER (PARTITION BY gender, age_group) AS n
         FROM people WHERE x IS NOT NULL)
       GROUP BY gender, age_group`,
    );
    for (const [gender, group, ...values] of rows) {
      found.set(keyOf(gender, group, name), values.map(Number));
    }
  }
  return (...cell: readonly [gender: string, group: string, measurement: string]) =>
    found.get(keyOf(...cell)) ?? PERCENTILES.map(() => Number.NaN);
}

/** Leaves misread lengths out, and names their lines. */
async function screenedText(
  connection: Connection,
  dimensions: Parameters<typeof screenMisreadings>[1],
): Promise<string[]> {
  await connection.run('CREATE OR REPLACE TABLE unscreened AS SELECT * FROM people');
  const judged = dimensions.filter(({ linear }) => linear !== true);
  if ((await screenMisreadings(connection, judged)) === 0) return [];
  const found: string[] = [];
  for (const { name } of judged) {
    const x = quoteName(name);
    const rows = await queryRows(
      connection,
      `SELECT row_id FROM people JOIN unscreened USING (row_id)
       WHERE people.${x} IS NULL AND unscreened.${x} IS NOT NULL ORDER BY row_id`,
    );
    found.push(...rows.map(([line]) => `line ${line}: ${name}`));
  }
  const what = `Misread, so left out (more than six robust SDs from the median)`;
  return namedText(what, 'value', found.length, found);
}

/** Leaves misread masses out, and names their lines. */
async function screenedMasses(connection: Connection): Promise<string[]> {
  const rows = await queryRows(
    connection,
    `SELECT row_id FROM (SELECT row_id, "BodyMass" / median("BodyMass") OVER (PARTITION BY gender, age_group) AS ratio FROM people)
     WHERE ratio NOT BETWEEN ${1 / MASS_FACTOR} AND ${MASS_FACTOR} ORDER BY row_id`,
  );
  if (rows.length === 0) return [];
  const lines = rows.map(([line]) => Number(line));
  await connection.run(`UPDATE people SET "BodyMass" = NULL WHERE row_id IN (${lines.join()})`);
  const found = lines.map((line) => `line ${line}: BodyMass`);
  const what = `Misread, so left out (a fifth of the median mass or less, or five times or more)`;
  return namedText(what, 'value', found.length, found);
}

/** BodyMass and BMI, if they can be known. BMI follows from mass and stature where the file has none. */
async function massVariables(
  connection: Connection,
  measurements: readonly string[],
): Promise<StatisticVariable[]> {
  const has = (name: string) => measurements.includes(name);
  const computed =
    has('BodyMass') && has('Stature') ? '"BodyMass" / ("Stature" / 1000) ** 2' : 'NULL';
  const own = has('BMI') ? '"BMI"' : 'NULL';
  await connection.run(
    `CREATE OR REPLACE TABLE people AS SELECT * ${has('BMI') ? 'EXCLUDE ("BMI")' : ''},
       CAST(coalesce(${own}, ${computed}) AS DOUBLE) AS "BMI"
     FROM people ORDER BY gender, age_group, row_id`,
  );
  return [
    ...(has('BodyMass') ? [{ name: 'BodyMass', unit: 'kg' } as const] : []),
    ...(has('BMI') || computed !== 'NULL' ? [{ name: 'BMI', unit: 'kg/m2' } as const] : []),
  ];
}

/** The correlations of the measurements of a group with stature and mass, each over at least ten people. */
async function correlationsOf(connection: Connection, variables: readonly StatisticVariable[]) {
  const found = new Map<string, { n: number; r: number }>();
  const keyOf = (...parts: readonly unknown[]) => parts.join('|');
  for (const other of CORRELATED) {
    if (!variables.some(({ name }) => name === other)) continue;
    const y = quoteName(other);
    const pairs = variables.map(
      ({ name }) => `count(${quoteName(name)} + ${y}), corr(${quoteName(name)}, ${y})`,
    );
    const rows = await queryRows(
      connection,
      `SELECT gender, age_group, ${pairs.join(', ')} FROM people GROUP BY gender, age_group`,
    );
    for (const [gender, group, ...figures] of rows) {
      for (const [i, { name }] of variables.entries()) {
        const [n, r] = [Number(figures[2 * i]), figures[2 * i + 1]];
        if (name === other || n < MINIMUM_CELL || typeof r !== 'number' || !Number.isFinite(r))
          continue;
        found.set(keyOf(gender, group, name, other), { n, r: Math.round(r * 100) / 100 });
      }
    }
  }
  return (gender: string, group: string, measurement: string): PersonCell['correlations'] =>
    Object.fromEntries(
      CORRELATED.flatMap((other) => {
        const one = found.get(keyOf(gender, group, measurement, other));
        return one === undefined ? [] : [[other, one]];
      }),
    );
}

/** The groups and measurements with people, but fewer than ten. */
async function suppressedText(
  connection: Connection,
  variables: readonly StatisticVariable[],
): Promise<string[]> {
  const counts = variables.map(({ name }) => `count(${quoteName(name)})`);
  const rows = await queryRows(
    connection,
    `SELECT gender, age_group, count(*), ${counts.join(', ')} FROM people GROUP BY gender, age_group
     ORDER BY gender, age_group`,
  );
  const suppressed = rows.flatMap(([gender, group, people, ...counts]) => {
    const name = `${gender}, ${group}`;
    if (Number(people) < MINIMUM_CELL) return [name];
    return variables.flatMap((variable, i) => {
      const n = Number(counts[i]);
      return n > 0 && n < MINIMUM_CELL ? [`${name}: ${variable.name}`] : [];
    });
  });
  return namedText(
    `Suppressed, because fewer than ${MINIMUM_CELL} people`,
    'cell',
    suppressed.length,
    suppressed,
  );
}
