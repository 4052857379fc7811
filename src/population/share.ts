import type { Bodies, Cohort } from './bodies.js';
import { boxProbability, choleskyInPlace, latticeScores } from './box-probability.js';
import { type Limit, type ScoreLimits, scoreLimits } from './limits.js';
import type { Market } from './market.js';

/** Independent repetitions of the integration; their spread is the numerical error. */
const REPETITIONS = 8;
/** 97.5th percentile of Student's t with 7 degrees of freedom (Abramowitz and Stegun 1964, 26.7). */
export const T_QUANTILE = 2.365;
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
  private readonly known = new Map<string, Float64Array>();

  constructor(
    private readonly bodies: Bodies,
    private readonly quantities: readonly number[],
  ) {}

  /** Factor of a cohort, n × n row by row. */
  of({ gender, ageYears }: Cohort): Float64Array {
    const key = `${gender}|${ageYears}`;
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

/** Numbers between 0 and 1 that are the same in every run (Park and Miller 1988, Comm. ACM 31:1192). */
export function shifts(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * Share of a population whose normal scores lie inside limits, under the normal copula of the artifact.
 * The share of each cohort is a box probability; every repetition shifts the lattice of every cohort.
 */
export function jointShare(
  market: Pick<Market, 'cohorts' | 'weights'>,
  factors: Factors,
  { quantities, low, high }: ScoreLimits,
): JointShare {
  const n = quantities.length;
  const { cohorts, weights } = market;
  const byCohort = new Float64Array(cohorts.length);
  if (n === 0) return { share: 1, error: 0, byCohort: byCohort.fill(1) };
  const random = shifts(20_011);
  const shift = new Float64Array(n);
  const totals = new Float64Array(REPETITIONS);
  cohorts.forEach((cohort, c) => {
    const factor = factors.of(cohort);
    const [from, to] = [low.subarray(c * n, c * n + n), high.subarray(c * n, c * n + n)];
    const points = Math.min(POINTS_MOST, 1 + Math.round(POINTS * (weights[c] as number)));
    let sum = 0;
    for (let r = 0; r < REPETITIONS; r++) {
      for (let i = 0; i < n - 1; i++) shift[i] = random();
      const inside = boxProbability(factor, from, to, n, points, shift);
      totals[r] = (totals[r] as number) + (weights[c] as number) * inside;
      sum += inside;
    }
    byCohort[c] = sum / REPETITIONS;
  });
  const share = totals.reduce((sum, total) => sum + total, 0) / REPETITIONS;
  const variance = totals.reduce((sum, total) => sum + (total - share) ** 2, 0) / (REPETITIONS - 1);
  const error = n === 1 ? 0 : T_QUANTILE * Math.sqrt(variance / REPETITIONS);
  return { share, error, byCohort };
}

/** People of the sample that finds who fails one limit alone, over all cohorts. */
const SAMPLE = 40_000;

/**
 * Share of a population that meets conditions and fails exactly one limit, for each limit. People are
 * points of a shifted lattice (Richtmyer 1951), spread over the cohorts by weight.
 *
 * @returns shares of the whole population before the conditions
 */
export function soleFailures(
  bodies: Bodies,
  market: Pick<Market, 'cohorts' | 'weights'>,
  keep: readonly Limit[],
  limits: readonly Limit[],
): Float64Array {
  const failures = new Float64Array(limits.length);
  const all = [...keep, ...limits];
  const each = all.map((limit) => scoreLimits(bodies, market, [limit]));
  const quantities = [...new Set(all.map(({ quantity }) => quantity))];
  const n = quantities.length;
  const column = all.map(({ quantity }) => quantities.indexOf(quantity));
  const factors = new Factors(bodies, quantities);
  const scores = new Float64Array(n);
  const place = new Float64Array(n);
  const random = shifts(40_009);
  market.cohorts.forEach((cohort, c) => {
    const weight = market.weights[c] as number;
    const points = Math.max(1, Math.round(SAMPLE * weight));
    const factor = factors.of(cohort);
    for (let i = 0; i < n; i++) place[i] = random();
    for (let point = 1; point <= points; point++) {
      latticeScores(factor, place, point, scores);
      const alone = soleFailure(each, column, c, scores, keep.length);
      if (alone >= 0) failures[alone] = (failures[alone] as number) + weight / points;
    }
  });
  return failures;
}

/** Index of the only limit that a person fails; −1 if none, several or a condition fails. */
function soleFailure(
  each: readonly ScoreLimits[],
  column: readonly number[],
  cohort: number,
  scores: Float64Array,
  conditions: number,
): number {
  let alone = -1;
  for (let i = 0; i < each.length; i++) {
    const { low, high } = each[i] as ScoreLimits;
    const score = scores[column[i] as number] as number;
    if (score >= (low[cohort] as number) && score <= (high[cohort] as number)) continue;
    if (i < conditions || alone >= 0) return -1;
    alone = i - conditions;
  }
  return alone;
}
