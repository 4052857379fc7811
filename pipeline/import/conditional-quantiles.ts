import type { DuckDBConnection } from '@duckdb/node-api';
import { groups } from 'd3-array';
import { zOfPercentile } from '../../src/lookup/cell.js';
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
  ['age_group', 'people pooled; `adult` is the whole survey'],
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

/** Sum of values. */
export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/**
 * Normal scores of weighted mid-ranks: z of (weight below a value + half the weight at the value) ÷ total weight. Equal
 * values have equal scores. Without weights, the score is z of (rank − 1/2) ÷ n.
 */
export function normalScores(
  values: readonly number[],
  weights: readonly number[] = values.map(() => 1),
): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const scores = new Array<number>(values.length).fill(0);
  const total = sum(weights);
  let [from, below] = [0, 0];
  while (from < order.length) {
    let to = from + 1;
    while (to < order.length && order[to]?.value === order[from]?.value) to += 1;
    const alike = order.slice(from, to);
    const weight = sum(alike.map(({ index }) => weights[index] ?? 0));
    const score = zOfPercentile((100 * (below + weight / 2)) / total);
    for (const { index } of alike) scores[index] = score;
    below += weight;
    from = to;
  }
  return scores;
}

/** Percentile of sorted values. It is interpolated between the middles of their weights. */
export function quantileOf(
  sorted: readonly number[],
  percentile: number,
  weights: readonly number[] = sorted.map(() => 1),
): number {
  const at = (percentile / 100) * sum(weights);
  let [below, i] = [0, 0];
  while (i < sorted.length && below + (weights[i] ?? 0) / 2 <= at) {
    below += weights[i] ?? 0;
    i += 1;
  }
  if (i === 0 || i === sorted.length) return sorted[Math.max(0, i - 1)] ?? Number.NaN;
  const [before, after] = [sorted[i - 1] ?? Number.NaN, sorted[i] ?? Number.NaN];
  const [wb, wa] = [weights[i - 1] ?? 0, weights[i] ?? 0];
  const middle = below - wb / 2;
  return before + ((at - middle) / ((wa + wb) / 2)) * (after - before);
}

/** Scores of two dimensions and the weights of the people who have both. */
interface Scores {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly w: readonly number[];
}

function correlation({ x, y, w }: Scores): number {
  const total = sum(w);
  const mean = (v: readonly number[]): number => sum(v.map((a, i) => a * (w[i] ?? 0))) / total;
  const [mx, my] = [mean(x), mean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  w.forEach((weight, i) => {
    const [a, b] = [(x[i] ?? 0) - mx, (y[i] ?? 0) - my];
    xx += weight * a * a;
    xy += weight * a * b;
    yy += weight * b * b;
  });
  return xy / Math.sqrt(xx * yy);
}

/** Rows for the bins of one pair, still without gender, age group and names. */
function pairRows(scores: Scores): Cell[][] {
  const { x, y, w } = scores;
  const rho = rounded(correlation(scores));
  const rows: Cell[][] = [];
  for (const [index, low] of EDGES.slice(0, -1).entries()) {
    const high = EDGES[index + 1] ?? 100;
    const from = low === 0 ? Number.NEGATIVE_INFINITY : zOfPercentile(low);
    const to = high === 100 ? Number.POSITIVE_INFINITY : zOfPercentile(high);
    const inside = x.flatMap((a, i) =>
      a < from || a >= to ? [] : [{ a, off: (y[i] ?? 0) - rho * a, weight: w[i] ?? 0 }],
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

/** Band of an age group. The age groups of a band share bins. If undefined, the age group is left out. */
type BandOf = (ageGroup: string) => string | undefined;

interface Person {
  readonly band: string;
  readonly weight: number;
  /** Score of each dimension among the people of the same gender and age group. */
  readonly scores: (number | undefined)[];
}

function scored(rows: readonly Cell[][], dimensions: number, bandOf: BandOf): Person[] {
  return groups(rows, ([ageGroup]) => String(ageGroup)).flatMap(([ageGroup, members]) => {
    const band = bandOf(ageGroup);
    if (band === undefined) return [];
    const people = members.map(
      (row): Person => ({ band, weight: Number(row[1]), scores: new Array(dimensions) }),
    );
    for (let d = 0; d < dimensions; d++) {
      const having = members.flatMap((row, i) => (row[d + 2] === null ? [] : [i]));
      const values = having.map((i) => Number(members[i]?.[d + 2]));
      const weights = having.map((i) => Number(members[i]?.[1]));
      normalScores(values, weights).forEach((score, at) => {
        const person = people[having[at] ?? 0];
        if (person !== undefined) person.scores[d] = score;
      });
    }
    return people;
  });
}

/** Scores of two dimensions, of the people who have both. */
function scoresOf(people: readonly Person[], a: number, b: number): Scores {
  const both = people.filter(({ scores }) => scores[a] !== undefined && scores[b] !== undefined);
  return {
    x: both.map(({ scores }) => scores[a] as number),
    y: both.map(({ scores }) => scores[b] as number),
    w: both.map(({ weight }) => weight),
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
 * @param bandOf gives the band of an age group; by default every age group is a band of its own
 */
export async function conditionalQuantiles(
  connection: DuckDBConnection,
  dimensions: readonly string[],
  bandOf: BandOf = (ageGroup) => ageGroup,
): Promise<OutputTable> {
  const fields = dimensions.map(quoteName).join(', ');
  const rows: Cell[][] = [];
  for (const gender of ['Female', 'Male']) {
    const found = await queryRows(
      connection,
      `SELECT age_group, sample_weight, ${fields} FROM people
       WHERE gender = '${gender}' ORDER BY age_group, row_id`,
    );
    const people = scored(found, dimensions.length, bandOf);
    for (const band of new Set(people.map((person) => person.band))) {
      const members = people.filter((person) => person.band === band);
      for (const [i, a] of dimensions.entries()) {
        for (let j = i + 1; j < dimensions.length; j++) {
          const b = dimensions[j] ?? '';
          const swap = (i + j) % 2 === 1;
          const [anchor, linked] = swap ? [b, a] : [a, b];
          const bins = pairRows(swap ? scoresOf(members, j, i) : scoresOf(members, i, j));
          rows.push(...bins.map((bin) => [gender, band, anchor, linked, ...bin]));
        }
      }
    }
  }
  return { file: 'conditional_quantiles.csv', columns: COLUMNS, rows };
}
