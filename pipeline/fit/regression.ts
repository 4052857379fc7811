import { Matrix, solve } from 'ml-matrix';
import type { SurveyGroup } from '../tables/surveys.js';

/** A linear regression of a transformed variable on transformed predictors, from covariances. */
export interface Regression<Variable extends string = string> {
  readonly predictors: readonly Variable[];
  readonly slopes: readonly number[];
  readonly residualVariance: number;
}

/**
 * Least squares from sufficient statistics: slopes = Σxx⁻¹ Σxy, residual variance = σ² − Σyx slopes
 * (Seber and Lee 2003, Linear Regression Analysis, 3.1). Pairwise complete covariances.
 *
 * @throws Error when a covariance is missing
 */
export function regress<Variable extends string>(
  covariance: (a: Variable, b: Variable) => number,
  variable: Variable,
  predictors: readonly Variable[],
): Regression<Variable> {
  const xx = new Matrix(predictors.map((a) => predictors.map((b) => covariance(a, b))));
  const xy = Matrix.columnVector(predictors.map((a) => covariance(a, variable)));
  const slopes = solve(xx, xy).to1DArray();
  const explained = slopes.reduce((sum, slope, i) => sum + slope * xy.get(i, 0), 0);
  const residualVariance = Math.max(0, covariance(variable, variable) - explained);
  return { predictors, slopes, residualVariance };
}

/** Covariances of one group as a function that refuses what is missing. */
export function covarianceOf(group: SurveyGroup): (a: string, b: string) => number {
  return (a, b) => {
    const found = group.covariance(a, b);
    if (found === undefined) throw new Error(`no covariance of ${a} and ${b}`);
    return found.cov;
  };
}
