import type { MeasurementName } from '../../../src/core/measurements.js';
import {
  lnMedian,
  lnQuantile,
  type Marginal,
  marginalThrough,
  withMedian,
  Z95,
} from '../../numerics/marginal.js';
import { EXCESSES, type Excess } from '../../plans/excess-plan.js';
import type { Cohort } from '../cohort.js';
import type { ScoreCorrelation } from '../fitted-model.js';
import { quantilesMm } from './sum-rule.js';

/** Score of P99.9. Up to this score, a whole is larger than its part at the same percentile. */
const TAIL_Z = 3.09;
/** The excess of medians is at least this share of the base. */
const LEAST_OF_MEDIANS = 0.008;
/** The excess of other quantiles is at least this share of the base, and at least a share of the excess of medians. */
const LEAST_OF_TAILS = 0.002;
/** The share below and above the median. Upper tails of girths are long, so the excess varies more there. */
const LEAST_BELOW = 0.3;
const LEAST_ABOVE = 0.5;
/** Step by which a tail is moved, as a share of the distance of P5 or P95 from the median. */
const STEP = 0.02;
const STEPS_MOST = 60;

/** Moves the median of a dimension so that it has an excess over its base, if the plan asks for one. */
export function withExcessOfMedians(
  name: MeasurementName,
  marginal: Marginal,
  cohort: Cohort,
): Marginal {
  let moved = marginal;
  for (const { name: of, base, side, medians } of EXCESSES) {
    if (of !== name || !medians) continue;
    const baseMm = cohort.valueMm(base);
    const leastMm = baseMm * (1 + side * LEAST_OF_MEDIANS);
    if (side * (Math.exp(lnMedian(moved)) - leastMm) < 0) moved = withMedian(moved, leastMm);
  }
  return moved;
}

/**
 * Keeps the quantiles of each dimension of `EXCESSES` above or below those of its base, from P0.1 to P99.9.
 * The distribution keeps its median. P5 and P95 move in steps until the tails are in order.
 */
export function separateExcesses(cohort: Cohort, rho: ScoreCorrelation): void {
  for (const excess of EXCESSES) {
    if (!cohort.has(excess.name)) continue;
    const separated = separatedFrom(
      excess,
      cohort.marginal(excess.name),
      baseMarginal(excess, cohort, rho),
    );
    if (separated !== undefined) cohort.setMarginal(excess.name, separated);
  }
}

/**
 * The distribution of the base: that of its only dimension, or one through P5, median and P95 of its sum.
 */
function baseMarginal({ base }: Excess, cohort: Cohort, rho: ScoreCorrelation): Marginal {
  const [first] = base;
  if (base.length === 1 && first?.of !== undefined) return cohort.marginal(first.of);
  const terms = base.flatMap(({ coefficient, of }) =>
    of === undefined ? [] : [{ coefficient, of }],
  );
  const [low = 0, high = 0] = quantilesMm(terms, cohort, rho, [-Z95, Z95]);
  return marginalThrough(low, cohort.valueMm(base), high);
}

/** Moves the marginal to its side of the base. Returns undefined if nothing moves. */
function separatedFrom({ side }: Excess, marginal: Marginal, base: Marginal): Marginal | undefined {
  const quantile = (of: Marginal, z: number) => Math.exp(lnQuantile(of, z));
  const middle = quantile(marginal, 0);
  let [low, high] = [quantile(marginal, -Z95), quantile(marginal, Z95)];
  let moved = marginal;
  const excessMm = Math.abs(middle - quantile(base, 0));
  const broken = (z: number) => {
    const baseMm = quantile(base, z);
    const leastMm = (z < 0 ? LEAST_BELOW : LEAST_ABOVE) * excessMm;
    return side * (quantile(moved, z) - baseMm) < Math.max(leastMm, LEAST_OF_TAILS * baseMm);
  };
  const [lowStep, highStep] = [STEP * (middle - low), STEP * (high - middle)];
  for (let step = 0; step < STEPS_MOST; step++) {
    const [below, above] = [broken(-TAIL_Z) || broken(-Z95), broken(TAIL_Z) || broken(Z95)];
    if (!below && !above) return step === 0 ? undefined : moved;
    if (below) low += side * lowStep;
    if (above) high += side * highStep;
    if (!(low < middle && middle < high)) return moved;
    moved = marginalThrough(low, middle, high);
  }
  return moved;
}
