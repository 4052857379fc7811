import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';

/** Share of people below a standard normal score. */
export const shareBelow = cdf.factory(0, 1);
/** Standard normal score below which a share of the people lies. */
export const scoreOfShare = quantile.factory(0, 1);

/**
 * The normal distribution for integrals over many points. These functions are ten times as fast as the exact ones. They
 * are less exact, but the numerical error of an integral is larger than the difference.
 */

/** At the ends of the table, the distribution differs from 0 and 1 by less than 1e-16. */
const END = 8.5;
const PER_UNIT = 32;
const STEP = 1 / PER_UNIT;
const LAST = 2 * END * PER_UNIT;
const zOf = (knot: number): number => knot * STEP - END;
const VALUES = Float64Array.from({ length: LAST + 1 }, (_, knot) => shareBelow(zOf(knot)));
/** Slope of the distribution at each knot, times the step between knots. */
const SLOPES = VALUES.map(
  (_, knot) => (STEP * Math.exp(-(zOf(knot) ** 2) / 2)) / Math.sqrt(2 * Math.PI),
);

/** Share below a normal score, exact to 5e-9, by cubic Hermite interpolation in a table. */
export function fastPhi(z: number): number {
  if (z <= -END) return 0;
  if (z >= END) return 1;
  const position = (z + END) * PER_UNIT;
  const knot = Math.floor(position);
  const t = position - knot;
  const start = VALUES[knot];
  const rise = VALUES[knot + 1] - start;
  const m0 = SLOPES[knot];
  const m1 = SLOPES[knot + 1];
  return start + t * (m0 + t * (3 * rise - 2 * m0 - m1 + t * (m0 + m1 - 2 * rise)));
}

/** Normal score below which a share lies, with a relative error of 1e-6 (PPND7 of Wichura 1988, AS 241). */
export function fastScore(share: number): number {
  const q = share - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    const above = ((59.10937472 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179;
    return (q * above) / (((67.1875636 * r + 78.757757664) * r + 17.895169469) * r + 1);
  }
  const root = Math.sqrt(-Math.log(q < 0 ? share : 1 - share));
  const score = root <= 5 ? middleScore(root - 1.6) : farScore(root - 5);
  return q < 0 ? -score : score;
}

function middleScore(r: number): number {
  const above = ((0.17023821103 * r + 1.3067284816) * r + 2.75681539) * r + 1.4234372777;
  return above / ((0.12021132975 * r + 0.7370016425) * r + 1);
}

function farScore(r: number): number {
  const above = ((0.017337203997 * r + 0.42868294337) * r + 3.081226386) * r + 6.657905115;
  return above / ((0.012258202635 * r + 0.24197894225) * r + 1);
}

/** Probabilities beyond these have no finite score. */
const [LEAST, MOST] = [1e-16, 1 - 1e-16];

/** The nearest probability with a finite score. */
export function inside(probability: number): number {
  return Math.min(MOST, Math.max(LEAST, probability));
}
