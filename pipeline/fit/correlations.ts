import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { parseFormula } from '../model/combination.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import type { CorrelationEvidence, PairResidual } from './correlation-evidence.js';
import { countryDrivers, type FittedModel, Population } from './population.js';

/** Correlation of a name with another of the same dimension: both are measured with error. */
const SAME_DIMENSION = 0.995;
/** Rounds of projection: more of them change no correlation by 0.01. */
const PROJECTIONS = 3;
const SIZE = MEASUREMENT_NAMES.length;

/** Names that have a model of their own; the others are another name or a sum of these. */
const OWN = MEASUREMENT_NAMES.filter(
  (name) => DIMENSION_PLAN[name].basis.kind !== 'alias' && !DIMENSION_PLAN[name].identity,
);

/** SDs of ln D that stature, BMI and the residual each bring about. */
interface Parts {
  readonly stature: number;
  readonly bmi: number;
  readonly residual: number;
}

/** What varies in a dimension in the US population at an age; undefined without a model. */
function partsOf(model: FittedModel, gender: Gender, ageYears: number): (Parts | undefined)[] {
  const drivers = countryDrivers(model, gender, 'US', ageYears);
  return OWN.map((name) => {
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
}

/** Covariances of ln D of the names in `OWN`, made positive semi-definite. */
function ownCovariance(
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
      (left === 0 ? 0 : left * residual(OWN[i] as string, OWN[j] as string))
    );
  };
  const sds = parts.map((_, i) => Math.sqrt(covariance(i, i)));
  const near = nearestCorrelation(
    OWN.length,
    (i, j) => covariance(i, j) / ((sds[i] as number) * (sds[j] as number)),
  );
  return near.mulRowVector(sds).mulColumnVector(sds);
}

/**
 * Rows that turn covariances of the names in `OWN` into those of all: another name of a dimension is
 * that dimension, a sum or difference varies with its parts: d ln D = Σ (c_k M_k ÷ M) d ln D_k for
 * D = Σ c_k D_k with medians M.
 */
function derivation(medianMm: (name: MeasurementName) => number): Matrix {
  const rows = new Map<MeasurementName, number[]>();
  const compute = (name: MeasurementName): number[] => {
    const { basis, identity } = DIMENSION_PLAN[name];
    if (identity !== undefined) {
      const row = new Array<number>(OWN.length).fill(0);
      for (const { coefficient, of } of parseFormula(identity)) {
        if (of === undefined) continue;
        const weight = (coefficient * medianMm(of)) / medianMm(name);
        rowOf(of).forEach((value, k) => {
          row[k] = (row[k] as number) + weight * value;
        });
      }
      return row;
    }
    if (basis.kind === 'alias') return rowOf(basis.of);
    return OWN.map((own) => (own === name ? 1 : 0));
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
  const own = ownCovariance(partsOf(model, gender, ageYears), rho, residual);
  const cohort = new Population(model, gender, 'US').at(ageYears);
  const derive = derivation((name) => cohort.medianMm(name));
  const covariance = derive.mmul(own).mmul(derive.transpose());
  // What is not measuring error: less than all of it where two names share one dimension.
  const trueShares = covariance.diagonal().map((variance, i) => {
    const alias = DIMENSION_PLAN[MEASUREMENT_NAMES[i] as MeasurementName].basis.kind === 'alias';
    return (alias ? SAME_DIMENSION : 1) / Math.sqrt(variance);
  });
  const result = covariance.mulRowVector(trueShares).mulColumnVector(trueShares);
  for (let i = 0; i < SIZE; i++) result.set(i, i, 1);
  return result;
}

/** The matrix with its negative eigenvalues set to 0. */
function withoutNegative(matrix: Matrix): Matrix {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(matrix, {
    assumeSymmetric: true,
  });
  const roots = realEigenvalues.map((value) => Math.sqrt(Math.max(0, value)));
  const factor = eigenvectorMatrix.mulRowVector(roots);
  return factor.mmul(factor.transpose());
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
