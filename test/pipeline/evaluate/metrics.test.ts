import { describe, expect, it } from 'vitest';
import { coverageOf, shareBelow, summariseCoverage } from '../../../pipeline/evaluate/coverage.js';
import { groupBy, share, summarise, summariseBy } from '../../../pipeline/evaluate/metrics.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';

describe('summarise', () => {
  it('agrees with a sum done by hand', () => {
    const close = (value: number) => expect.closeTo(value, 12);
    expect(summarise([0.2, -0.4, 0.9])).toEqual({
      rows: 3,
      meanAbs: close(0.5),
      bias: close(0.7 / 3),
      p95Abs: 0.9,
    });
    expect(() => summarise([])).toThrow('no errors');
  });

  it('gives figures of each group with the fields that the group shares', () => {
    const rows = [
      { people: 'b', quantity: 'stature', error: 1 },
      { people: 'a', quantity: 'stature', error: 0.5 },
      { people: 'b', quantity: 'stature', error: -2 },
    ];
    const groups = summariseBy(rows, ['people', 'quantity'], (of) =>
      summarise(of.map(({ error }) => error)),
    );
    expect(groups).toEqual([
      { people: 'a', quantity: 'stature', rows: 1, meanAbs: 0.5, bias: 0.5, p95Abs: 0.5 },
      { people: 'b', quantity: 'stature', rows: 2, meanAbs: 1.5, bias: -0.5, p95Abs: 2 },
    ]);
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
  rho: RHO,
  anchorZ: 1.755,
  people: 400,
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

  it('is a mean over the people of a pair', () => {
    const bin = (people: number, covered: number) => {
      return { ...BIN, people, covered: { 80: covered, 90: 0.9, 95: 0.95 } };
    };
    const { pairs, covered } = summariseCoverage([bin(100, 0.7), bin(300, 0.8)]);
    expect([pairs, covered[80]]).toEqual([1, expect.closeTo(0.775, 12)]);
  });
});
