import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { curveInverse, curveValue, percentileOfZ } from '../lookup/cell.js';
import { Z_COUNT, Z_FIRST, Z_STEP } from '../lookup/format.js';
import { BoxPoints, shifts } from './box-probability.js';
import { Factors, type KeptPeople } from './limits.js';
import { type Cohort, CohortCurves, type Profiles } from './people-model.js';

/** People of a lattice who meet conditions. */
interface LatticePeople {
  readonly count: number;
  /** Values of each quantity in mm, kg/m² or kg. Each array has `count` values. */
  readonly values: readonly Float64Array[];
  /** Share of the population that each person represents. The shares sum to 1. */
  readonly weights: Float64Array;
  /** Index of the cohort of each person. */
  readonly cohort: Int32Array;
}

/**
 * Makes people of a population with a few quantities, under the normal copula of the artifact. Their cohorts are at
 * equal steps of the cumulative weight. Their scores are points of a shifted lattice (Richtmyer 1951) inside the
 * conditions. Shares of these people therefore have smaller errors than shares of randomly drawn people, and their
 * number is exact.
 *
 * @param quantities all different; together with those of the conditions at most `BOX_VARIABLES_MAX`
 * @param profiles of the values
 * @param count number of people
 * @param seed lattices of two seeds are independent
 * @throws Error for a quantity without a model in a cohort
 */
export function latticePeople(
  { peopleModel, cohorts, weights, kept, conditions }: KeptPeople,
  quantities: readonly number[],
  profiles: Profiles,
  count: number,
  seed: number,
): LatticePeople {
  const limited = conditions.quantities;
  const all = [...new Set([...limited, ...quantities])];
  const column = quantities.map((quantity) => all.indexOf(quantity));
  const factors = new Factors(peopleModel, all);
  const source = new BoxPoints(all.length, limited.length);
  source.move(shifts(seed));
  const values = quantities.map(() => new Float64Array(count));
  const shares = new Float64Array(count);
  const cohort = new Int32Array(count);
  const curves = new CohortCurves(peopleModel, profiles);
  let [point, reached, total] = [0, 0, 0];
  cohorts.forEach((one: Cohort, c) => {
    reached += weights[c];
    const last = c + 1 === cohorts.length;
    const from = point;
    while (point < count && (last || (point + 0.5) / count <= reached)) point++;
    if (point === from) return;
    source.at(factors.of(one), conditions, c);
    curves.at(one);
    for (let i = from; i < point; i++) {
      cohort[i] = c;
      shares[i] = source.draw(i + 1) / kept[c];
      total += shares[i];
      quantities.forEach((quantity, q) => {
        const knots = curves.of(quantity);
        if (knots === undefined) throw new Error(`no model of ${peopleModel.names[quantity]}`);
        const score = source.scores[column[q]];
        (values[q] as Float64Array)[i] = curveValue(knots, score);
      });
    }
  });
  return { count, values, weights: shares.map((share) => share / total), cohort };
}

/**
 * Knots beyond these scores are extrapolated linearly from the two outermost other knots, because few people are there.
 */
const SAMPLED_Z = 3;

/** The normal scores of a few quantities over a whole population, and their principal components. */
export interface ScoreSpace {
  /** Quantile curve of each quantity over the population, `Z_COUNT` knots. */
  readonly curves: readonly Float64Array[];
  /** Principal components, the longest first. Each is given by the scores at one standard deviation. */
  readonly components: readonly Float64Array[];
  /** For each quantity, the scores of the point at distance 1 where this quantity is largest. */
  readonly tops: readonly Float64Array[];
}

/**
 * Principal components of the normal scores of a population (Bittner 2000, A-CADRE, Proc. Human Factors and Ergonomics
 * Society 44:276; HFES 300 Committee 2004, Guidelines for Using Anthropometric Data in Product Design). A score
 * expresses the percentile of a value among all people of the population. Mixed populations therefore have round clouds
 * of scores.
 */
export function scoreSpace({ values, weights }: LatticePeople): ScoreSpace {
  const curves = values.map((column) => populationCurve(column, weights));
  const scores = values.map((column, j) => column.map((value) => curveInverse(curves[j], value)));
  const k = values.length;
  const rho = new Matrix(k, k);
  for (let a = 0; a < k; a++) {
    for (let b = 0; b <= a; b++) {
      const [one, other] = [scores[a] as Float64Array, scores[b] as Float64Array];
      const value = a === b ? 1 : correlation(one, other, weights);
      rho.set(a, b, value);
      rho.set(b, a, value);
    }
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(rho, {
    assumeSymmetric: true,
  });
  const order = realEigenvalues.map((_, i) => i);
  order.sort((a, b) => realEigenvalues[b] - realEigenvalues[a]);
  const components = order.map((i) => {
    const length = Math.sqrt(Math.max(0, realEigenvalues[i]));
    const vector = eigenvectorMatrix.getColumn(i).map((weight) => weight * length);
    const strongest = vector.reduce((a, b) => (Math.abs(b) > Math.abs(a) + 1e-9 ? b : a), 0);
    return Float64Array.from(vector, (weight) => weight * (strongest < 0 ? -1 : 1));
  });
  return { curves, components, tops: rho.to2DArray().map((row) => Float64Array.from(row)) };
}

/** Quantiles of sampled values at the knots of a quantile curve. */
function populationCurve(values: Float64Array, weights: Float64Array): Float64Array {
  const order = Int32Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  /** Share of the people below each value, plus half of the people with this value. */
  const places = new Float64Array(order.length);
  let reached = 0;
  order.forEach((i, rank) => {
    places[rank] = reached + weights[i] / 2;
    reached += weights[i];
  });
  const knots = new Float64Array(Z_COUNT);
  const valueAt = (rank: number): number => values[order[rank]];
  const quantile = (z: number): number => {
    const place = percentileOfZ(z) / 100;
    let above = 0;
    while (above < order.length && places[above] < place) above++;
    if (above === 0) return valueAt(0);
    if (above === order.length) return valueAt(above - 1);
    const [from, to] = [places[above - 1], places[above]];
    const below = valueAt(above - 1);
    return below + ((place - from) / (to - from)) * (valueAt(above) - below);
  };
  const inner = SAMPLED_Z - 2 * Z_STEP;
  const ends = [-1, 1].map((side) => {
    const end = quantile(side * SAMPLED_Z);
    return { end, slope: (end - quantile(side * inner)) / (side * (SAMPLED_Z - inner)) };
  });
  for (let i = 0; i < Z_COUNT; i++) {
    const z = Z_FIRST + i * Z_STEP;
    const { end, slope } = ends[z < 0 ? 0 : 1];
    const beyond = Math.abs(z) - SAMPLED_Z;
    knots[i] = beyond > 0 ? end + slope * beyond * Math.sign(z) : quantile(z);
  }
  return knots;
}

function correlation(a: Float64Array, b: Float64Array, weights: Float64Array): number {
  const mean = (values: Float64Array): number =>
    values.reduce((sum, value, i) => sum + weights[i] * value, 0);
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  weights.forEach((weight, i) => {
    const [da, db] = [a[i] - meanA, b[i] - meanB];
    ab += weight * da * db;
    aa += weight * da * da;
    bb += weight * db * db;
  });
  return ab / Math.sqrt(aa * bb);
}
