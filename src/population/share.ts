import type { Bodies, Cohort } from './bodies.js';
import { BoxPoints, boxProbability, choleskyInPlace } from './box-probability.js';
import type { ScoreLimits } from './limits.js';
import type { WeightedCohorts } from './market.js';
import { meanOf, REPETITIONS, shifts } from './repetitions.js';

/** Lattice points of one repetition: each cohort has one, the rest are shared by weight up to a limit. */
const POINTS = 6000;
const POINTS_MOST = 2048;

/** Share of people inside limits. */
export interface JointShare {
  readonly share: number;
  /** Half width of the 95 % interval of the share. */
  readonly error: number;
  /** Share inside the limits in each cohort. */
  readonly byCohort: Float64Array;
}

/**
 * Cholesky factors of the correlations of some quantities, one for each gender and age; each is
 * computed once.
 */
export class Factors {
  private readonly known = new Map<number, Float64Array>();

  constructor(
    private readonly bodies: Bodies,
    private readonly quantities: readonly number[],
  ) {}

  /** Factor of a cohort, n × n row by row. */
  of({ gender, ageYears }: Cohort): Float64Array {
    // Ages are below 1,024 years.
    const key = gender * 1024 + ageYears;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const { bodies, quantities } = this;
    const n = quantities.length;
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const [a, b] = [quantities[i] as number, quantities[j] as number];
        matrix[i * n + j] = bodies.rho(gender, ageYears, a, b);
      }
    }
    choleskyInPlace(matrix, n);
    this.known.set(key, matrix);
    return matrix;
  }
}

/** Cohorts of people who meet conditions. */
export interface CohortsMeeting extends WeightedCohorts {
  /** Share of each cohort that meets the conditions, 0 to 1; the weights are those of these people. */
  readonly kept?: Float64Array;
}

/**
 * Share of a population whose normal scores lie inside limits, under the normal copula of the artifact.
 * The share of each cohort is a box probability; every repetition shifts the lattice of every cohort.
 *
 * @param limits those of the conditions, if there are any, and more
 */
export function jointShare(
  { cohorts, weights, kept }: CohortsMeeting,
  factors: Factors,
  { quantities, low, high }: ScoreLimits,
): JointShare {
  const n = quantities.length;
  const byCohort = new Float64Array(cohorts.length);
  if (n === 0) return { share: 1, error: 0, byCohort: byCohort.fill(1) };
  const random = shifts(20_011);
  const shift = new Float64Array(n);
  const totals = new Float64Array(REPETITIONS);
  cohorts.forEach((cohort, c) => {
    const factor = factors.of(cohort);
    const [from, to] = [low.subarray(c * n, c * n + n), high.subarray(c * n, c * n + n)];
    const weight = weights[c] as number;
    const perPerson = weight / (kept?.[c] ?? 1);
    const points = Math.min(POINTS_MOST, 1 + Math.round(POINTS * weight));
    let sum = 0;
    for (let r = 0; r < REPETITIONS; r++) {
      for (let i = 0; i < n - 1; i++) shift[i] = random();
      const inside = boxProbability(factor, from, to, n, points, shift);
      totals[r] = (totals[r] as number) + perPerson * inside;
      sum += inside;
    }
    byCohort[c] = sum / REPETITIONS;
  });
  const { mean: share, error } = meanOf(totals);
  return { share, error: n === 1 ? 0 : error, byCohort };
}

/** People of the sample that finds who fails one limit alone, over all cohorts. */
const SAMPLE = 40_000;

/**
 * Share of a population that fails exactly one limit, for each limit. People are points of a shifted
 * lattice (Richtmyer 1951) inside the conditions, spread over the cohorts by weight.
 *
 * @param conditions limits that all of the people meet
 * @param limits of one quantity each
 */
export function soleFailures(
  bodies: Bodies,
  { cohorts, weights, kept }: CohortsMeeting,
  conditions: ScoreLimits,
  limits: readonly ScoreLimits[],
): Float64Array {
  const failures = new Float64Array(limits.length);
  const limited = limits.map(({ quantities }) => quantities[0] as number);
  const quantities = [...new Set([...conditions.quantities, ...limited])];
  const column = limited.map((quantity) => quantities.indexOf(quantity));
  const factors = new Factors(bodies, quantities);
  const source = new BoxPoints(quantities.length, conditions.quantities.length);
  const random = shifts(40_009);
  let total = 0;
  cohorts.forEach((cohort, c) => {
    const weight = weights[c] as number;
    const points = Math.max(1, Math.round(SAMPLE * weight));
    source.move(random);
    source.at(factors.of(cohort), conditions, c);
    const each = weight / points / (kept?.[c] ?? 1);
    for (let point = 1; point <= points; point++) {
      const share = each * source.draw(point);
      total += share;
      const alone = soleFailure(limits, column, c, source.scores);
      if (alone >= 0) failures[alone] = (failures[alone] as number) + share;
    }
  });
  return failures.map((share) => share / total);
}

/** Index of the only limit that a person fails; −1 if none or several. */
function soleFailure(
  limits: readonly ScoreLimits[],
  column: readonly number[],
  cohort: number,
  scores: Float64Array,
): number {
  let alone = -1;
  for (let i = 0; i < limits.length; i++) {
    const { low, high } = limits[i] as ScoreLimits;
    const score = scores[column[i] as number] as number;
    if (score >= (low[cohort] as number) && score <= (high[cohort] as number)) continue;
    if (alone >= 0) return -1;
    alone = i;
  }
  return alone;
}
