import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../../src/core/measurements.js';
import { correlationIndex } from '../../../src/lookup/cell.js';
import { BODY_SLOPES, MASS_QUANTITIES } from '../../../src/lookup/format.js';
import type { Cohort } from '../../model/cohort.js';
import type { FittedModel } from '../../model/fitted-model.js';
import { Populations } from '../../model/population.js';
import type { ConditionalModel } from '../../model/regressions/conditional-model.js';
import { adultModelOf } from '../../model/regressions/nhanes-estimator.js';
import { smoothStep } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';
import { SPREADING_FROM } from '../../plans/growth-rules.js';
import { FREE_NAMES, FREE_TERMS, SUMS } from '../../plans/joint-plan.js';
import { carried } from './carried-covariance.js';
import type { CorrelationEvidence, PairResidual } from './correlation-evidence.js';
import { withExcesses } from './excess-correlations.js';

/** Largest correlation of two names. Even two names of one dimension are each measured with error. */
const LARGEST_RHO = 0.995;
/** Rounds of projection. Further rounds change every correlation by less than 0.01. */
const PROJECTIONS = 3;
const SIZE = MEASUREMENT_NAMES.length;
const indexOf = (name: MeasurementName): number => MEASUREMENT_NAMES.indexOf(name);

/** SDs of ln D that stature, BMI and the residual each contribute. */
interface Parts {
  readonly stature: number;
  readonly bmi: number;
  readonly residual: number;
}

/** Parts of the spread of dimensions in a cohort; undefined for those without a model. */
function partsOf(
  model: FittedModel,
  cohort: Cohort,
  names: readonly MeasurementName[],
): (Parts | undefined)[] {
  const { gender, ageYears, covariates } = cohort;
  const grown = smoothStep(ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
  return names.map((name) => {
    if (!model.military[gender].has(name)) return undefined;
    const adult = adultModelOf(model, cohort, name);
    const measured = grown === 1 || model.nhanes[gender].has(name);
    const child = measured ? undefined : model.children[gender].get(name)?.at(covariates, ageYears);
    const mix = (pick: (from: ConditionalModel) => number): number =>
      child === undefined ? pick(adult) : pick(child) + grown * (pick(adult) - pick(child));
    return {
      stature: mix(({ slopeStature }) => slopeStature) * covariates.lnStatureSd,
      bmi: mix(({ slopeBmi }) => slopeBmi) * covariates.lnBmiSd,
      residual: mix(({ residualSd }) => residualSd),
    };
  });
}

/** Covariances of ln D of dimensions that have their own models, made positive semi-definite. */
function ownCovariance(
  names: readonly string[],
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
      (left === 0 ? 0 : left * residual(names[i], names[j]))
    );
  };
  const sds = parts.map((_, i) => Math.sqrt(covariance(i, i)));
  const near = nearestCorrelation(names.length, (i, j) => covariance(i, j) / (sds[i] * sds[j]));
  return near.mulRowVector(sds).mulColumnVector(sds);
}

/**
 * Rows that turn the covariances of free dimensions into those of all names. An alias varies as the
 * dimension that it names. A sum or difference varies with its parts: for D = Σ c_k D_k with medians M, d
 * ln D = Σ (c_k M_k ÷ M) d ln D_k.
 */
function derivation(own: readonly MeasurementName[], cohort: Cohort): Matrix {
  const rows = Matrix.zeros(SIZE, own.length);
  MEASUREMENT_NAMES.forEach((name, i) => {
    for (const { coefficient, of } of FREE_TERMS.get(name) ?? []) {
      const weight = of === name ? 1 : (coefficient * cohort.medianMm(of)) / cohort.medianMm(name);
      rows.set(i, own.indexOf(of), weight);
    }
  });
  return rows;
}

/** BMI and body mass are the covariates themselves: mass = BMI × stature². */
function bodyParts({ covariates }: Cohort): Parts[] {
  return MASS_QUANTITIES.map((name) => ({
    stature: BODY_SLOPES[name].stature * covariates.lnStatureSd,
    bmi: BODY_SLOPES[name].bmi * covariates.lnBmiSd,
    residual: 0,
  }));
}

/** Adds a row for each quantity of the body to the rows of dimensions. The result is block diagonal. */
function withBody(rows: Matrix): Matrix {
  const all = Matrix.zeros(
    rows.rows + MASS_QUANTITIES.length,
    rows.columns + MASS_QUANTITIES.length,
  );
  all.setSubMatrix(rows, 0, 0);
  MASS_QUANTITIES.forEach((_, k) => {
    all.set(rows.rows + k, rows.columns + k, 1);
  });
  return all;
}

/**
 * Correlations in a cohort of all measurements, followed by `MASS_QUANTITIES`. They come from the shared
 * covariates and from the correlations of the residuals.
 */
function correlationMatrix(model: FittedModel, cohort: Cohort, residual: PairResidual): Matrix {
  const rows = withBody(derivation(FREE_NAMES, cohort));
  const parts = [...partsOf(model, cohort, FREE_NAMES), ...bodyParts(cohort)];
  const names = [...FREE_NAMES, ...MASS_QUANTITIES];
  const near = ownCovariance(names, parts, cohort.covariates.rho, residual);
  const has = (name: MeasurementName) => model.military[cohort.gender].has(name);
  const ownCovariances = withExcesses(FREE_NAMES, near, cohort, has);
  const covariance = carried(rows, ownCovariances);
  const scale = covariance.diagonal().map((value) => 1 / Math.sqrt(value));
  return withError(covariance.mulRowVector(scale).mulColumnVector(scale));
}

/**
 * Limits correlations to `LARGEST_RHO` where two names are nearly one dimension, as measurement error does.
 * All correlations of a name shrink by a factor, and the diagonal stays 1. The derived name gets the error,
 * so that sums and differences of other names keep their spread.
 */
function withError(rho: Matrix): Matrix {
  const factors = new Array<number>(rho.rows).fill(1);
  const largestWith = (i: number, others: readonly number[]): number =>
    Math.max(0, ...others.map((j) => (i === j ? 0 : Math.abs(rho.get(i, j)) * factors[j])));
  const free = [...FREE_NAMES.map(indexOf), ...MASS_QUANTITIES.map((_, k) => SIZE + k)];
  const shared = free.map((i) => Math.sqrt(Math.min(1, LARGEST_RHO / largestWith(i, free))));
  free.forEach((i, k) => {
    factors[i] = shared[k];
  });
  const known = [...free];
  // Sums come before the other names of the same sum.
  for (const i of [...SUMS, ...MEASUREMENT_NAMES].map(indexOf)) {
    if (known.includes(i)) continue;
    factors[i] = Math.min(1, LARGEST_RHO / largestWith(i, known));
    known.push(i);
  }
  const result = rho.mulRowVector(factors).mulColumnVector(factors);
  for (let i = 0; i < rho.rows; i++) result.set(i, i, 1);
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
  const lengths = negative.map((k) => Math.sqrt(-realEigenvalues[k]));
  const factor = vectors.mulRowVector(lengths);
  return Matrix.add(matrix, factor.mmul(factor.transpose()));
}

/**
 * The correlation matrix nearest to the given one, up to the error that `PROJECTIONS` rounds leave. The
 * rounds alternate projections on the positive semi-definite matrices and on the matrices with a unit
 * diagonal, with Dykstra's correction (Higham 2002, IMA J. Numer. Anal. 22:329). The result is scaled to a
 * unit diagonal.
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

/** Correlations of normal scores in the US by age and gender. */
export interface Correlations {
  /** Correlations of all pairs of dimensions, in the order of `correlationIndex`. */
  readonly rho: Float32Array;
  /** Correlation of each dimension with BMI (and with body mass): a value for each row of `rho`. */
  readonly rhoBmi: Float32Array;
  readonly rhoMass: Float32Array;
  /** Correlation of BMI and body mass, by age and gender. */
  readonly rhoBmiMass: number[];
}

/** Makes empty correlations for a number of ages. */
export function emptyCorrelations(ages: number): Correlations {
  const rows = ages * GENDERS.length * SIZE;
  return {
    rho: new Float32Array(rows * SIZE),
    rhoBmi: new Float32Array(rows),
    rhoMass: new Float32Array(rows),
    rhoBmiMass: new Array<number>(ages * GENDERS.length).fill(0),
  };
}

/**
 * Fills in the correlations of the normal scores of all dimensions, BMI and body mass in the US, for one
 * gender at the given ages.
 *
 * @param progress called after each matrix
 */
export function fitCorrelations(
  { rho, rhoBmi, rhoMass, rhoBmiMass }: Correlations,
  model: FittedModel,
  evidence: CorrelationEvidence,
  gender: Gender,
  agesYears: readonly number[],
  progress: () => void,
): void {
  // The spreads of sums follow from the correlations, so the model used here lacks them.
  const { joint: _, ...bare } = model;
  const population = new Populations(bare).home(gender);
  const g = GENDERS.indexOf(gender);
  const parentOf = (name: string) => model.military[gender].get(name)?.residual;
  agesYears.forEach((ageYears, a) => {
    const residual = evidence.at(gender, ageYears, parentOf);
    const matrix = correlationMatrix(model, population.at(ageYears), residual);
    const last = SIZE - 1;
    const from = correlationIndex(SIZE, a, g, 0, 0);
    rho.set(matrix.subMatrix(0, last, 0, last).to1DArray(), from);
    rhoBmi.set(matrix.getColumn(SIZE).slice(0, SIZE), from / SIZE);
    rhoMass.set(matrix.getColumn(SIZE + 1).slice(0, SIZE), from / SIZE);
    rhoBmiMass[a * GENDERS.length + g] = matrix.get(SIZE, SIZE + 1);
    progress();
  });
}

/** Copies the correlations of a gender. */
export function copyCorrelations(from: Correlations, to: Correlations, gender: Gender): void {
  const g = GENDERS.indexOf(gender);
  for (let at = g; at < to.rhoBmiMass.length; at += GENDERS.length) {
    for (const column of ['rho', 'rhoBmi', 'rhoMass'] as const) {
      const length = to[column].length / to.rhoBmiMass.length;
      to[column].set(from[column].subarray(at * length, (at + 1) * length), at * length);
    }
    to.rhoBmiMass[at] = from.rhoBmiMass[at];
  }
}
