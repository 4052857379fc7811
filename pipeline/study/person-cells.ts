import { queryRows, quoteName, quoteText } from '../import/duck.js';
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
  const figures = await figuresOf(connection, variables);
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
      ages.set(cellKey(gender, group), Math.max(minYears, rounded(mean)));
      return [];
    }
    const found = figures.get(cellKey(gender, group, measurement)) as Figures;
    const [p5, p50, p95] = found.percentiles.map(rounded) as [number, number, number];
    const hasTails = n >= TAIL_PEOPLE;
    return [
      {
        ...{ ...groupOf(group), gender, measurement, n },
        ...{ mean: rounded(mean), sd: Math.max(step, rounded(sd)), p50 },
        ...{ p5: hasTails ? p5 : null, p95: hasTails ? p95 : null },
        correlations: found.correlations,
      },
    ];
  });
  const ofCell = ({ gender, country, band }: PersonCell) =>
    ages.get(cellKey(gender, groupKey(country, band))) ?? null;
  return {
    cells,
    ageMean: ofCell,
    leftOut: [...screened, ...suppressedText(figures.values())],
  };
}

/** The step of the figures of a measurement: 1, 2 or 5 times a power of ten. */
function stepOf(unit: keyof typeof STEPS, n: number, sd: number): number {
  const least = Math.max(STEPS[unit] * (n < COARSER_PEOPLE ? 2 : 1), (HIDDEN_SDS * sd) / n);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
}

/** Figures of one measurement of a group, with percentiles as in `PERCENTILES`. */
interface Figures {
  /** Gender and age group. */
  readonly name: string;
  readonly measurement: string;
  /** People of the group, and those of them who have the measurement. */
  readonly people: number;
  readonly n: number;
  readonly percentiles: readonly number[];
  readonly correlations: PersonCell['correlations'];
}

/**
 * Figures of all groups and measurements, by `cellKey`. A percentile is the mean of the people nearest to it; a
 * correlation is over at least ten people.
 */
async function figuresOf(
  connection: Connection,
  variables: readonly StatisticVariable[],
): Promise<ReadonlyMap<string, Figures>> {
  const names = variables.map(({ name }) => name);
  const others = CORRELATED.filter((other) => names.includes(other));
  const means = PERCENTILES.map(
    (p) => `avg(x) FILTER (abs(place - 0.5 - n * ${p / 100}) <= ${NEIGHBOURS})`,
  );
  const pairs = others.map((other) => `count(x + with_${other}), corr(x, with_${other})`);
  const kept = others.map((other) => `${quoteName(other)} AS with_${other}`);
  const rows = await queryRows(
    connection,
    `SELECT gender, age_group, measurement, count(*), count(x), ${[...means, ...pairs].join(', ')} FROM (
       SELECT *, row_number() OVER (cell ORDER BY x, row_id) AS place, count(x) OVER cell AS n
       FROM (SELECT ${['*', ...kept].join(', ')} FROM people)
       UNPIVOT INCLUDE NULLS (x FOR measurement IN (${names.map(quoteName).join(', ')}))
       WINDOW cell AS (PARTITION BY gender, age_group, measurement))
     GROUP BY gender, age_group, measurement
     ORDER BY gender, age_group, list_position([${names.map(quoteText).join(', ')}], measurement)`,
  );
  return new Map(
    rows.map(([gender, group, measurement, people, n, ...values]) => {
      const correlations = others.flatMap((other, i) => {
        const [both, r] = values.slice(PERCENTILES.length + 2 * i);
        const isKnown = typeof r === 'number' && Number.isFinite(r);
        if (measurement === other || Number(both) < MINIMUM_CELL || !isKnown) return [];
        return [[other, { n: Number(both), r: Math.round(r * 100) / 100 }]];
      });
      const figures = {
        name: `${gender}, ${group}`,
        ...{ measurement: String(measurement), people: Number(people), n: Number(n) },
        percentiles: values.slice(0, PERCENTILES.length).map(Number),
        correlations: Object.fromEntries(correlations),
      };
      return [cellKey(gender, group, measurement), figures];
    }),
  );
}

const cellKey = (...parts: readonly unknown[]): string => parts.join('|');

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

/** The groups and measurements with people, but fewer than ten. */
function suppressedText(figures: Iterable<Figures>): string[] {
  const suppressed = new Set<string>();
  for (const { name, measurement, people, n } of figures) {
    if (people < MINIMUM_CELL) suppressed.add(name);
    else if (n > 0 && n < MINIMUM_CELL) suppressed.add(`${name}: ${measurement}`);
  }
  const what = `Suppressed, because fewer than ${MINIMUM_CELL} people`;
  return namedText(what, 'cell', suppressed.size, [...suppressed]);
}
