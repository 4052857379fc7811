import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { correlationIndex } from '../../src/lookup/format.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { IDENTITIES } from '../model/dependencies.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import { SPREADING_FROM } from './child-fit.js';
import type { Cohort } from './cohort.js';
import type { ConditionalModel } from './conditional-model.js';
import type { CorrelationEvidence, PairResidual } from './correlation-evidence.js';
import type { FittedModel } from './fitted-model.js';
import { adultModelOf } from './nhanes-estimator.js';
import { smoothStep } from './numbers.js';
import { Population } from './population.js';

/** Largest correlation of two names, even of one dimension, because both are measured with error. */
const LARGEST_RHO = 0.995;
/** Sum of the absolute parts of a difference over the difference itself: 3 for LegLength. */
const LARGEST_CANCELLATION = 5;
/** Rounds of projection: further rounds change no correlation by 0.01. */
const PROJECTIONS = 3;
const SIZE = MEASUREMENT_NAMES.length;

/** SDs of ln D that stature, BMI and the residual each contribute. */
interface Parts {
  readonly stature: number;
  readonly bmi: number;
  readonly residual: number;
}

/**
 * Whether a dimension varies as the sum or difference of its parts. A difference that is small against
 * its parts does not: small errors in what is known of two large parts would decide it. Nor does a
 * difference in a child where only some of the parts were measured on children.
 */
function isDerived(model: FittedModel, cohort: Cohort, name: MeasurementName): boolean {
  const parts = (IDENTITIES.get(name) ?? []).flatMap(({ coefficient, of }) =>
    of === undefined ? [] : [{ of, mm: coefficient * cohort.medianMm(of) }],
  );
  if (parts.every(({ mm }) => mm > 0)) return parts.length > 0;
  const size = parts.reduce((sum, { mm }) => sum + Math.abs(mm), 0) / cohort.medianMm(name);
  if (size > LARGEST_CANCELLATION) return false;
  const measured = new Set(parts.map(({ of }) => isMeasured(model, cohort.gender, of)));
  return cohort.isAdult || measured.size === 1;
}

/** Whether a dimension, or every part of its identity, was measured on children. */
function isMeasured(model: FittedModel, gender: Gender, name: MeasurementName): boolean {
  const terms = IDENTITIES.get(name);
  if (terms === undefined) return name === 'Stature' || model.children[gender].has(name);
  return terms.every(({ of }) => of === undefined || isMeasured(model, gender, of));
}

/** Parts of the spread of dimensions in a cohort; undefined for those without a model. */
function partsOf(
  model: FittedModel,
  cohort: Cohort,
  names: readonly MeasurementName[],
): (Parts | undefined)[] {
  const { gender, ageYears, drivers } = cohort;
  const grown = smoothStep(ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
  return names.map((name) => {
    if (!model.military[gender].has(name)) return undefined;
    const adult = adultModelOf(model, cohort, name);
    const measured = grown === 1 || model.nhanes[gender].has(name);
    const child = measured ? undefined : model.children[gender].get(name)?.at(drivers, ageYears);
    const mix = (pick: (from: ConditionalModel) => number): number =>
      child === undefined ? pick(adult) : pick(child) + grown * (pick(adult) - pick(child));
    return {
      stature: mix(({ slopeStature }) => slopeStature) * drivers.lnStatureSd,
      bmi: mix(({ slopeBmi }) => slopeBmi) * drivers.lnBmiSd,
      residual: mix(({ residualSd }) => residualSd),
    };
  });
}

/** Covariances of ln D of dimensions with models of their own, made positive semi-definite. */
function ownCovariance(
  names: readonly MeasurementName[],
  parts: readonly (Parts | undefined)[],
  rho: number,
  residual: PairResidual,
): Matrix {
  const covariance = (i: number, j: number): number => {
    const [a, b] = [parts[i], parts[j]];
    if (a === undefined || b === undefined) return i === j ? 1 : 0;
    const left = a.residual * b.residual;
    return (
      a.stature * b.stature +
      a.bmi * b.bmi +
      rho * (a.stature * b.bmi + a.bmi * b.stature) +
      (left === 0 ? 0 : left * residual(names[i] as string, names[j] as string))
    );
  };
  const sds = parts.map((_, i) => Math.sqrt(covariance(i, i)));
  const near = nearestCorrelation(
    names.length,
    (i, j) => covariance(i, j) / ((sds[i] as number) * (sds[j] as number)),
  );
  return near.mulRowVector(sds).mulColumnVector(sds);
}

/**
 * Rows that turn the covariances of dimensions with models of their own into those of all names. An
 * alias varies as the dimension it names. A sum or difference varies with its parts:
 * d ln D = Σ (c_k M_k ÷ M) d ln D_k for D = Σ c_k D_k with medians M.
 */
function derivation(own: readonly MeasurementName[], cohort: Cohort): Matrix {
  const rows = new Map<MeasurementName, number[]>();
  const compute = (name: MeasurementName): number[] => {
    if (own.includes(name)) return own.map((other) => (other === name ? 1 : 0));
    const { basis } = DIMENSION_PLAN[name];
    const terms = IDENTITIES.get(name);
    if (terms === undefined && basis.kind === 'alias') return rowOf(basis.of);
    const row = new Array<number>(own.length).fill(0);
    for (const { coefficient, of } of terms ?? []) {
      if (of === undefined) continue;
      const weight = (coefficient * cohort.medianMm(of)) / cohort.medianMm(name);
      rowOf(of).forEach((value, k) => {
        row[k] = (row[k] as number) + weight * value;
      });
    }
    return row;
  };
  const rowOf = (name: MeasurementName): number[] => {
    const row = rows.get(name) ?? compute(name);
    rows.set(name, row);
    return row;
  };
  return new Matrix(MEASUREMENT_NAMES.map(rowOf));
}

/** Correlations in a cohort, from the shared drivers and from the correlations of the residuals. */
function correlationMatrix(model: FittedModel, cohort: Cohort, residual: PairResidual): Matrix {
  const own = MEASUREMENT_NAMES.filter(
    (name) => DIMENSION_PLAN[name].basis.kind !== 'alias' && !isDerived(model, cohort, name),
  );
  const rows = derivation(own, cohort);
  const parts = partsOf(model, cohort, own);
  const ownCovariances = ownCovariance(own, parts, cohort.drivers.rho, residual);
  const covariance = rows.mmul(ownCovariances).mmul(rows.transpose());
  const scale = covariance.diagonal().map((value) => 1 / Math.sqrt(value));
  return withError(covariance.mulRowVector(scale).mulColumnVector(scale));
}

/**
 * Limits correlations to `LARGEST_RHO` where two names are nearly one dimension, as measurement error
 * does: all correlations of both names shrink by a factor, and the diagonal stays 1.
 */
function withError(rho: Matrix): Matrix {
  const factors = Array.from({ length: SIZE }, (_, i) => {
    const others = rho.getRow(i).map((value, j) => (j === i ? 0 : Math.abs(value)));
    return Math.sqrt(Math.min(1, LARGEST_RHO / Math.max(...others)));
  });
  const result = rho.mulRowVector(factors).mulColumnVector(factors);
  for (let i = 0; i < SIZE; i++) result.set(i, i, 1);
  return result;
}

/** The matrix with its negative eigenvalues set to 0. */
function withoutNegative(matrix: Matrix): Matrix {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(matrix, {
    assumeSymmetric: true,
  });
  const negative = realEigenvalues.flatMap((value, k) => (value < 0 ? [k] : []));
  if (negative.length === 0) return matrix.clone();
  const vectors = eigenvectorMatrix.subMatrixColumn(negative);
  const lengths = negative.map((k) => Math.sqrt(-(realEigenvalues[k] as number)));
  const factor = vectors.mulRowVector(lengths);
  return Matrix.add(matrix, factor.mmul(factor.transpose()));
}

/**
 * The correlation matrix nearest to the given one, up to the error that `PROJECTIONS` rounds leave. It
 * alternates projections on the positive semi-definite matrices and on the matrices with a unit
 * diagonal, with Dykstra's correction (Higham 2002, IMA J. Numer. Anal. 22:329). The result is scaled
 * to a unit diagonal.
 */
function nearestCorrelation(size: number, rho: (i: number, j: number) => number): Matrix {
  let near = new Matrix(size, size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) near.set(i, j, i === j ? 1 : (rho(i, j) + rho(j, i)) / 2);
  }
  let correction = Matrix.zeros(size, size);
  let projected = near;
  for (let round = 0; round < PROJECTIONS; round++) {
    const from = Matrix.sub(near, correction);
    projected = withoutNegative(from);
    correction = Matrix.sub(projected, from);
    near = projected.clone();
    for (let i = 0; i < size; i++) near.set(i, i, 1);
  }
  const scale = projected.diagonal().map((value) => 1 / Math.sqrt(value));
  const result = projected.mulRowVector(scale).mulColumnVector(scale);
  for (let i = 0; i < size; i++) result.set(i, i, 1);
  return result;
}

/**
 * Correlations of the normal scores of all dimensions in the US at the given ages, in the order of
 * `correlationIndex`.
 *
 * @param progress called after each matrix
 */
export function fitCorrelations(
  model: FittedModel,
  evidence: CorrelationEvidence,
  genders: readonly Gender[],
  agesYears: readonly number[],
  progress: () => void,
): Float32Array {
  const rho = new Float32Array(agesYears.length * genders.length * SIZE * SIZE);
  genders.forEach((gender, g) => {
    const population = new Population(model, gender, 'US');
    const parentOf = (name: string) => model.military[gender].get(name)?.residual;
    agesYears.forEach((ageYears, a) => {
      const residual = evidence.at(gender, ageYears, parentOf);
      const matrix = correlationMatrix(model, population.at(ageYears), residual);
      rho.set(matrix.to1DArray(), correlationIndex(SIZE, a, g, 0, 0));
      progress();
    });
  });
  return rho;
}
