import { Matrix, solve } from 'ml-matrix';
import type { Gender } from '../../../src/core/genders.js';
import { mean } from '../../numerics/numbers.js';
import type { ResidualOf } from './residual-correlations.js';

/** One survey's residual correlations of one gender. */
export interface Observed {
  readonly survey: string;
  readonly gender: Gender;
  readonly kind: 'adult' | 'child';
  readonly residual: ResidualOf;
}

/** Variance components of Fisher's z of a residual correlation. */
export interface Components {
  /** Mean of z over pairs of dimensions. */
  readonly mean: number;
  /** Between pairs of dimensions. */
  readonly pair: number;
  /** Between surveys: landmarks, instruments, people, era. */
  readonly survey: number;
  /** Between genders. */
  readonly gender: number;
  /** Between surveys, separately for each gender. */
  readonly both: number;
  /** Between children and adults. */
  readonly kind: number;
}

/** Largest correlation used. Above it, Fisher's z depends mostly on measurement error. */
const LARGEST = 0.99;
/** Degrees of freedom that the regression behind a residual uses, subtracted from its people. */
const LOST = 7;

const fisherZ = (rho: number): number => Math.atanh(Math.max(-LARGEST, Math.min(LARGEST, rho)));
/** Sampling variance of Fisher's z (Fisher 1921, Metron 1:3). */
const samplingOf = (n: number): number => 1 / Math.max(3, n - LOST);

/** Mean over pairs of half the squared difference of two surveys' z, minus the sampling variance. */
function halfSquare(a: Observed, b: Observed, pairs: readonly (readonly [string, string])[]) {
  const halves = pairs.flatMap(([x, y]) => {
    const [p, q] = [a.residual(x, y), b.residual(x, y)];
    if (p === undefined || q === undefined) return [];
    const noise = samplingOf(p.n) + samplingOf(q.n);
    return [((fisherZ(p.rho) - fisherZ(q.rho)) ** 2 - noise) / 2];
  });
  return halves.length === 0 ? [] : [mean(halves)];
}

/**
 * Variance components by the method of moments. Half the mean square of the difference between two surveys'
 * z is the sum of the components that the surveys do not share (Searle, Casella and McCulloch 1992,
 * Variance Components, 5.1).
 */
export function fitComponents(
  observed: readonly Observed[],
  pairs: readonly (readonly [string, string])[],
): Components {
  const between = (holds: (a: Observed, b: Observed) => boolean): number | undefined => {
    const found = observed.flatMap((a, i) =>
      observed.slice(i + 1).flatMap((b) => (holds(a, b) ? halfSquare(a, b, pairs) : [])),
    );
    return found.length === 0 ? undefined : mean(found);
  };
  const adults = (a: Observed, b: Observed): boolean => a.kind === 'adult' && b.kind === 'adult';
  const bySurvey = between(
    (a, b) => adults(a, b) && a.survey !== b.survey && a.gender === b.gender,
  );
  const byGender = between((a, b) => adults(a, b) && a.survey === b.survey);
  const byBoth = between((a, b) => adults(a, b) && a.survey !== b.survey && a.gender !== b.gender);
  const byKind = between((a, b) => a.kind !== b.kind && a.gender === b.gender);
  const [s, g] = [bySurvey ?? 0, byGender ?? 0];
  const c = byBoth ?? s + g;
  const zs = pairs.flatMap(([x, y]) => {
    const found = observed.flatMap(({ kind, residual }) => {
      const known = kind === 'adult' ? residual(x, y) : undefined;
      return known === undefined ? [] : [fisherZ(known.rho)];
    });
    return found.length === 0 ? [] : [mean(found)];
  });
  const middle = mean(zs);
  return {
    mean: middle,
    pair: mean(zs.map((z) => (z - middle) ** 2)),
    survey: Math.max(0, c - g),
    gender: Math.max(0, c - s),
    both: Math.max(0, s + g - c),
    kind: Math.max(0, (byKind ?? s) - s),
  };
}

/** The people whose correlation is predicted. */
export interface Target {
  readonly gender: Gender;
  readonly kind: Observed['kind'];
}

/**
 * Best linear unbiased prediction (Robinson 1991, Stat. Sci. 6:15) of a residual correlation in people of
 * no particular survey. The weight of a survey's Fisher's z depends on its number of people, and on how far
 * surveys, genders, and children and adults differ.
 *
 * @returns undefined where no survey has the pair
 */
export function poolResidual(
  observed: readonly Observed[],
  components: Components,
  target: Target,
  a: string,
  b: string,
): number | undefined {
  const found = observed.flatMap((from) => {
    const known = from.residual(a, b);
    return known === undefined ? [] : [{ from, z: fisherZ(known.rho), noise: samplingOf(known.n) }];
  });
  if (found.length === 0) return undefined;
  const shared = (x: Target, y: Target): number =>
    components.pair +
    (x.gender === y.gender ? components.gender : 0) +
    (x.kind === y.kind ? components.kind : 0);
  const covariance = found.map((x, i) =>
    found.map((y, j) => {
      const survey = x.from.survey === y.from.survey;
      const both = survey && x.from.gender === y.from.gender;
      return (
        shared(x.from, y.from) +
        (survey ? components.survey : 0) +
        (both ? components.both : 0) +
        (i === j ? x.noise : 0)
      );
    }),
  );
  const wanted = Matrix.columnVector(found.map(({ from }) => shared(target, from)));
  const weights = solve(new Matrix(covariance), wanted).to1DArray();
  const z = found.reduce(
    (sum, { z: own }, i) => sum + weights[i] * (own - components.mean),
    components.mean,
  );
  return Math.tanh(z);
}
