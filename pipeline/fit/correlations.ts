import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import type { SurveyGroup } from '../tables/surveys.js';
import type { AdultFit, AdultSources } from './adult-model.js';
import { countryDrivers, type FittedModel } from './population.js';
import { covarianceOf, regress } from './regression.js';

/**
 * Largest correlation of two different names: measurement error keeps even two names of one
 * dimension below 1. Also the share of the matrix that stays when it is made positive definite.
 */
const LARGEST_RHO = 0.995;
const PREDICTORS = ['Stature', 'Bmi', 'AgeYears', 'AgeYearsSquared'] as const;
const SIZE = MEASUREMENT_NAMES.length;

/** Correlations of residuals (given stature, BMI and age) of two survey variables. */
type ResidualCorrelation = (a: string, b: string) => number | undefined;

function residualCorrelations(group: SurveyGroup): ResidualCorrelation {
  const covariance = covarianceOf(group);
  const slopes = new Map<string, readonly number[]>();
  const slopesOf = (name: string): readonly number[] | undefined => {
    if (!group.moments.has(name)) return undefined;
    const known = slopes.get(name) ?? regress(covariance, name, PREDICTORS).slopes;
    slopes.set(name, known);
    return known;
  };
  const residual = (a: string, b: string): number => {
    const explained = (slopes.get(a) ?? []).reduce(
      (sum, slope, i) => sum + slope * covariance(PREDICTORS[i] as string, b),
      0,
    );
    return covariance(a, b) - explained;
  };
  return (a, b) => {
    if (a === b) return 1;
    if (slopesOf(a) === undefined || slopesOf(b) === undefined) return undefined;
    const variances = residual(a, a) * residual(b, b);
    return variances > 0 ? residual(a, b) / Math.sqrt(variances) : 0;
  };
}

/**
 * Correlation of the residuals of two dimensions: that of the survey variables they follow, where
 * one survey has both, reduced by how closely each follows its own; else none is known and 0 is
 * taken.
 */
function pairResidual(
  a: AdultFit,
  b: AdultFit,
  ansur2: ResidualCorrelation,
  ansur1: ResidualCorrelation,
): number {
  const shares = a.residual.share * b.residual.share;
  if (shares === 0) return 0;
  const { variable: x } = a.residual;
  const { variable: y } = b.residual;
  return shares * (ansur2(x, y) ?? ansur1(x, y) ?? 0);
}

/** Correlations in the US population at one age: what the drivers share, and the residuals. */
function correlationMatrix(
  model: FittedModel,
  gender: Gender,
  ageYears: number,
  residual: readonly Float64Array[],
): Matrix {
  const drivers = countryDrivers(model, gender, 'US', ageYears);
  const terms = MEASUREMENT_NAMES.map((name) => {
    const fit = model.adults[gender].get(name);
    if (fit === undefined) return undefined;
    const child = ageYears < ADULT_AGE_YEARS ? model.children[gender].get(name) : undefined;
    const given = child?.at(drivers, ageYears);
    return {
      stature: (given?.slopeStature ?? fit.slopes[0]) * drivers.lnStatureSd,
      bmi: (given?.slopeBmi ?? fit.slopes[1]) * drivers.lnBmiSd,
      residual: given?.residualSd ?? fit.residualSd,
    };
  });
  const { rho } = drivers;
  const covariance = (i: number, j: number): number => {
    const [a, b] = [terms[i], terms[j]];
    if (a === undefined || b === undefined) return i === j ? 1 : 0;
    return (
      a.stature * b.stature +
      a.bmi * b.bmi +
      rho * (a.stature * b.bmi + a.bmi * b.stature) +
      a.residual * b.residual * ((residual[i] as Float64Array)[j] as number)
    );
  };
  const sds = terms.map((_, i) => Math.sqrt(covariance(i, i)));
  return nearestCorrelation(
    SIZE,
    (i, j) => covariance(i, j) / ((sds[i] as number) * (sds[j] as number)),
  );
}

/**
 * A correlation matrix near the given one: negative eigenvalues set to 0, the diagonal scaled back
 * to 1 (Rebonato and Jäckel 1999, J. Risk 2(2):17), then everything off the diagonal drawn in by
 * `LARGEST_RHO`, which leaves it positive definite.
 */
function nearestCorrelation(size: number, rho: (i: number, j: number) => number): Matrix {
  const start = new Matrix(size, size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) start.set(i, j, i === j ? 1 : (rho(i, j) + rho(j, i)) / 2);
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(start, {
    assumeSymmetric: true,
  });
  const roots = realEigenvalues.map((value) => Math.sqrt(Math.max(0, value)));
  const factor = eigenvectorMatrix.mulRowVector(roots);
  const product = factor.mmul(factor.transpose());
  const sds = product.diagonal().map(Math.sqrt);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const scaled = product.get(i, j) / ((sds[i] as number) * (sds[j] as number));
      product.set(i, j, i === j ? 1 : LARGEST_RHO * scaled);
    }
  }
  return product;
}

/**
 * Correlations of the normal scores of all dimensions at the given ages, row by row as the artifact
 * holds them: `[((age · 2 + gender) · 148 + anchor) · 148 + linked]`.
 */
export function fitCorrelations(
  model: FittedModel,
  sources: AdultSources,
  genders: readonly Gender[],
  agesYears: readonly number[],
  progress: () => void,
): Float32Array {
  const rho = new Float32Array(agesYears.length * genders.length * SIZE * SIZE);
  genders.forEach((gender, g) => {
    const groups = [sources.ansur2, sources.ansur1].map((survey) => {
      const group = survey.group(gender, 'adult');
      if (group === undefined) throw new Error(`${survey.name} has no ${gender} adults`);
      return residualCorrelations(group);
    }) as [ResidualCorrelation, ResidualCorrelation];
    const fits = MEASUREMENT_NAMES.map((name) => model.adults[gender].get(name));
    const residual = fits.map((a, i) =>
      Float64Array.from(fits, (b, j) => {
        if (i === j) return 1;
        return a === undefined || b === undefined ? 0 : pairResidual(a, b, ...groups);
      }),
    );
    agesYears.forEach((ageYears, a) => {
      const matrix = correlationMatrix(model, gender, ageYears, residual);
      const from = (a * genders.length + g) * SIZE * SIZE;
      for (let i = 0; i < SIZE; i++) {
        for (let j = 0; j < SIZE; j++) {
          const value = i < j ? matrix.get(i, j) : matrix.get(j, i);
          rho[from + i * SIZE + j] = value;
        }
      }
      progress();
    });
  });
  return rho;
}
