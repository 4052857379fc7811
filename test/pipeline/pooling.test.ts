import { describe, expect, it } from 'vitest';
import { COMPONENTS, type Evidence, fitPooling } from '../../pipeline/fit/calibration/pooling.js';
import {
  type Block,
  expectedScale,
  fitVariances,
  leftOutErrors,
  solve,
} from '../../pipeline/fit/calibration/variance-components.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { seeded } from '../support/random.js';

/** Blocks of `groups` × `each` values. A value is the sum of a part that the group shares and a part of its own. */
function nested(shared: number, own: number): Block[] {
  const { normal } = seeded(20261);
  const [groups, each] = [6, 4];
  const n = groups * each;
  const groupOf = (i: number): number => Math.floor(i / each);
  const kernel = (of: (i: number, j: number) => boolean): Float64Array =>
    Float64Array.from({ length: n * n }, (_, ij) => Number(of(Math.floor(ij / n), ij % n)));
  return Array.from({ length: 60 }, () => {
    const parts = Array.from({ length: groups }, () => shared * normal());
    const values = Array.from({ length: n }, (_, i) => (parts[groupOf(i)] ?? 0) + own * normal());
    return {
      values: Float64Array.from(values),
      known: new Float64Array(n),
      kernels: [kernel((i, j) => groupOf(i) === groupOf(j))],
      diagonals: [new Float64Array(n).fill(1)],
    };
  });
}

describe('fitVariances', () => {
  it.each([
    [0.5, 0.2],
    [0.25, 0.3],
  ])('finds shared and own SDs of %d and %d again', (shared, own) => {
    const prior = { means: [Math.log(0.03), Math.log(0.03)], sd: 3 };
    const [first = 0, second = 0] = fitVariances(nested(shared, own), prior).map(Math.sqrt);
    expect(Math.abs(first / shared - 1)).toBeLessThan(0.15);
    expect(Math.abs(second / own - 1)).toBeLessThan(0.1);
  });
});

describe('leftOutErrors', () => {
  it('are those of a prediction from the other rows alone', () => {
    const n = 5;
    const covariance = (rows: readonly number[]) =>
      Float64Array.from(
        rows.flatMap((i) => rows.map((j) => 0.3 / (1 + Math.abs(i - j)) + Number(i === j))),
      );
    const values = [0.4, -1.2, 0.9, 2.1, -0.3];
    const solved = (rows: readonly number[]) =>
      solve(
        Float64Array.from(rows, (i) => values[i] as number),
        covariance(rows),
      );
    const [left, out] = [
      [0, 2, 4],
      [1, 3],
    ] as const;
    const { inverse, weights } = solved(left);
    const expected = out.map((i) => {
      const shared = left.map((j) => 0.3 / (1 + Math.abs(i - j)));
      const predicted = shared.reduce((sum, value, j) => sum + value * (weights[j] as number), 0);
      let variance = 1.3;
      shared.forEach((x, j) => {
        shared.forEach((y, k) => {
          variance -= x * y * (inverse[j * left.length + k] as number);
        });
      });
      const scale = expectedScale(solved(left));
      return ((values[i] as number) - predicted) / Math.sqrt(variance * scale);
    });
    const all = solved(Array.from({ length: n }, (_, i) => i));
    leftOutErrors(all, out).forEach((error, i) => {
      expect(error).toBeCloseTo(expected[i] as number, 9);
    });
  });
});

/** Evidence from a sample of the same year as the base survey. */
function sample(country: string, family: string, value: number): Evidence {
  const where = { gender: 'Male', country, family, era: 0 } as const;
  return { ...where, measurement: 'FootLength', value, sampling: 1e-3, doubtful: false };
}

const pooled = (evidence: readonly Evidence[]) => {
  const variances = COMPONENTS.map((name) => (/era/.test(name) ? 0.01 : 0.04));
  return fitPooling(evidence, () => 'all', new Map([['all', variances]]));
};
const expectedOf = (evidence: readonly Evidence[], country: string) =>
  pooled(evidence).expected({ gender: 'Male', country, era: 0 }, 'FootLength');

describe('fitPooling', () => {
  const base = { ...sample('US', 'base', 0), anchor: true };

  it('moves a country with many surveys far, and one without surveys little and with less certainty', () => {
    const koreans = ['a', 'b', 'c', 'd', 'e'].map((family) => sample('KR', family, 1));
    const korea = expectedOf([base, ...koreans], 'KR');
    const japan = expectedOf([base, ...koreans], 'JP');
    const brazil = expectedOf([base, ...koreans], 'BR');
    expect(korea.value).toBeGreaterThan(0.8);
    expect(japan.value).toBeLessThan(korea.value);
    expect(brazil.value).toBeLessThan(japan.value);
    expect(Math.abs(brazil.value)).toBeLessThan(0.35);
    expect(korea.sd).toBeLessThan(japan.sd);
    expect(japan.sd).toBeLessThan(brazil.sd);
  });

  it('counts a family once, with any number of samples', () => {
    const one = expectedOf([base, sample('KR', 'a', 1)], 'KR').value;
    const five = expectedOf([base, ...Array.from({ length: 5 }, () => sample('KR', 'a', 1))], 'KR');
    const families = ['a', 'b', 'c', 'd', 'e'].map((family) => sample('KR', family, 1));
    const gained = expectedOf([base, ...families], 'KR').value - one;
    expect(gained).toBeGreaterThan(0.2);
    // Four more samples of one survey reduce only the errors of single samples.
    expect(five.value - one).toBeLessThan(gained / 2);
  });

  it('agrees with the shrinkage of one sample computed by hand', () => {
    // KR and the sample share world (two parts), super-region, region and country (two parts): 6 × 0.04. The sample
    // also has its family (two parts) and own error 0.12, and sampling 0.001. The expected share is 0.24 ÷ 0.361.
    const { value, sd } = expectedOf([sample('KR', 'a', 1)], 'KR');
    expect(value).toBeCloseTo(0.24 / 0.361, 9);
    // Variance of a multivariate t with 4 + 1 degrees of freedom: (4 + 1 ÷ 0.361) ÷ (4 + 1 − 2).
    const scale = (4 + 1 / 0.361) / 3;
    expect(sd).toBeCloseTo(Math.sqrt((0.24 - 0.24 ** 2 / 0.361) * scale), 9);
  });

  it('adds the errors of a new survey to the uncertainty of the population', () => {
    const pooling = pooled([sample('KR', 'a', 1)]);
    const korea = { gender: 'Male', country: 'KR', era: 0 } as const;
    const people = pooling.expected(korea, 'FootLength');
    const survey = pooling.expectedOfSurvey(korea, 'FootLength', 0.01);
    expect(survey.value).toBeCloseTo(people.value, 12);
    // Family (two parts), own error and people: 0.08 + 0.04 + 0.01.
    const scale = (4 + 1 / 0.361) / 3;
    expect(survey.sd ** 2 - people.sd ** 2).toBeCloseTo(0.13 * scale, 9);
    // Nothing is known about another dimension. The variance of the prior is that of a t with 4 degrees of freedom.
    const unknown = pooling.expectedOfSurvey(korea, 'HandLength', 0);
    expect(unknown.value).toBe(0);
    expect(unknown.sd).toBeCloseTo(Math.sqrt(2 * 0.36), 9);
  });

  it('counts an old survey of a country less than a new one', () => {
    const then = (era: number) => [base, { ...sample('KR', 'a', 1), era }];
    const [now, old] = [expectedOf(then(0), 'KR'), expectedOf(then(-1), 'KR')];
    expect(old.value).toBeLessThan(now.value);
    expect(old.sd).toBeGreaterThan(now.sd);
  });

  it('states how far a country follows its own surveys', () => {
    const evidence = [base, sample('KR', 'a', 1), sample('JP', 'b', 1), sample('FR', 'c', 1)];
    const weight = (all: readonly Evidence[], country: string) =>
      pooled(all).weightOfCountry({ gender: 'Male', country, era: 0 }, 'FootLength');
    // If the surveys of KR had printed 1 more, its result would be higher by this weight.
    const higher = evidence.map((row) => ({
      ...row,
      value: row.value + Number(row.country === 'KR'),
    }));
    const gained = expectedOf(higher, 'KR').value - expectedOf(evidence, 'KR').value;
    expect(weight(evidence, 'KR')).toBeCloseTo(gained, 9);
    expect(weight(evidence, 'CN')).toBe(0);
    const [one, two] = [evidence, [...evidence, sample('KR', 'd', 1)]];
    expect(weight(two, 'KR')).toBeGreaterThan(weight(one, 'KR'));
  });

  it('widens the errors of a group whose left-out families are missed too often', () => {
    const names = MEASUREMENT_NAMES.filter((name) => name !== 'Stature').slice(0, 20);
    const anchor = { ...base, anchor: true };
    const korea = { gender: 'Male', country: 'KR', era: 0 } as const;
    /** Two families that contradict each other by the same gap in every dimension. */
    const evidence = (of: readonly MeasurementName[], gap: number) =>
      of.flatMap((measurement) =>
        [anchor, sample('KR', 'a', gap), sample('KR', 'b', -gap)].map((row) => {
          return { ...row, measurement };
        }),
      );
    const [first] = names as [MeasurementName];
    const one = [first];
    // One dimension is too little evidence to judge the errors.
    const factor = (gap: number) =>
      pooled(evidence(names, gap)).expected(korea, first).sd /
      pooled(evidence(one, gap)).expected(korea, first).sd;
    const rest = evidence(one, 3).filter(({ family }) => family !== 'a');
    const { value, sd } = pooled(rest).expectedOfSurvey(korea, first, 1e-3);
    const z = Math.abs(3 - value) / sd;
    expect(z).toBeGreaterThan(1.645);
    expect(factor(3)).toBeCloseTo(z / 1.645, 3);
    expect(factor(0.01)).toBe(1);
  });

  it('lends a country what US soldiers of its people show, and other countries less', () => {
    const eastAsian = sample('US/EastAsian', 'base', 1);
    expect(expectedOf([base, eastAsian], 'JP').value).toBeGreaterThan(0.3);
    const thai = expectedOf([base, eastAsian], 'TH').value;
    expect(thai).toBeLessThan(expectedOf([base, eastAsian], 'JP').value);
    expect(Math.abs(expectedOf([base, eastAsian], 'FR').value)).toBeLessThan(thai / 2);
  });
});
