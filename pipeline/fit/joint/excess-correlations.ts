import { Matrix } from 'ml-matrix';
import type { MeasurementName } from '../../../src/core/measurements.js';
import { bisected } from '../../../src/numerics/numerics.js';
import type { Cohort } from '../../model/cohort.js';
import { EXCESSES } from '../../plans/excess-plan.js';
import { carried } from './carried-covariance.js';

/** Bisections to find the share of the independent variation that is kept. */
const BISECTIONS = 30;

/**
 * Limits the spread of the excess of each dimension of `EXCESSES`: the median of the excess is at least
 * `clearance` SDs away from 0. The dimension keeps its variance. The part that varies independently of the
 * base shrinks, and the dimension follows the base more closely. Every person's new dimension is a linear
 * combination of the old dimension and the base, so the covariances are still possible.
 *
 * @param names free dimensions, in the order of the matrix
 * @param covariance covariances of ln D; it is not changed
 */
export function withExcesses(
  names: readonly MeasurementName[],
  covariance: Matrix,
  cohort: Cohort,
  has: (name: MeasurementName) => boolean,
): Matrix {
  let result = covariance;
  for (const { name, base, clearance } of EXCESSES) {
    if (!has(name)) continue;
    const at = names.indexOf(name);
    const medianMm = cohort.medianMm(name);
    // Weights that turn ln of each dimension into mm of the base.
    const weights = Matrix.zeros(1, result.columns);
    for (const { coefficient, of } of base) {
      if (of !== undefined) weights.set(0, names.indexOf(of), coefficient * cohort.medianMm(of));
    }
    const sdMm = Math.abs(medianMm - cohort.valueMm(base)) / clearance;
    const withBase = weights.mmul(result);
    const ofBase = withBase.mmul(weights.transpose()).get(0, 0);
    const slope = (medianMm * withBase.get(0, at)) / ofBase;
    const own = medianMm ** 2 * result.get(at, at);
    const rest = own - slope ** 2 * ofBase;
    const slopeAt = (share: number) => Math.sqrt((own - share ** 2 * rest) / ofBase);
    const varianceAt = (share: number) => (slopeAt(share) - 1) ** 2 * ofBase + share ** 2 * rest;
    if (varianceAt(1) <= sdMm ** 2) continue;
    const kept = bisected([0, 1], BISECTIONS, (share) => varianceAt(share) <= sdMm ** 2);
    const map = Matrix.eye(result.rows);
    map.setRow(at, weights.clone().mul((slopeAt(kept) - kept * slope) / medianMm));
    map.set(at, at, kept);
    result = carried(map, result);
  }
  return result;
}
