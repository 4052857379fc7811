import { describe, expect, it } from 'vitest';
import { openDuck } from '../../../pipeline/import/duck.js';
import { namedTable } from '../../../pipeline/import/published.js';

const COLUMNS = [
  ['mean_mm', 'mean, mm'],
  ['sd_mm', 'standard deviation, mm'],
] as const;

async function rowsOf(sql: string) {
  const { connection, close } = await openDuck();
  try {
    return (await namedTable(connection, 'printed.csv', COLUMNS, sql)).rows;
  } finally {
    close();
  }
}

describe('a table of printed figures', () => {
  it('takes its columns by name, in any order, and keeps the order of the rows', async () => {
    const sql = `WITH printed(sd_mm, mean_mm) AS (VALUES (26.5e0, 582), (24e0, 483), (31.5e0, 226))
      SELECT sd_mm, mean_mm FROM printed ORDER BY mean_mm DESC`;
    expect(await rowsOf(sql)).toEqual([
      [582, 26.5],
      [483, 24],
      [226, 31.5],
    ]);
  });

  it('refuses a column without a name, a missing one and one too many', async () => {
    await expect(rowsOf('SELECT 582 AS mean_mm, 26.1')).rejects.toThrow(/sd_mm is missing/);
    await expect(rowsOf('SELECT 582 AS mean_mm')).rejects.toThrow(/sd_mm is missing/);
    await expect(rowsOf('SELECT 1 AS mean_mm, 2 AS sd_mm, 3 AS n')).rejects.toThrow(
      /n is not asked for/,
    );
  });
});
