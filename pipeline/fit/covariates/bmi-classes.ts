import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { gammaCdf } from '../../numerics/gamma.js';
import { lnMedian, type Marginal, normalScore } from '../../numerics/marginal.js';
import { leastSquares } from '../least-squares.js';

/** A gamma distribution of BMI that was fitted to the shares of people in classes of BMI. */
export interface GammaFit {
  readonly shape: number;
  /** Scale in kg/m². */
  readonly scale: number;
}

/** Classes of BMI whose shares of the people were published. */
export interface BmiClasses {
  /** Limits in kg/m², rising. */
  readonly limits: readonly number[];
  /** Index of the limit above which everybody belongs to one more class, if there is such a class. */
  readonly above?: number;
}

/**
 * The distribution of ln BMI from which a gamma fit came, and how badly the gamma fits that distribution.
 */
export interface ShapeBehind {
  readonly marginal: Marginal;
  /** Mean over the classes of ((gamma's share − share) ÷ share)². */
  readonly misfit: number;
}

/** Step in ln shape and ln scale for the derivatives of the gamma's shares. */
const STEP = 1e-4;
/** Largest distance of the derivatives from 0. */
const SOLVED = 1e-6;
/** Limits of the SD of ln BMI. No population lies outside them. */
const [NARROWEST, WIDEST] = [0.04, 0.6] as const;
/** Minimum share of a class, so that ratios stay finite. */
const LEAST_SHARE = 1e-9;

/** Shares of the classes in a distribution, from its distribution function. */
function sharesOf({ limits, above }: BmiClasses, below: (limit: number) => number): number[] {
  const shares: number[] = [];
  let from = 0;
  let beyond = 0;
  for (let i = 0; i <= limits.length; i++) {
    const to = i < limits.length ? below(limits[i]) : 1;
    shares.push(Math.max(LEAST_SHARE, to - from));
    if (i === above) beyond = 1 - to;
    from = to;
  }
  if (above !== undefined) shares.push(Math.max(LEAST_SHARE, beyond));
  return shares;
}

function gammaShares(lnShape: number, lnScale: number, classes: BmiClasses): number[] {
  const [shape, scale] = [Math.exp(lnShape), Math.exp(lnScale)];
  return sharesOf(classes, (limit) => gammaCdf(limit, shape, scale));
}

/** Derivatives of the gamma's shares by ln scale, and by ln shape at a constant mean. */
function slopesOf({ shape, scale }: GammaFit, classes: BmiClasses) {
  const [a, b] = [Math.log(shape), Math.log(scale)];
  const slope = (da: number, db: number): number[] => {
    const more = gammaShares(a + da, b + db, classes);
    const less = gammaShares(a - da, b - db, classes);
    return more.map((share, i) => (share - less[i]) / (2 * STEP));
  };
  return [slope(0, STEP), slope(STEP, -STEP)] as const;
}

/**
 * Finds the distribution of ln BMI behind a gamma fit. The distribution has
 * the given skewness, and the gamma was fitted to its class shares.
 *
 * The gamma was found by minimising the mean over classes of ((gamma's share − share) ÷ share)². At that
 * minimum, the two derivatives by shape and scale are 0. These two equations have two unknowns, the mean
 * and the SD of ln BMI. A gamma has thinner tails than people have. Where many people are obese, it meets
 * the rare low classes and misses the high ones. So its own mean and SD mislead, but the equations do not.
 *
 * @param skew skewness of ln BMI
 * @returns undefined where no such distribution is found
 */
export function shapeBehind(
  fit: GammaFit,
  classes: BmiClasses,
  skew: number,
): ShapeBehind | undefined {
  const shares = gammaShares(Math.log(fit.shape), Math.log(fit.scale), classes);
  const slopes = slopesOf(fit, classes);
  const marginalAt = ([mean = 0, lnSd = 0]: readonly number[]): Marginal => {
    return { mean, sd: Math.exp(lnSd), skew };
  };
  const lnClasses = { ...classes, limits: classes.limits.map(Math.log) };
  const peopleOf = (marginal: Marginal): number[] => {
    const score = normalScore(marginal);
    return sharesOf(lnClasses, (lnLimit) => normalCdf(score(lnLimit), 0, 1));
  };
  const equations = (x: readonly number[]): readonly number[] => {
    const people = peopleOf(marginalAt(x));
    const sumOf = (slope: readonly number[]): number => {
      let [sum, size] = [0, 0];
      for (let i = 0; i < people.length; i++) {
        const weight = slope[i] / people[i];
        sum += (shares[i] / people[i] - 1) * weight;
        size += Math.abs(weight);
      }
      return sum / size;
    };
    return [sumOf(slopes[0]), sumOf(slopes[1])];
  };
  const sd = 1 / Math.sqrt(fit.shape);
  // The search starts at the median of the gamma (Wilson and Hilferty 1931), which is near that of people.
  const median = Math.log(fit.shape * fit.scale * (1 - sd ** 2 / 9) ** 3);
  for (const wider of [1.1, 1.3, 1, 1.6]) {
    const start = { mean: median, sd: sd * wider, skew };
    const mean = 2 * median - lnMedian(start);
    const found = leastSquares(equations, [mean, Math.log(sd * wider)]);
    if (Math.hypot(...equations(found)) > SOLVED) continue;
    const marginal = marginalAt(found);
    if (marginal.sd < NARROWEST || marginal.sd > WIDEST) continue;
    const people = peopleOf(marginal);
    const squares = people.reduce((sum, share, i) => sum + (shares[i] / share - 1) ** 2, 0);
    return { marginal, misfit: squares / people.length };
  }
  return undefined;
}
