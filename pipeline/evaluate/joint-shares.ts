import type { Gender } from '../../src/core/genders.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { choleskyInPlace, lowerTriangle } from '../../src/numerics/numerics.js';
import { boxProbability } from '../../src/population/box-probability.js';
import {
  limitSets,
  type PercentileLimit,
  type RangeDesign,
  rangeDesigns,
  SET_SIZES,
  uniformNumbers,
} from '../plans/limit-sets.js';
import type { RawTables } from '../raw-tables/raw-tables.js';

/** The two surveys whose persons are judged. Each is judged with the correlations of the other. */
export const PERSON_SURVEYS = [
  { name: 'ANSUR I', source: 'ansur1-persons', correlations: 'ansur2-persons' },
  { name: 'ANSUR II', source: 'ansur2-persons', correlations: 'ansur1-persons' },
] as const;
/** Name of a survey whose persons are judged. */
export type PersonSurvey = (typeof PERSON_SURVEYS)[number]['name'];

/** Correlation of the normal scores of two quantities. */
export type ScoreRho = (gender: Gender, a: string, b: string) => number;

/** Error of the predicted share of people who meet one set of limits. */
export interface JointShare {
  readonly survey: PersonSurvey;
  readonly gender: Gender;
  /** Quantities in the set. */
  readonly size: number;
  /** Predicted with the correlations of the other survey − counted, percentage points. */
  readonly points: number;
}

/** Share that ranges are designed for. */
const DESIGNED_SHARE = 0.95;

/** Lattice points of a box. The numerical error is 0.06 percentage points on average. */
const POINTS = 500;
/**
 * Lattice points for designing ranges. The numerical error of the share is 0.02 percentage points on average, and 0.2
 * if some quantities nearly determine others.
 */
const DESIGN_POINTS = 2500;
/** The search for a design ends at this error of its share. */
const SETTLED = 5e-5;
const SHIFT_SEED = 1992;

/**
 * Reads the correlations of normal scores of a survey’s persons (`score_correlations.csv`).
 *
 * @returns a function that throws for a pair without a correlation
 */
export async function readScoreRho(tables: RawTables, source: string): Promise<ScoreRho> {
  const known = new Map<string, number>();
  for (const row of await tables.rows(source, 'score_correlations', 'gender, a, b')) {
    known.set(`${row.gender}|${row.a}|${row.b}`, Number(row.rho));
    known.set(`${row.gender}|${row.b}|${row.a}`, Number(row.rho));
  }
  return (gender, a, b) => {
    const rho = a === b ? 1 : known.get(`${gender}|${a}|${b}`);
    if (rho === undefined) throw new Error(`${source} has no correlation of ${a} and ${b}`);
    return rho;
  };
}

/** Percent of the people inside one limit. */
const widthOf = ({ low = 0, high = 100 }: PercentileLimit): number => high - low;

/**
 * Probability that a person meets all limits under a normal copula, computed as in `population_share` (Genz 1992). The
 * marginals do not matter, because limits are percentiles.
 *
 * @param rho correlation of the normal scores of two quantities
 * @param points lattice points
 */
export function predictedShare(
  limits: readonly PercentileLimit[],
  rho: (a: string, b: string) => number,
  points = POINTS,
): number {
  const limited = limits
    .filter(({ low, high }) => low !== undefined || high !== undefined)
    // The narrowest limits come first. This order halves the numerical error (Genz and Bretz 2009, 4.1.3).
    .sort((a, b) => widthOf(a) - widthOf(b));
  const n = limited.length;
  if (n === 0) return 1;
  const nameAt = (i: number) => limited[i].name;
  const factor = lowerTriangle(n, (i, j) => rho(nameAt(i), nameAt(j)));
  choleskyInPlace(factor, n);
  const from = ({ low }: PercentileLimit): number =>
    low === undefined ? Number.NEGATIVE_INFINITY : zOfPercentile(low);
  const to = ({ high }: PercentileLimit): number =>
    high === undefined ? Number.POSITIVE_INFINITY : zOfPercentile(high);
  const random = uniformNumbers(SHIFT_SEED);
  const [low, high, shift] = [limited.map(from), limited.map(to), limited.map(random)].map(
    (values) => Float64Array.from(values),
  ) as [Float64Array, Float64Array, Float64Array];
  return boxProbability(factor, low, high, n, points, shift);
}

/** The limits of a design. Every limited side has the same tail probability (0 to 0.5). */
function limitsOf(design: RangeDesign, tail: number): PercentileLimit[] {
  return design.map(({ name, side }) => ({
    name,
    low: side === 'max' ? undefined : 100 * tail,
    high: side === 'min' ? undefined : 100 * (1 - tail),
  }));
}

/**
 * Finds the tail probability at which the limits of a design hold 95 % of the people. All limited sides have the
 * same tail. The share outside is nearly proportional to the tail, so the search multiplies the tail by the ratio of
 * wanted to found share outside.
 */
export function designedTail(design: RangeDesign, rho: (a: string, b: string) => number): number {
  const outsideAt = (tail: number): number =>
    1 - predictedShare(limitsOf(design, tail), rho, DESIGN_POINTS);
  const sides = design.reduce((sum, { side }) => sum + (side === 'both' ? 2 : 1), 0);
  const wanted = 1 - DESIGNED_SHARE;
  let tail = wanted / Math.sqrt(sides);
  for (let round = 0; round < 30; round++) {
    const outside = outsideAt(tail);
    tail = Math.min(0.49, (tail * wanted) / outside);
    if (Math.abs(outside - wanted) < SETTLED) break;
  }
  return tail;
}

/**
 * Share of people inside at a tail probability. The share is linear between the tails of a row of `range_tails.csv`,
 * and beyond them.
 *
 * @param tails tail probabilities, rising
 * @param outsidePct percent of the people outside at each tail
 */
export function shareAtTail(
  tails: readonly number[],
  outsidePct: readonly number[],
  tail: number,
): number {
  let i = 0;
  while (i < tails.length - 2 && tails[i + 1] <= tail) i++;
  const [a, b] = [tails[i], tails[i + 1]];
  const [p, q] = [outsidePct[i], outsidePct[i + 1]];
  return 1 - (p + ((q - p) * (tail - a)) / Math.max(b - a, 1e-9)) / 100;
}

/** Predicts shares of people who meet the random sets of limits, and compares them with both surveys’ persons. */
export async function scoreJointShares(tables: RawTables): Promise<JointShare[]> {
  const sets = new Map(SET_SIZES.map((size) => [size as number, limitSets(size)] as const));
  const found: JointShare[] = [];
  for (const { name: survey, source, correlations } of PERSON_SURVEYS) {
    const rho = await readScoreRho(tables, correlations);
    for (const row of await tables.rows(source, 'joint_shares', 'gender, size, "set"')) {
      const [gender, size] = [row.gender as Gender, Number(row.size)];
      const limits = sets.get(size)?.[Number(row.set)];
      if (limits === undefined) throw new Error(`${source} has an unknown set of limits`);
      const predicted = predictedShare(limits, (a, b) => rho(gender, a, b));
      found.push({ survey, gender, size, points: 100 * (predicted - Number(row.share)) });
    }
  }
  return found;
}

/** Matches a column of `range_tails.csv`. Its number is the percent of people outside. */
const TAIL_COLUMN = /^t(\d+(?:_\d+)?)$/;

/** Shares of the persons of ANSUR I inside ranges for 95 % of them. They are designed with the correlations of ANSUR II. */
export async function scoreDesignedRanges(tables: RawTables): Promise<number[]> {
  const [{ source, correlations }] = PERSON_SURVEYS;
  const designs = rangeDesigns();
  const rho = await readScoreRho(tables, correlations);
  const rows = await tables.rows(source, 'range_tails', 'gender, design');
  return rows.map((row) => {
    const gender = row.gender as Gender;
    const design = designs[Number(row.design)];
    if (design === undefined) throw new Error(`${source} has an unknown design of ranges`);
    const columns = Object.keys(row).filter((name) => TAIL_COLUMN.test(name));
    const tail = designedTail(design, (a, b) => rho(gender, a, b));
    return shareAtTail(
      columns.map((name) => Number(row[name])),
      columns.map((name) => Number(name.slice(1).replace('_', '.'))),
      tail,
    );
  });
}
