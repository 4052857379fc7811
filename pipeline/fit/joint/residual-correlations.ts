import type { Gender } from '../../../src/core/genders.js';
import { memoise, memoisePairs, tricube } from '../../numerics/numbers.js';
import type { Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import {
  type Covariance,
  NARROW_AGE_PREDICTORS,
  PREDICTORS,
  regress,
  residualCovariance,
} from '../regressions/regression.js';

/** Correlation of two residuals, and the number of people behind it. */
export interface Residual {
  readonly rho: number;
  readonly n: number;
}

/** Correlation of the residuals of two survey variables given the covariates, where known. */
export type ResidualOf = (a: string, b: string) => Residual | undefined;

type Found = { readonly n: number; readonly cov: number } | undefined;

/** A variable with a smaller residual share of variance follows its covariates and has no residual. */
const LEAST_RESIDUAL = 1e-3;

/** Residual correlations: residual covariances over the square root of the residual variances. */
function residualsOf(
  covariance: (a: string, b: string) => Found,
  predictors: readonly string[],
): ResidualOf {
  const slopes = new Map<string, readonly number[] | undefined>();
  const cov: Covariance = (a, b) => {
    const found = covariance(a, b);
    if (found === undefined) throw new Error(`no covariance of ${a} and ${b}`);
    return found.cov;
  };
  const slopesOf = (name: string): readonly number[] | undefined => {
    if (!slopes.has(name)) {
      const known = [name, ...predictors].every((p) => covariance(name, p) !== undefined);
      slopes.set(name, known ? regress(cov, name, predictors).slopes : undefined);
    }
    return slopes.get(name);
  };
  const residual = (a: string, b: string): number =>
    residualCovariance(cov, predictors, slopesOf(a) ?? [], a, b);
  const variance = memoise((name: string) => residual(name, name));
  return memoisePairs((a, b) => {
    const found = covariance(a, b);
    if (found === undefined || slopesOf(a) === undefined || slopesOf(b) === undefined) return;
    const [va, vb] = [variance(a), variance(b)];
    if (va < LEAST_RESIDUAL * cov(a, a) || vb < LEAST_RESIDUAL * cov(b, b)) return;
    const rho = residual(a, b) / Math.sqrt(va * vb);
    return { rho: Math.max(-1, Math.min(1, rho)), n: found.n };
  });
}

/** Residual correlations within one group of adults of all ages. */
export function adultResiduals(group: SurveyGroup): ResidualOf {
  return residualsOf((a, b) => group.covariance(a, b), PREDICTORS);
}

/**
 * Residual correlations near an age. The covariances are taken within a survey's age groups, so growth from
 * one group to the next does not enter. They are pooled by people and nearness in age (tricube weights).
 */
export function agedResiduals(
  survey: Survey,
  gender: Gender,
  ageYears: number,
  halfWidthYears: number,
): ResidualOf {
  const near = [...survey.groups].flatMap(([key, group]) => {
    if (!key.startsWith(`${gender}|`) || !group.moments.has('Bmi')) return [];
    const distance = Math.abs(group.moment('AgeYears').mean - ageYears);
    const nearness = tricube(distance / halfWidthYears);
    return nearness > 0 ? [{ group, nearness }] : [];
  });
  const pooled = (a: string, b: string): Found => {
    let [sum, weight, squares] = [0, 0, 0];
    for (const { group, nearness } of near) {
      const found = group.covariance(a, b);
      if (found === undefined) continue;
      sum += nearness * (found.n - 1) * found.cov;
      weight += nearness * (found.n - 1);
      squares += nearness ** 2 * (found.n - 1);
    }
    return weight === 0 ? undefined : { n: weight ** 2 / squares, cov: sum / weight };
  };
  return residualsOf(memoisePairs(pooled), NARROW_AGE_PREDICTORS);
}
