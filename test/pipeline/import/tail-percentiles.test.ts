import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { tailPercentiles } from '../../../pipeline/import/tail-percentiles.js';

describe('the outermost percentiles', () => {
  it('are weighted, and only of groups with 400 people and more', async () => {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await connection.run(`
      CREATE TABLE people AS
      SELECT i AS row_id, 'Male' AS gender, 'p/20-24' AS age_group, 1.0 AS sample_weight,
        CAST(i AS DOUBLE) AS Stature FROM range(1, 1001) t(i)
      UNION ALL
      SELECT i, 'Female', 'p/20-24', CASE WHEN i <= 500 THEN 3.0 ELSE 1.0 END, CAST(i AS DOUBLE)
      FROM range(1, 1001) t(i)
      UNION ALL
      SELECT i, 'Male', 'p/25-29', 1.0, CAST(i AS DOUBLE) FROM range(1, 400) t(i)
      UNION ALL
      SELECT i, 'Male', 'p/m0-2', 1.0, CAST(i AS DOUBLE) FROM range(1, 1001) t(i)`);
    const { file, rows } = await tailPercentiles(connection, ['Stature']);
    expect(file).toBe('tails.csv');
    // Positions are (i − ½) ÷ 1000. The total weight is 2000, so 0.5 % is 10: between the third and fourth person.
    expect(rows).toEqual([
      ['Female', 'p/20-24', 'Stature', 1000, expect.closeTo(10 / 3 + 0.5, 5), 990.5],
      ['Male', 'p/20-24', 'Stature', 1000, 5.5, 995.5],
    ]);
  });
});
