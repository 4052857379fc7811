import { Matrix, solve } from 'ml-matrix';
import type { Gender } from '../../src/core/genders.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { ANCHOR_SETS, type AnchorSet } from '../plans/limit-sets.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import { PERCENTILES, shareBelow } from './coverage.js';
import { PERSON_SURVEYS, readScoreRho } from './joint-shares.js';

/** Error of one dimension of completed persons. */
export interface CompletionError {
  readonly gender: Gender;
  readonly anchors: AnchorSet;
  readonly dimension: string;
  /** Mean absolute error in SD of the dimension, on the scale of normal scores. */
  readonly meanAbs: number;
  /** Share of people inside the 90 % range. */
  readonly covered: number;
}

/** A linear rule that predicts a score from other scores: weights, and the SD of the residual. */
interface Regression {
  readonly weights: number[];
  readonly sd: number;
}

/** Correlation of two quantities. */
type Rho = (a: string, b: string) => number;

const matrixOf = (names: readonly string[], rho: Rho): Matrix =>
  new Matrix(names.map((a) => names.map((b) => rho(a, b))));

/** The conditional normal distribution of a score given other scores, computed from correlations. */
export function conditional(anchors: readonly string[], dimension: string, rho: Rho): Regression {
  const with_ = anchors.map((anchor) => rho(anchor, dimension));
  const weights = solve(matrixOf(anchors, rho), Matrix.columnVector(with_)).to1DArray();
  const explained = weights.reduce((sum, weight, i) => sum + weight * with_[i], 0);
  return { weights, sd: Math.sqrt(Math.max(0, 1 - explained)) };
}

/** Distances of a survey’s people from the regression of that survey (`completion_residuals.csv`). */
export interface OwnResiduals {
  /** Root mean square and mean absolute distance, normal scores. */
  readonly sd: number;
  readonly meanAbs: number;
  /** Quantiles at `PERCENTILES`. */
  readonly quantiles: readonly number[];
}

/**
 * Error and coverage of a completed dimension whose correlations come from another survey. The error of a person is the
 * distance from the own regression plus (own weights − other weights) × known scores. These two terms are uncorrelated
 * over the survey’s people. The quantiles of their sum are the quantiles of the distances, stretched to the SD of the
 * sum.
 *
 * @param own correlations of the people judged
 * @param other correlations that complete them
 * @returns mean |error| in SD and the shares (0 to 1) inside the 90 % ranges
 */
export function completionError(
  anchors: readonly string[],
  dimension: string,
  residuals: OwnResiduals,
  own: Rho,
  other: Rho,
): Pick<CompletionError, 'meanAbs' | 'covered'> {
  const ruled = conditional(anchors, dimension, other);
  const best = conditional(anchors, dimension, own);
  const off = Matrix.columnVector(best.weights.map((w, i) => w - ruled.weights[i]));
  const variance = off.transpose().mmul(matrixOf(anchors, own)).mmul(off).get(0, 0);
  const stretch = Math.sqrt(1 + variance / residuals.sd ** 2);
  const quantiles = residuals.quantiles.map((q) => q * stretch);
  const reach = zOfPercentile(95) * ruled.sd;
  return {
    meanAbs: residuals.meanAbs * stretch,
    covered: shareBelow(quantiles, reach) - shareBelow(quantiles, -reach),
  };
}

/** Completes the persons of ANSUR I with the correlations of ANSUR II, and scores the results. */
export async function scoreCompletion(tables: RawTables): Promise<CompletionError[]> {
  const [{ source, correlations }] = PERSON_SURVEYS;
  const own = await readScoreRho(tables, source);
  const other = await readScoreRho(tables, correlations);
  const order = 'gender, anchors, dimension';
  return (await tables.rows(source, 'completion_residuals', order)).map((row) => {
    const gender = row.gender as Gender;
    const [anchors, dimension] = [row.anchors as AnchorSet, String(row.dimension)];
    const residuals = {
      sd: Number(row.sd),
      meanAbs: Number(row.mean_abs),
      quantiles: PERCENTILES.map((p) => Number(row[`q${String(p).replace('.', '_')}`])),
    };
    const error = completionError(
      ANCHOR_SETS[anchors],
      dimension,
      residuals,
      (a, b) => own(gender, a, b),
      (a, b) => other(gender, a, b),
    );
    return { gender, anchors, dimension, ...error };
  });
}
