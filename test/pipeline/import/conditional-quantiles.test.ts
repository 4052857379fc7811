import { describe, expect, it } from 'vitest';
import { conditionalQuantiles } from '../../../pipeline/import/conditional-quantiles.js';
import { openDuck } from '../../../pipeline/import/duck.js';
import { createPeople } from '../../../pipeline/import/person-survey.js';
import { normalScores, quantileOf } from '../../../pipeline/numerics/weighted-ranks.js';
import { seeded } from '../../support/random.js';

describe('normal scores and quantiles', () => {
  it('scores by mid-rank, with equal scores for ties', () => {
    const scores = normalScores([30, 10, 20, 20]);
    expect(scores[1]).toBeCloseTo(-1.150349, 5); // z of 1/8
    expect(scores[0]).toBeCloseTo(1.150349, 5); // z of 7/8
    expect(scores[2]).toBeCloseTo(0, 9);
    expect(scores[3]).toBeCloseTo(0, 9);
  });

  it('interpolates between mid-positions and does not go beyond the extremes', () => {
    expect(quantileOf([1, 2, 3, 4], 50)).toBe(2.5);
    expect(quantileOf([1, 2, 3, 4], 37.5)).toBe(2);
    expect(quantileOf([1, 2, 3, 4], 1)).toBe(1);
    expect(quantileOf([1, 2, 3, 4], 99)).toBe(4);
  });

  it('count a person of weight 3 as three', () => {
    expect(normalScores([1, 2, 3], [1, 3, 1])[1]).toBeCloseTo(0, 9);
    expect(normalScores([1, 2, 3], [1, 3, 1])[0]).toBeCloseTo(-1.281552, 5); // z of 1/10
    expect(quantileOf([10, 20], 50, [3, 1])).toBe(12.5); // Middles at 1.5 and 3.5 of 4.
  });
});

describe('conditionalQuantiles', () => {
  it('finds a normal spread about the line in every bin of at least 100 people', async () => {
    const { normal } = seeded(3);
    const people = Array.from({ length: 4000 }, (_, id) => {
      const x = normal();
      const gender = id < 3000 ? 'Female' : 'Male';
      return `(${id}, '${gender}', ${1700 + 60 * x}, ${250 + 10 * (0.6 * x + 0.8 * normal())})`;
    });
    const { connection, close } = await openDuck();
    try {
      await createPeople(
        connection,
        `SELECT *, 'adult' AS age_group, 1.0 AS sample_weight
         FROM (VALUES ${people.join(', ')}) AS v(row_id, gender, a, b)`,
        [
          { name: 'Stature', unit: 'mm', sql: 'a' },
          { name: 'FootLength', unit: 'mm', sql: 'b' },
        ],
      );
      const table = await conditionalQuantiles(connection, ['Stature', 'FootLength']);
      // With a thousand men, the outer bins have exactly 100 men.
      expect(table.rows.map((row) => row[0])).toEqual([
        ...Array(6).fill('Female'),
        ...Array(6).fill('Male'),
      ]);
      for (const row of table.rows) {
        expect(row.slice(1, 4)).toEqual(['adult', 'FootLength', 'Stature']);
        expect(Number(row[4])).toBeCloseTo(0.6, 1);
        // Percentiles 2.5, 50, 97.5: 3.92 x 0.8 apart.
        const [low, median, high] = [Number(row[11]), Number(row[15]), Number(row[19])];
        expect(Number(row[8])).toBeGreaterThanOrEqual(100);
        expect(row[9]).toBe(row[8]);
        expect(Math.abs(median)).toBeLessThan(0.25);
        expect(high - low).toBeGreaterThan(2.4);
        expect(high - low).toBeLessThan(3.9);
      }
    } finally {
      close();
    }
  });
});
