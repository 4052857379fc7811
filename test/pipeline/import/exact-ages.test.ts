import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { exactAges } from '../../../pipeline/import/exact-ages.js';

describe('spreads at exact ages', () => {
  it('are residuals about a line on age in months, of people whose months were released', async () => {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    // Two people a month, 0.1 above and below the line 6.8 + 0.12 × age.
    await connection.run(`
      CREATE TABLE people AS
      SELECT i AS row_id, 'Male' AS gender, '1999-2010/2' AS age_group, 1.0 AS sample_weight,
        CAST(24 + i // 2 AS DOUBLE) AS AgeMonths,
        exp(6.8 + 0.01 * (24 + i // 2 + 0.5) + CASE WHEN i % 2 = 0 THEN 0.1 ELSE -0.1 END) AS Stature,
        CAST(NULL AS DOUBLE) AS BodyMass, CAST(NULL AS DOUBLE) AS UpperArmCircumferenceMidpoint
      FROM range(24) t(i)
      UNION ALL
      SELECT i, 'Male', '1999-2010/3', 1.0, NULL, 1000.0, NULL, NULL FROM range(30, 60) t(i)`);
    const { columns, rows } = await exactAges(connection);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.slice(0, 5)).toEqual(['Male', '1999-2010', 2, 'Stature', 24]);
    const figure = (name: string) => rows[0]?.[columns.findIndex(([column]) => column === name)];
    expect(figure('mean_age')).toBeCloseTo(2.5, 6);
    expect(figure('slope')).toBeCloseTo(0.12, 6);
    expect(figure('sd_at_age')).toBeCloseTo(Math.sqrt((0.01 * 24) / 22 - 0.12 ** 2 / 1728), 6);
  });
});
