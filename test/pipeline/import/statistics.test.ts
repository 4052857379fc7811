import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDuck } from '../../../pipeline/import/duck.js';
import type { OutputTable } from '../../../pipeline/import/importer.js';
import { createPeople, screenMisreadings } from '../../../pipeline/import/person-survey.js';
import { surveyStatistics } from '../../../pipeline/import/statistics.js';
import { seeded } from '../../support/random.js';

interface Row {
  readonly gender: string;
  readonly group: string;
  readonly weight: number;
  readonly a: number | null;
  readonly b: number | null;
}

const random = seeded(42).unit;
const ROWS: readonly Row[] = Array.from({ length: 400 }, (_, index) => {
  const a = 900 + 300 * random() ** 2;
  const b = index % 5 === 0 ? null : a * 0.3 - 300 + 40 * random();
  // The last group has only nine people, fewer than the smallest cell may have.
  const group = index >= 391 ? 'few' : index % 3 === 0 ? '2' : '10';
  const gender = index % 2 === 0 ? 'Male' : 'Female';
  return { gender, group, weight: 1 + 5 * random(), a, b };
});

const VARIABLES = [
  { name: 'A', unit: 'mm', sql: 'a' },
  { name: 'B', unit: 'mm', sql: 'b' },
] as const;

let duck: Awaited<ReturnType<typeof openDuck>>;
let tables: OutputTable[];

function cell(table: OutputTable | undefined, keys: readonly string[], column: string): number {
  const index = table?.columns.findIndex(([name]) => name === column) ?? -1;
  const row = table?.rows.find((candidate) =>
    keys.every((key) => candidate.slice(0, 4).includes(key)),
  );
  return Number(row?.[index] ?? Number.NaN);
}

/** Weighted moments, computed directly. */
function moments(values: readonly (readonly [x: number, w: number])[]): {
  mean: number;
  sd: number;
  skew: number;
} {
  const total = values.reduce((sum, [, w]) => sum + w, 0);
  const mean = values.reduce((sum, [x, w]) => sum + w * x, 0) / total;
  const central = (power: number): number =>
    values.reduce((sum, [x, w]) => sum + w * (x - mean) ** power, 0) / total;
  const n = values.length;
  return { mean, sd: Math.sqrt((central(2) * n) / (n - 1)), skew: central(3) / central(2) ** 1.5 };
}

/** Weighted percentile. Each value stands at the middle of its share. */
function percentile(values: readonly (readonly [x: number, w: number])[], p: number): number {
  const ordered = [...values].sort(([x], [y]) => x - y);
  const total = ordered.reduce((sum, [, w]) => sum + w, 0);
  let before = 0;
  let last: readonly [x: number, at: number] | undefined;
  for (const [x, w] of ordered) {
    const at = (before + w / 2) / total;
    if (at > p) {
      if (last === undefined) return x;
      return last[0] + ((x - last[0]) * (p - last[1])) / (at - last[1]);
    }
    last = [x, at];
    before += w;
  }
  return last?.[0] ?? Number.NaN;
}

beforeAll(async () => {
  duck = await openDuck();
  const values = ROWS.map(
    (row, index) =>
      `(${index}, '${row.gender}', '${row.group}', ${row.weight}, ${row.a ?? 'NULL'}, ${row.b ?? 'NULL'})`,
  );
  const rowsSql = `SELECT * FROM (VALUES ${values.join(', ')})
    AS v(row_id, gender, age_group, sample_weight, a, b)`;
  await createPeople(duck.connection, rowsSql, VARIABLES);
  tables = await surveyStatistics(duck.connection, VARIABLES, () => {});
});

afterAll(() => duck.close());

describe('survey statistics', () => {
  const chosen = ROWS.filter((row) => row.gender === 'Female' && row.group === '10');
  const keys = ['Female', '10'];

  it('gives weighted moments and percentiles of a variable and of its logarithm', () => {
    const values = chosen.map((row): [number, number] => [row.a ?? Number.NaN, row.weight]);
    const logs = values.map(([x, w]): [number, number] => [Math.log(x), w]);
    const [wanted, wantedLog] = [moments(values), moments(logs)];
    const found = (column: string): number => cell(tables[0], [...keys, 'A', 'log'], column);
    expect(found('n')).toBe(values.length);
    expect(found('mean')).toBeCloseTo(wanted.mean, 8);
    expect(found('sd')).toBeCloseTo(wanted.sd, 8);
    expect(found('skew')).toBeCloseTo(wanted.skew, 8);
    expect(found('t_mean')).toBeCloseTo(wantedLog.mean, 10);
    expect(found('t_sd')).toBeCloseTo(wantedLog.sd, 10);
    expect(found('t_skew')).toBeCloseTo(wantedLog.skew, 8);
    for (const p of [1, 5, 10, 25, 50, 75, 90, 95, 99]) {
      expect(found(`p${p}`)).toBeCloseTo(percentile(values, p / 100), 8);
    }
  });

  it('does not take logarithms of a variable that reaches zero or below', () => {
    expect(Math.min(...ROWS.map((row) => row.b ?? 1))).toBeLessThanOrEqual(0);
    expect(cell(tables[0], [...keys, 'B', 'linear'], 'mean')).toBeCloseTo(
      cell(tables[0], [...keys, 'B', 'linear'], 't_mean'),
      12,
    );
  });

  it('gives covariances over the people who have both variables', () => {
    const both = chosen.filter((row) => row.b !== null);
    const total = both.reduce((sum, row) => sum + row.weight, 0);
    const mean = (value: (row: Row) => number): number =>
      both.reduce((sum, row) => sum + row.weight * value(row), 0) / total;
    const a = (row: Row): number => Math.log(row.a ?? Number.NaN);
    const b = (row: Row): number => row.b ?? Number.NaN;
    const [meanA, meanB] = [mean(a), mean(b)];
    const wanted =
      (mean((row) => (a(row) - meanA) * (b(row) - meanB)) * both.length) / (both.length - 1);
    expect(cell(tables[1], [...keys, 'A', 'B'], 'n')).toBe(both.length);
    expect(cell(tables[1], [...keys, 'A', 'B'], 'cov')).toBeCloseTo(wanted, 10);
  });

  it('drops cells of fewer than ten people', () => {
    for (const table of tables) {
      const n = table.columns.findIndex(([name]) => name === 'n');
      expect(table.rows.every((row) => Number(row[n]) >= 10)).toBe(true);
      expect(table.rows.some((row) => row.includes('few'))).toBe(false);
    }
  });

  it('refuses to build people from columns that differ in case only', async () => {
    const rowsSql = `SELECT 1 AS row_id, 'Male' AS gender, 'adult' AS age_group, 80 AS WEIGHT,
      1.0 AS weight, 1.0 AS sample_weight, 5 AS a, 6 AS b`;
    await expect(createPeople(duck.connection, rowsSql, VARIABLES)).rejects.toThrow('weight');
  });

  it('removes a misread value but not an ordinary one', async () => {
    const rowsSql = `SELECT i AS row_id, 'Male' AS gender, 'adult' AS age_group,
      1.0 AS sample_weight, CASE WHEN i = 50 THEN 15 ELSE 150 + i % 20 END AS a, 100 AS b
      FROM range(100) AS r(i)`;
    await createPeople(duck.connection, rowsSql, VARIABLES);
    expect(await screenMisreadings(duck.connection, VARIABLES)).toBe(1);
  });
});
