import { describe, expect, it } from 'vitest';
import { openDuck } from '../../../pipeline/import/duck.js';
import { cycleMeans, exactAges, tailPercentiles } from '../../../pipeline/import/group-tables.js';

describe('the outermost percentiles', () => {
  it('are weighted, and only of groups with 400 people and more', async () => {
    const { connection } = await openDuck();
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

describe('spreads at exact ages', () => {
  it('are residuals about a line on age in months, of people whose months were released', async () => {
    const { connection } = await openDuck();
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

describe('means by cycle', () => {
  it('are weighted means of logarithms, of groups with 10 people and more', async () => {
    const { connection } = await openDuck();
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
