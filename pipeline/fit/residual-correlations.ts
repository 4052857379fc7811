import type { Gender } from '../../src/core/genders.js';
import type { Survey, SurveyGroup } from '../tables/surveys.js';
import { regress } from './regression.js';

/** Correlation of two residuals and the people it rests on. */
export interface Residual {
  readonly rho: number;
  readonly n: number;
}

/** Correlation of the residuals (given the drivers) of two survey variables, where known. */
export type ResidualOf = (a: string, b: string) => Residual | undefined;

type Found = { readonly n: number; readonly cov: number } | undefined;

const ADULT_PREDICTORS = ['Stature', 'Bmi', 'AgeYears', 'AgeYearsSquared'] as const;
const AGED_PREDICTORS = ['Stature', 'Bmi', 'AgeYears'] as const;
/** Residual share of variance below which a variable is its drivers and has no residual. */
const LEAST_RESIDUAL = 1e-3;

/** A symmetric function of two names that computes each pair once. */
export function memoisePairs<T>(compute: (a: string, b: string) => T): (a: string, b: string) => T {
  const known = new Map<string, Map<string, T>>();
  return (a, b) => {
    const [x, y] = a < b ? [a, b] : [b, a];
    const of = known.get(x) ?? new Map<string, T>();
    if (of.size === 0) known.set(x, of);
    if (of.has(y)) return of.get(y) as T;
    const value = compute(x, y);
    of.set(y, value);
    return value;
  };
}

/** Residual correlations from covariances: Σab − Σax Σxx⁻¹ Σxb, over the residual variances. */
function residualsOf(
  covariance: (a: string, b: string) => Found,
  predictors: readonly string[],
): ResidualOf {
  const slopes = new Map<string, readonly number[] | undefined>();
  const cov = (a: string, b: string): number => {
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
    (slopesOf(a) ?? []).reduce(
      (sum, slope, i) => sum - slope * cov(predictors[i] as string, b),
      cov(a, b),
    );
  return memoisePairs((a, b) => {
    const found = covariance(a, b);
    if (found === undefined || slopesOf(a) === undefined || slopesOf(b) === undefined) return;
    const [va, vb] = [residual(a, a), residual(b, b)];
    if (va < LEAST_RESIDUAL * cov(a, a) || vb < LEAST_RESIDUAL * cov(b, b)) return;
    const rho = residual(a, b) / Math.sqrt(va * vb);
    return { rho: Math.max(-1, Math.min(1, rho)), n: found.n };
  });
}

/** Residual correlations within one group of adults of all ages. */
export function adultResiduals(group: SurveyGroup): ResidualOf {
  return residualsOf((a, b) => group.covariance(a, b), ADULT_PREDICTORS);
}

/**
 * Residual correlations about an age: covariances within a survey's age groups, pooled by people and
 * nearness (tricube weights), so that growth from one group to the next does not enter.
 *
 */
export function agedResiduals(
  survey: Survey,
  gender: Gender,
  ageYears: number,
  halfWidthYears: number,
): ResidualOf {
  const near = [...survey.groups].flatMap(([key, group]) => {
    if (!key.startsWith(`${gender}|`) || !group.moments.has('Bmi')) return [];
    const u = Math.abs(group.moment('AgeYears').mean - ageYears) / halfWidthYears;
    return u < 1 ? [{ group, nearness: (1 - u ** 3) ** 3 }] : [];
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
  return residualsOf(memoisePairs(pooled), AGED_PREDICTORS);
}
