import { Matrix, solve } from 'ml-matrix';
import { sum } from '../numerics/numbers.js';
import { quantileOf } from '../numerics/weighted-ranks.js';
import {
  ANCHOR_SETS,
  type AnchorSet,
  COMPLETED_NAMES,
  limitSets,
  PERSON_NAMES,
  type PercentileLimit,
  type RangeDesign,
  rangeDesigns,
  SET_SIZES,
} from '../plans/limit-sets.js';
import { percentileName, QUANTILES } from './conditional-quantiles.js';
import type { Cell, OutputTable, TableColumn } from './importer.js';
import type { PersonScores } from './person-scores.js';
import { MINIMUM_CELL } from './statistics.js';

const GENDER = ['gender', 'Male or Female'] as const;
const PEOPLE = ['n', 'people who have all quantities (unweighted)'] as const;

/** The tails of the ranges are written for these shares of people outside, in percent. */
const OUTSIDE_PCT = [2, 3, 4, 4.5, 5, 5.5, 6, 7, 8] as const;

const digits = (value: number, decimals: number): number => Number(value.toFixed(decimals));
const ranksIn = ({ ranks }: PersonScores, name: string): Float64Array =>
  ranks.get(name) as Float64Array;
const scoresIn = ({ scores }: PersonScores, name: string): Float64Array =>
  scores.get(name) as Float64Array;

/** Number of people who meet all limits. */
export function countInside(people: PersonScores, limits: readonly PercentileLimit[]): number {
  let inside = 0;
  for (let i = 0; i < people.n; i++) {
    const meets = limits.every(({ name, low = 0, high = 100 }) => {
      const percentile = 100 * (ranksIn(people, name)[i] as number);
      return percentile >= low && percentile <= high;
    });
    if (meets) inside += 1;
  }
  return inside;
}

/** Computes `joint_shares.csv`: shares of people who meet the random sets of limits. */
export function jointShares(groups: readonly PersonScores[]): OutputTable {
  const rows: Cell[][] = [];
  for (const people of groups) {
    for (const size of SET_SIZES) {
      limitSets(size).forEach((limits, set) => {
        const inside = countInside(people, limits);
        if (Math.min(inside, people.n - inside) < MINIMUM_CELL) return;
        rows.push([people.gender, size, set, people.n, digits(inside / people.n, 5)]);
      });
    }
  }
  const columns: readonly TableColumn[] = [
    GENDER,
    ['size', 'quantities in the set'],
    ['set', 'number of the set of that size, from 0 (`pipeline/plans/limit-sets.ts`)'],
    PEOPLE,
    ['share', `share who meet all limits; ${MINIMUM_CELL} people or more are inside and outside`],
  ];
  return { file: 'joint_shares.csv', columns, rows };
}

/**
 * For each person, the largest tail probability at which the ranges of a design contain the person. It is the distance
 * of the person from the nearest limited end.
 */
function tailsOf(people: PersonScores, design: RangeDesign): number[] {
  return Array.from({ length: people.n }, (_, i) =>
    Math.min(
      ...design.map(({ name, side }) => {
        const rank = ranksIn(people, name)[i] as number;
        return Math.min(side === 'max' ? 1 : rank, side === 'min' ? 1 : 1 - rank);
      }),
    ),
  );
}

/** Computes `range_tails.csv`: how far the ranges of random designs must reach to contain most people. */
export function rangeTails(groups: readonly PersonScores[]): OutputTable {
  const designs = rangeDesigns();
  const rows = groups.flatMap((people) =>
    designs.map((design, index): Cell[] => {
      const tails = tailsOf(people, design).sort((a, b) => a - b);
      const found = OUTSIDE_PCT.map((outside) => digits(quantileOf(tails, outside), 6));
      return [people.gender, index, design.length, people.n, ...found];
    }),
  );
  const columns: readonly TableColumn[] = [
    GENDER,
    ['design', 'number of the design, from 0 (`pipeline/plans/limit-sets.ts`)'],
    ['size', 'quantities in the design'],
    PEOPLE,
    ...OUTSIDE_PCT.map(
      (outside): TableColumn => [
        percentileName('t', outside),
        `probability beyond each limited end at which ${outside} % of the people are outside`,
      ],
    ),
  ];
  return { file: 'range_tails.csv', columns, rows };
}

/** Correlation matrix of scores, in the order of the names. */
export function scoreMatrix(people: PersonScores, names: readonly string[]): Matrix {
  const columns = names.map((name) => {
    const scores = scoresIn(people, name);
    const length = Math.sqrt(scores.reduce((sum, z) => sum + z * z, 0));
    return Array.from(scores, (z) => z / length);
  });
  const matrix = new Matrix(columns);
  return matrix.mmul(matrix.transpose());
}

/** Computes `score_correlations.csv`: correlations of the normal scores of all quantities. */
export function scoreCorrelations(groups: readonly PersonScores[]): OutputTable {
  const rows: Cell[][] = [];
  for (const people of groups) {
    const matrix = scoreMatrix(people, PERSON_NAMES);
    PERSON_NAMES.forEach((a, i) => {
      PERSON_NAMES.slice(i + 1).forEach((b, after) => {
        rows.push([people.gender, a, b, people.n, digits(matrix.get(i, i + 1 + after), 5)]);
      });
    });
  }
  const columns: readonly TableColumn[] = [
    GENDER,
    ['a', 'quantity'],
    ['b', 'another quantity'],
    PEOPLE,
    ['rho', 'correlation of the two normal scores'],
  ];
  return { file: 'score_correlations.csv', columns, rows };
}

function residualRows(people: PersonScores, set: AnchorSet): Cell[][] {
  const anchors = ANCHOR_SETS[set];
  return COMPLETED_NAMES.map((name) => {
    const matrix = scoreMatrix(people, [...anchors, name]);
    const k = anchors.length;
    const weights = solve(
      matrix.subMatrix(0, k - 1, 0, k - 1),
      matrix.subMatrix(0, k - 1, k, k),
    ).to1DArray();
    const residuals = Array.from(scoresIn(people, name), (score, i) =>
      anchors.reduce(
        (left, anchor, a) =>
          left - (weights[a] as number) * (scoresIn(people, anchor)[i] as number),
        score,
      ),
    ).sort((a, b) => a - b);
    const meanOf = (of: (x: number) => number): number => sum(residuals.map(of)) / people.n;
    const figures = [Math.sqrt(meanOf((x) => x * x)), meanOf(Math.abs)].concat(
      QUANTILES.map((q) => quantileOf(residuals, q)),
    );
    return [people.gender, set, name, people.n, ...figures.map((figure) => digits(figure, 4))];
  });
}

/**
 * Computes `completion_residuals.csv`: distances of people from a linear regression of a dimension on the known
 * quantities. The regression is that of the survey itself. All values are normal scores.
 */
export function completionResiduals(groups: readonly PersonScores[]): OutputTable {
  const rows = groups.flatMap((people) =>
    (['eight', 'two'] as const).flatMap((set) => residualRows(people, set)),
  );
  const columns: readonly TableColumn[] = [
    GENDER,
    ['anchors', 'known quantities: `eight` or `two` (`pipeline/plans/limit-sets.ts`)'],
    ['dimension', 'dimension that is completed'],
    PEOPLE,
    ['sd', 'root mean square of the distances, normal scores'],
    ['mean_abs', 'mean absolute distance'],
    ...QUANTILES.map(
      (q): TableColumn => [percentileName('q', q), `percentile ${q} of the distances`],
    ),
  ];
  return { file: 'completion_residuals.csv', columns, rows };
}
