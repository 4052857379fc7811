import { describe, expect, it } from 'vitest';
import { completionError, conditional } from '../../../pipeline/evaluate/completion.js';
import { PERCENTILES } from '../../../pipeline/evaluate/coverage.js';
import {
  designedTail,
  predictedShare,
  shareAtTail,
} from '../../../pipeline/evaluate/joint-shares.js';
import { isDesigned } from '../../../pipeline/evaluate/persons.js';
import {
  completionResiduals,
  countInside,
  jointShares,
  rangeTails,
  scoreCorrelations,
  scoreMatrix,
} from '../../../pipeline/import/joint-persons.js';
import { type PersonScores, scoresOf } from '../../../pipeline/import/person-scores.js';
import { fractionalRanks } from '../../../pipeline/plans/fractional-ranks.js';
import {
  COMPLETED_NAMES,
  limitSets,
  PERSON_NAMES,
  type PercentileLimit,
  rangeDesigns,
  SET_SIZES,
  uniformNumbers,
} from '../../../pipeline/plans/limit-sets.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';

const PEOPLE = 4000;
const RHO = 0.5;

/** Soldiers whose quantities share one factor, so each pair has the correlation `RHO`. */
function syntheticPeople(): PersonScores {
  const random = uniformNumbers(7);
  const normal = (): number => zOfPercentile(100 * Math.max(1e-9, random()));
  const shared = Array.from({ length: PEOPLE }, normal);
  const ranks = new Map(
    PERSON_NAMES.map((name) => {
      const values = shared.map((z) => Math.sqrt(RHO) * z + Math.sqrt(1 - RHO) * normal());
      return [name, fractionalRanks(values, random)] as const;
    }),
  );
  const scores = new Map([...ranks].map(([name, of]) => [name, scoresOf(of)] as const));
  return { gender: 'Male', n: PEOPLE, ranks, scores };
}

const people = syntheticPeople();
const equal = (a: string, b: string): number => (a === b ? 1 : RHO);
const apart = (a: string, b: string): number => (a === b ? 1 : 0);
/** Share of people who would meet all limits if the quantities were independent. */
const productOf = (limits: readonly PercentileLimit[]): number =>
  limits.reduce((share, { low = 0, high = 100 }) => share * ((high - low) / 100), 1);

describe('sets of limits', () => {
  it('are the same in every run and follow the stated distribution', () => {
    for (const size of SET_SIZES) {
      const sets = limitSets(size);
      expect(sets).toEqual(limitSets(size));
      expect(sets).toHaveLength(300);
      for (const set of sets) expect(new Set(set.map(({ name }) => name)).size).toBe(size);
      const limits = sets.flat();
      const lows = limits.flatMap(({ low }) => low ?? []);
      const highs = limits.flatMap(({ high }) => high ?? []);
      expect(Math.abs(lows.length / limits.length - 0.5)).toBeLessThan(0.05);
      expect(Math.abs(highs.length / limits.length - 0.7)).toBeLessThan(0.05);
      expect(Math.min(...lows)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...lows)).toBeLessThan(10);
      expect(Math.min(...highs)).toBeGreaterThanOrEqual(90);
      expect(Math.max(...highs)).toBeLessThan(99);
    }
    expect(PERSON_NAMES).toHaveLength(61);
    expect(COMPLETED_NAMES).toHaveLength(53);
  });
});

describe('ranks of persons', () => {
  it('spread equal readings over their ranks', () => {
    const ranks = fractionalRanks([3, 1, 1, 2], uniformNumbers(1));
    expect(ranks[0]).toBe(0.875);
    expect(ranks[3]).toBe(0.625);
    expect([ranks[1], ranks[2]].sort()).toEqual([0.125, 0.375]);
  });
});

describe('predicted shares', () => {
  it('are exact for independent and for equally correlated quantities', () => {
    const [set] = limitSets(8);
    const limits = set ?? [];
    expect(predictedShare(limits, apart)).toBeCloseTo(productOf(limits), 4);
    // If all correlations are 1/2, all n scores are above 0 with probability 1 / (n + 1).
    const above = ['a', 'b', 'c', 'd'].map((name) => ({ name, low: 50, high: undefined }));
    expect(predictedShare(above, equal, 20_000)).toBeCloseTo(1 / 5, 3);
    expect(predictedShare([{ name: 'a', low: undefined, high: undefined }], equal)).toBe(1);
  });

  it('agree with counts of persons, which independence does not', () => {
    const errors = limitSets(8).map((limits) => {
      const observed = countInside(people, limits) / PEOPLE;
      return [predictedShare(limits, equal) - observed, productOf(limits) - observed];
    });
    const meanAbs = (at: 0 | 1): number =>
      errors.reduce((sum, error) => sum + Math.abs(error[at] as number), 0) / errors.length;
    expect(meanAbs(0)).toBeLessThan(0.008);
    expect(meanAbs(1)).toBeGreaterThan(0.04);
  });
});

describe('designed ranges', () => {
  it('have the tails of closed forms', () => {
    expect(designedTail([{ name: 'a', side: 'min' }], equal)).toBeCloseTo(0.05, 4);
    expect(designedTail([{ name: 'a', side: 'both' }], equal)).toBeCloseTo(0.025, 4);
    const two = ['a', 'b'].map((name) => ({ name, side: 'max' as const }));
    expect(designedTail(two, apart)).toBeCloseTo(1 - Math.sqrt(0.95), 4);
  });

  it('hold 95 % of synthetic persons', () => {
    const { columns, rows } = rangeTails([people]);
    const first = columns.findIndex(([name]) => name === 't2');
    const outside = columns.slice(first).map(([name]) => Number(name.slice(1).replace('_', '.')));
    expect(shareAtTail([0.01, 0.02], [2, 4], 0.015)).toBeCloseTo(0.97, 9);
    const designs = rangeDesigns();
    for (const row of rows.slice(0, 30)) {
      const tail = designedTail(designs[Number(row[1])] ?? [], equal);
      const observed = shareAtTail(row.slice(first).map(Number), outside, tail);
      expect(isDesigned(observed)).toBe(true);
    }
  });
});

describe('completed persons', () => {
  it('have the error and coverage of the normal distribution', () => {
    const normal = { sd: 0.8, meanAbs: 0.8 * Math.sqrt(2 / Math.PI) };
    const quantiles = PERCENTILES.map((p) => 0.8 * zOfPercentile(p));
    const own = (a: string, b: string): number => (a === b ? 1 : 0.6);
    const right = completionError(['a'], 'b', { ...normal, quantiles }, own, own);
    expect(right.meanAbs).toBeCloseTo(normal.meanAbs, 9);
    expect(right.covered).toBeCloseTo(0.9, 6);
    // With a correlation of 0.8 in place of 0.6, the variance is 1 − 2 × 0.8 × 0.6 + 0.8² = 0.68.
    const other = (a: string, b: string): number => (a === b ? 1 : 0.8);
    const wrong = completionError(['a'], 'b', { ...normal, quantiles }, own, other);
    expect(wrong.meanAbs).toBeCloseTo(Math.sqrt((0.68 * 2) / Math.PI), 9);
    // The range is ± 1.645 × 0.6. This is 1.197 of the true SDs.
    expect(wrong.covered).toBeCloseTo(0.7687, 3);
  });

  it('follow the regression of synthetic persons', () => {
    const { rows } = completionResiduals([people]);
    expect(rows).toHaveLength(2 * COMPLETED_NAMES.length);
    for (const row of rows) {
      const known = row[1] === 'eight' ? 8 : 2;
      const names = Array.from({ length: known }, (_, i) => `known ${i}`);
      expect(Number(row[4])).toBeCloseTo(conditional(names, 'asked', equal).sd, 1);
      // The mean absolute distance of a normal distribution is 0.798 SD.
      expect(Number(row[5]) / Number(row[4])).toBeCloseTo(Math.sqrt(2 / Math.PI), 1);
    }
  });
});

describe('tables of persons', () => {
  it('have statistics of all people only', () => {
    const shares = jointShares([people]);
    expect(shares.rows.length).toBeLessThanOrEqual(900);
    for (const [, , , n, share] of shares.rows) {
      expect(n).toBe(PEOPLE);
      expect(Math.min(Number(share), 1 - Number(share)) * PEOPLE).toBeGreaterThan(9);
    }
    const pairs = scoreCorrelations([people]).rows;
    expect(pairs).toHaveLength((61 * 60) / 2);
    for (const row of pairs) expect(Math.abs(Number(row[4]) - RHO)).toBeLessThan(0.07);
    expect(scoreMatrix(people, ['Stature', 'BodyMass']).get(0, 0)).toBeCloseTo(1, 9);
  });
});
