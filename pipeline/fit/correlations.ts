import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { parseFormula } from '../model/combination.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import { SPREADING_FROM } from './childhood.js';
import type { CorrelationEvidence, PairResidual } from './correlation-evidence.js';
import type { Given } from './dimension.js';
import { smoothStep } from './numbers.js';
import { type Cohort, countryDrivers, type FittedModel, Population } from './population.js';

/** Largest correlation of two names, even of one dimension: both are measured with error. */
const LARGEST_RHO = 0.995;
/** Parts of a difference, added up, over the difference itself: 3 for LegLength. */
const LARGEST_CANCELLATION = 5;
/** Rounds of projection: more of them change no correlation by 0.01. */
const PROJECTIONS = 3;
const SIZE = MEASUREMENT_NAMES.length;

const IDENTITIES = new Map(
  MEASUREMENT_NAMES.flatMap((name) => {
    const { identity } = DIMENSION_PLAN[name];
    return identity === undefined ? [] : [[name, parseFormula(identity)] as const];
  }),
);

/** SDs of ln D that stature, BMI and the residual each bring about. */
interface Parts {
  readonly stature: number;
  readonly bmi: number;
  readonly residual: number;
}

/**
 * Whether a dimension varies as the sum or difference of its parts. A difference small against its
 * parts does not, nor a child's where only some of the parts were measured on children: what little
 * the evidence on two large parts differs would decide it.
 */
function isDerived(
  model: FittedModel,
  gender: Gender,
  ageYears: number,
  cohort: Cohort,
  name: MeasurementName,
): boolean {
  const parts = (IDENTITIES.get(name) ?? []).flatMap(({ coefficient, of }) =>
    of === undefined ? [] : [{ of, mm: coefficient * cohort.medianMm(of) }],
  );
  if (parts.every(({ mm }) => mm > 0)) return parts.length > 0;
  const size = parts.reduce((sum, { mm }) => sum + Math.abs(mm), 0) / cohort.medianMm(name);
  if (size > LARGEST_CANCELLATION) return false;
  const measured = new Set(parts.map(({ of }) => isMeasured(model, gender, of)));
  return ageYears >= ADULT_AGE_YEARS || measured.size === 1;
}

function isMeasured(model: FittedModel, gender: Gender, name: MeasurementName): boolean {
  const terms = IDENTITIES.get(name);
  if (terms === undefined) return name === 'Stature' || model.children[gender].has(name);
  return terms.every(({ of }) => of === undefined || isMeasured(model, gender, of));
}

/** What varies in dimensions in the US population at an age; undefined without a model. */
function partsOf(
  model: FittedModel,
  gender: Gender,
  ageYears: number,
  cohort: Cohort,
  names: readonly MeasurementName[],
): (Parts | undefined)[] {
  const { drivers } = cohort;
  const grown = smoothStep(ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
  return names.map((name) => {
    if (!model.adults[gender].has(name)) return undefined;
    const given = cohort.given(name);
    const measured = grown === 1 || model.civilians[gender].has(name);
    const child = measured ? undefined : model.children[gender].get(name)?.at(drivers, ageYears);
    const mix = (pick: (from: Given) => number): number =>
      child === undefined ? pick(given) : pick(child) + grown * (pick(given) - pick(child));
    return {
      stature: mix(({ slopeStature }) => slopeStature) * drivers.lnStatureSd,
      bmi: mix(({ slopeBmi }) => slopeBmi) * drivers.lnBmiSd,
      residual: mix(({ residualSd }) => residualSd),
    };
  });
}

/** Covariances of ln D of names with models of their own, made positive semi-definite. */
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
 * Rows that turn covariances of the names with models of their own into those of all: another name
 * of a dimension is that dimension, a sum or difference varies with its parts:
 * d ln D = Σ (c_k M_k ÷ M) d ln D_k for D = Σ c_k D_k with medians M.
 */
function derivation(
  own: readonly MeasurementName[],
  medianMm: (name: MeasurementName) => number,
): Matrix {
  const rows = new Map<MeasurementName, number[]>();
  const compute = (name: MeasurementName): number[] => {
    if (own.includes(name)) return own.map((other) => (other === name ? 1 : 0));
    const { basis } = DIMENSION_PLAN[name];
    const terms = IDENTITIES.get(name);
    if (terms === undefined && basis.kind === 'alias') return rowOf(basis.of);
    const row = new Array<number>(own.length).fill(0);
    for (const { coefficient, of } of terms ?? []) {
      if (of === undefined) continue;
      const weight = (coefficient * medianMm(of)) / medianMm(name);
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

/** Correlations in the US population at one age: what the drivers share, and the residuals. */
function correlationMatrix(
  model: FittedModel,
  gender: Gender,
  ageYears: number,
  residual: PairResidual,
): Matrix {
  const { rho } = countryDrivers(model, gender, 'US', ageYears);
  const cohort = new Population(model, gender, 'US').at(ageYears);
  const own = MEASUREMENT_NAMES.filter(
    (name) =>
      DIMENSION_PLAN[name].basis.kind !== 'alias' &&
      !isDerived(model, gender, ageYears, cohort, name),
  );
  const rows = derivation(own, (name) => cohort.medianMm(name));
  const parts = partsOf(model, gender, ageYears, cohort, own);
  const covariance = rows.mmul(ownCovariance(own, parts, rho, residual)).mmul(rows.transpose());
  const scale = covariance.diagonal().map((value) => 1 / Math.sqrt(value));
  return withError(covariance.mulRowVector(scale).mulColumnVector(scale));
}

/**
 * Correlations drawn in to `LARGEST_RHO` where two names are nearly one dimension, as error of
 * measuring either would: both names' correlations shrink by a factor, the diagonal stays.
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
 * The correlation matrix nearest to the given one, but for what `PROJECTIONS` leave: projections in
 * turn on the positive semi-definite matrices and on those with a unit diagonal, with Dykstra's
 * correction (Higham 2002, IMA J. Numer. Anal. 22:329), the last one scaled to a unit diagonal.
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
 * Correlations of the normal scores of all dimensions at the given ages, row by row as the artifact
 * holds them: `[((age · 2 + gender) · 148 + anchor) · 148 + linked]`.
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
    const parentOf = (name: string) => model.adults[gender].get(name)?.residual;
    agesYears.forEach((ageYears, a) => {
      const residual = evidence.at(gender, ageYears, parentOf);
      const matrix = correlationMatrix(model, gender, ageYears, residual);
      rho.set(matrix.to1DArray(), (a * genders.length + g) * SIZE * SIZE);
      progress();
    });
  });
  return rho;
}
