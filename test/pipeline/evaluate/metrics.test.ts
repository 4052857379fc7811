import { describe, expect, it } from 'vitest';
import { coverageOf, shareBelow } from '../../../pipeline/evaluate/coverage.js';
import { explainPairs } from '../../../pipeline/evaluate/coverage-reasons.js';
import { isOut, pairsOf, summariseCoverage } from '../../../pipeline/evaluate/coverage-summary.js';
import { groupBy, share, summarise } from '../../../pipeline/evaluate/metrics.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';

describe('summarise', () => {
  it('agrees with a sum done by hand', () => {
    const summary = summarise([
      { error: 0.2, cell: 'one' },
      { error: -0.4, cell: 'one' },
      { error: 0.9, cell: 'two' },
    ]);
    expect(summary?.rows).toBe(3);
    expect(summary?.meanAbs).toBeCloseTo(0.5, 12);
    expect(summary?.familyMeanAbs).toBeCloseTo((0.3 + 0.9) / 2, 12);
    expect(summary?.medianAbs).toBeCloseTo(0.4, 12);
    expect(summary?.bias).toBeCloseTo(0.7 / 3, 12);
    expect(summarise([])).toBeUndefined();
  });

  it('groups in the order of keys and counts shares', () => {
    expect(groupBy(['b1', 'a1', 'b2'], (item) => item.charAt(0))).toEqual([
      ['a', ['a1']],
      ['b', ['b1', 'b2']],
    ]);
    expect(share([1, 2, 3, 4], (n) => n > 1)).toBe(0.75);
  });
});

const RHO = 0.6;
const NORMAL = [1, 2.5, 5, 10, 25, 50, 75, 90, 95, 97.5, 99].map(
  (p) => zOfPercentile(p) * Math.sqrt(1 - RHO * RHO),
);
const BIN = {
  gender: 'Male',
  anchor: 'Stature',
  linked: 'FootLength',
  ageGroup: 'adult',
  rho: RHO,
  lowPct: 90,
  highPct: 100,
  anchorZ: 1.755,
  n: 400,
  nEffective: 400,
  quantiles: NORMAL,
} as const;

describe('coverage', () => {
  it('follows a normal distribution between and beyond its quantiles', () => {
    const standard = NORMAL.map((x) => x / 0.8);
    expect(shareBelow(standard, 0)).toBeCloseTo(0.5, 9);
    expect(shareBelow(standard, 1)).toBeCloseTo(0.8413447, 6);
    expect(shareBelow(standard, -3)).toBeCloseTo(0.0013499, 6);
  });

  it('equals the range if the correlation is right', () => {
    const covered = coverageOf(BIN, RHO);
    expect(covered[80]).toBeCloseTo(0.8, 6);
    expect(covered[95]).toBeCloseTo(0.95, 6);
  });

  it('falls if the correlation is too high, most where the centre is wrong', () => {
    // By hand: (0.351 ± 1.2816 × 0.6) / 0.8 gives 1.400 and −0.522. A table gives 0.9192 − 0.3007.
    const covered = coverageOf(BIN, 0.8);
    expect(covered[80]).toBeCloseTo(0.6185, 3);
    expect(coverageOf({ ...BIN, anchorZ: 0 }, 0.8)[80]).toBeGreaterThan(covered[80]);
  });

  it('pools bins by people and holds pairs to 2 points and 2 standard errors', () => {
    const { gender, ageGroup, anchor, linked } = BIN;
    const pair = { gender, ageGroup, anchor, linked };
    const bin = (lowPct: number, highPct: number, nEffective: number, covered: number[]) => {
      const [c80 = 0, c90 = 0, c95 = 0] = covered;
      const shares = { 80: c80, 90: c90, 95: c95 };
      return { ...BIN, lowPct, highPct, nEffective, predicted: RHO, covered: shares };
    };
    const bins = [bin(0, 10, 100, [0.7, 0.9, 0.95]), bin(10, 100, 300, [0.8, 0.9, 0.99])];
    const [pooled] = pairsOf(bins, 'all');
    expect(pooled?.covered[80]).toBeCloseTo(0.775, 12);
    expect(pairsOf(bins, 'P5')[0]?.covered[80]).toBe(0.7);
    expect(pairsOf(bins, 'P95')[0]?.covered[95]).toBe(0.99);
    // The tolerances are 0.02 + 2 × 0.02 at 80 % and 0.02 + 2 × 0.0109 at 95 %.
    expect(isOut({ ...pair, n: 400, covered: { 80: 0.741, 90: 0.9, 95: 0.95 } }, 80)).toBe(false);
    expect(isOut({ ...pair, n: 400, covered: { 80: 0.739, 90: 0.9, 95: 0.95 } }, 80)).toBe(true);
    expect(summariseCoverage(bins)[0]).toMatchObject({ anchors: 'all', pairs: 1 });
  });
});
describe('reasons of pairs out of tolerance', () => {
  // People of ten bins on the line with slope 0.6, at both ends of the anchor.
  const bins = [-1.755, 1.755].map((anchorZ) => ({
    ...BIN,
    anchorZ,
    lowPct: anchorZ < 0 ? 0 : 90,
    highPct: anchorZ < 0 ? 10 : 100,
    nEffective: 1000,
  }));
  const scored = (from: typeof bins, predicted: number) =>
    from.map((bin) => ({ ...bin, predicted, covered: coverageOf(bin, predicted) }));

  it('name the correlation if another correlation would fit', () => {
    const witness = { name: 'ANSUR II', rho: () => 0.79 };
    const [pair] = explainPairs(scored(bins, 0.8), [witness]);
    expect(pair?.reason).toBe(
      'correlation 0.60 here, 0.80 predicted (0.79 in ANSUR II); 13 standard errors: the surveys differ',
    );
  });

  it('name the spread if it changes along the anchor', () => {
    const [low, high] = bins as [(typeof bins)[0], (typeof bins)[0]];
    const wide = { ...low, quantiles: low.quantiles.map((x) => 1.3 * x) };
    const found = explainPairs(scored([wide, high], RHO), []);
    expect(found).toHaveLength(1);
    expect(found[0]?.reason).toContain('spread about P5 1.30 of what');
    expect(found[0]?.reason).not.toContain('correlation 0.60 here');
  });
});
