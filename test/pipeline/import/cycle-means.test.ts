import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { cycleMeans } from '../../../pipeline/import/cycle-means.js';

describe('means by cycle', () => {
  it('are weighted means of logarithms, of groups with 10 people and more', async () => {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await connection.run(`
      CREATE TABLE people AS
      SELECT i AS row_id, 'Male' AS gender, '2011-2012/20-24' AS age_group,
        CASE WHEN i <= 6 THEN 3.0 ELSE 1.0 END AS sample_weight,
        CASE WHEN i <= 6 THEN exp(7.0) ELSE exp(7.4) END AS Stature,
        CASE WHEN i <= 6 THEN exp(3.0) ELSE exp(3.4) END AS Bmi
      FROM range(1, 13) t(i)
      UNION ALL
      SELECT i, 'Male', '2013-2014/20-24', 1.0, 1700.0, 25.0 FROM range(1, 10) t(i)
      UNION ALL
      SELECT i, 'Male', '2011-2012/20-24', 1.0, NULL, 25.0 FROM range(20, 40) t(i)`);
    const { file, columns, rows } = await cycleMeans(connection, { '2011-2012': 2012 });
    expect(file).toBe('cycles.csv');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.slice(0, 5)).toEqual(['Male', '2011-2012', 2012, '20-24', 12]);
    const figure = (name: string) => rows[0]?.[columns.findIndex(([column]) => column === name)];
    // Weights 18 and 6: (3 × 6 + 6)² ÷ (9 × 6 + 6), 7 + 0.4 ÷ 4, √(0.4² × 3 ÷ 16).
    expect(figure('n_effective')).toBeCloseTo(24 ** 2 / 60, 9);
    expect(figure('mean_ln_stature')).toBeCloseTo(7.1, 9);
    expect(figure('mean_ln_bmi')).toBeCloseTo(3.1, 9);
    expect(figure('sd_ln_bmi')).toBeCloseTo(Math.sqrt((0.16 * 3) / 16), 9);
  });
});
