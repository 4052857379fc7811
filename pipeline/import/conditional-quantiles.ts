import type { DuckDBConnection } from '@duckdb/node-api';
import { flatGroup, pairs } from 'd3-array';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { sum } from '../numerics/numbers.js';
import { correlation, normalScores, quantileOf, type Scores } from '../numerics/weighted-ranks.js';
import { queryRows, quoteName } from './duck.js';
import type { Cell, OutputTable, TableColumn } from './importer.js';

/**
 * Smallest number of people of a bin that is written. Quantiles of fewer people are imprecise and could identify
 * persons.
 */
const MINIMUM_BIN = 100;

/** Edges of the anchor's bins, in percent of its distribution. The middles of the outer bins are P5 and P95. */
const EDGES = [0, 10, 30, 50, 70, 90, 100] as const;

/** Percentiles of distances from a regression. */
export const QUANTILES = [1, 2.5, 5, 10, 25, 50, 75, 90, 95, 97.5, 99] as const;

const COLUMNS: readonly TableColumn[] = [
  ['gender', 'Male or Female'],
  ['age_group', 'age group; `adult` is the whole survey'],
  ['anchor', 'dimension that is given'],
  ['linked', 'dimension that is asked for'],
  ['rho', 'correlation of the two normal scores over everyone with both'],
  ['low_pct', 'lower edge of the bin, percentile of the anchor'],
  ['high_pct', 'upper edge of the bin, percentile of the anchor'],
  ['anchor_z_mean', 'mean normal score of the anchor within the bin'],
  ['n', `people in the bin, at least ${MINIMUM_BIN}`],
  ['n_effective', 'effective number of people: (sum w)^2 / sum w^2'],
  ...QUANTILES.map(
    (q): TableColumn => [
      percentileName('q', q),
      `percentile ${q} within the bin of: score of linked - rho x score of anchor`,
    ],
  ),
];

/** Name of the column with a percentile, such as `q2_5`. */
export function percentileName(prefix: string, percentile: number): string {
  return `${prefix}${String(percentile).replace('.', '_')}`;
}

/** Rounds to three decimals of a normal score. This is finer than the survey's millimetres. */
function rounded(value: number): number {
  return Number(value.toFixed(3));
}

/** Rows for the bins of one pair, still without gender, age group and names. */
function pairRows(scores: Scores): Cell[][] {
  const { x, y, w } = scores;
  const rho = rounded(correlation(scores));
  const rows: Cell[][] = [];
  for (const [low, high] of pairs(EDGES)) {
    const from = low === 0 ? Number.NEGATIVE_INFINITY : zOfPercentile(low);
    const to = high === 100 ? Number.POSITIVE_INFINITY : zOfPercentile(high);
    const inside = x.flatMap((a, i) =>
      a < from || a >= to ? [] : [{ a, off: (y[i] as number) - rho * a, weight: w[i] as number }],
    );
    if (inside.length < MINIMUM_BIN) continue;
    inside.sort((p, q) => p.off - q.off);
    const weights = inside.map(({ weight }) => weight);
    const offs = inside.map(({ off }) => off);
    const quantiles = QUANTILES.map((q) => rounded(quantileOf(offs, q, weights)));
    const total = sum(weights);
    const zMean = rounded(sum(inside.map(({ a, weight }) => a * weight)) / total);
    const effective = Math.round(total ** 2 / sum(weights.map((weight) => weight ** 2)));
    rows.push([rho, low, high, zMean, inside.length, effective, ...quantiles]);
  }
  return rows;
}

interface Person {
  readonly weight: number;
  /** Score of each dimension among the people of the same gender and age group. */
  readonly scores: (number | undefined)[];
}

/** People of one gender and age group, from rows with a weight and the value of each dimension. */
function scored(rows: readonly Cell[][], dimensions: number): Person[] {
  const people = rows.map(
    ([weight]): Person => ({ weight: Number(weight), scores: new Array(dimensions) }),
  );
  for (let d = 0; d < dimensions; d++) {
    const having = [...rows.entries()].filter(([, row]) => row[d + 1] !== null);
    const values = having.map(([, row]) => Number(row[d + 1]));
    const weights = having.map(([, row]) => Number(row[0]));
    const scores = normalScores(values, weights);
    for (const [at, [i]] of having.entries()) (people[i] as Person).scores[d] = scores[at];
  }
  return people;
}

/** Scores of two dimensions, of the people who have both. */
function scoresOf(people: readonly Person[], a: number, b: number): Scores {
  const both = people.flatMap(({ scores: { [a]: x, [b]: y }, weight: w }) =>
    x === undefined || y === undefined ? [] : [{ x, y, w }],
  );
  return {
    x: both.map(({ x }) => x),
    y: both.map(({ y }) => y),
    w: both.map(({ w }) => w),
  };
}

/**
 * Computes `conditional_quantiles.csv` from the table `people`: the spread of one dimension within bins of another. An
 * evaluation uses it to score conditional ranges on a survey that was not fitted. Both dimensions become normal scores
 * by weighted rank within gender and age group, so the survey's own marginals do not matter. For each bin, the table
 * has eleven quantiles of the distances from the line rho × anchor. These are statistics of at least a hundred people;
 * no person's score is written.
 *
 * @param dimensions each pair of them is written once; the two take turns as the anchor along the list
 */
export async function conditionalQuantiles(
  connection: DuckDBConnection,
  dimensions: readonly string[],
): Promise<OutputTable> {
  const fields = dimensions.map(quoteName).join(', ');
  const found = await queryRows(
    connection,
    `SELECT gender, age_group, sample_weight, ${fields} FROM people
     ORDER BY gender, age_group, row_id`,
  );
  const rows: Cell[][] = [];
  for (const group of flatGroup(
    found,
    ([gender]) => gender,
    ([, ageGroup]) => ageGroup,
  )) {
    const [gender, ageGroup, ofGroup] = group;
    const people = scored(
      ofGroup.map((row) => row.slice(2)),
      dimensions.length,
    );
    for (const [i, a] of dimensions.entries()) {
      for (const [j, b] of dimensions.entries()) {
        if (j <= i) continue;
        const swap = (i + j) % 2 === 1;
        const [anchor, linked] = swap ? [b, a] : [a, b];
        const bins = pairRows(swap ? scoresOf(people, j, i) : scoresOf(people, i, j));
        rows.push(...bins.map((bin) => [String(gender), String(ageGroup), anchor, linked, ...bin]));
      }
    }
  }
  return { file: 'conditional_quantiles.csv', columns: COLUMNS, rows };
}
