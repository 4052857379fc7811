import { Matrix, solve } from 'ml-matrix';
import type { SurveyGroup } from '../../raw-tables/surveys.js';

/** The predictors of the adult regressions, as the survey tables name them. */
export const PREDICTORS = ['Stature', 'Bmi', 'AgeYears', 'AgeYearsSquared'] as const;

/** The predictors within a narrow window of ages. There, the square of age adds nothing. */
export const NARROW_AGE_PREDICTORS = ['Stature', 'Bmi', 'AgeYears'] as const;

/** Covariance of two transformed variables. */
export type Covariance<Variable extends string = string> = (a: Variable, b: Variable) => number;

/** A linear regression of a transformed variable on transformed predictors, from covariances. */
export interface Regression<Variable extends string = string> {
  readonly predictors: readonly Variable[];
  readonly slopes: readonly number[];
  readonly residualVariance: number;
}

/**
 * Least squares from sufficient statistics: slopes = Σxx⁻¹ Σxy, residual variance = σ² − Σyx slopes (Seber
 * and Lee 2003, Linear Regression Analysis, 3.1). The covariances are pairwise complete.
 *
 * @throws Error when a covariance is missing
 */
export function regress<Variable extends string>(
  covariance: Covariance<Variable>,
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

/**
 * Covariance of two variables that the predictors leave: Σab − Σax Σxx⁻¹ Σxb.
 *
 * @param slopes slopes of `a` on the predictors
 */
export function residualCovariance(
  covariance: Covariance,
  predictors: readonly string[],
  slopes: readonly number[],
  a: string,
  b: string,
): number {
  return slopes.reduce(
    (sum, slope, i) => sum - slope * covariance(predictors[i], b),
    covariance(a, b),
  );
}

/** Variance that the predictors explain with the given slopes: Σ slopes Σxx slopes. */
export function explainedVariance<Variable extends string>(
  covariance: Covariance<Variable>,
  predictors: readonly Variable[],
  slopes: readonly number[],
): number {
  let explained = 0;
  predictors.forEach((a, i) => {
    predictors.forEach((b, j) => {
      explained += slopes[i] * slopes[j] * covariance(a, b);
    });
  });
  return explained;
}

/** Covariances of one survey group. The function throws if the survey does not have the covariance. */
export function covarianceOf(group: SurveyGroup): Covariance {
  return (a, b) => {
    const found = group.covariance(a, b);
    if (found === undefined) throw new Error(`no covariance of ${a} and ${b}`);
    return found.cov;
  };
}
