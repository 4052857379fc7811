import type { DuckDBConnection } from '@duckdb/node-api';
import { zOfPercentile } from '../../src/lookup/normal.js';
import { queryRows, quoteName } from './duck.js';
import type { Cell, OutputTable } from './importer.js';
import { tableColumns } from './published.js';

/** Smallest bin written: quantiles of fewer people would say little and point at persons. */
const MINIMUM_BIN = 100;

/** Edges of the anchor's bins in percent of its own distribution; the ends centre on P5 and P95. */
const EDGES = [0, 10, 30, 50, 70, 90, 100] as const;

const QUANTILES = [1, 2.5, 5, 10, 25, 50, 75, 90, 95, 97.5, 99] as const;

const COLUMNS = tableColumns([
  ['gender', 'Male or Female'],
  ['anchor', 'dimension that is given'],
  ['linked', 'dimension that is asked for'],
  ['rho', 'correlation of the two normal scores over everyone with both'],
  ['low_pct', 'lower edge of the bin, percentile of the anchor'],
  ['high_pct', 'upper edge of the bin, percentile of the anchor'],
  ['anchor_z_mean', 'mean normal score of the anchor within the bin'],
  ['n', `people in the bin, at least ${MINIMUM_BIN}`],
  ...QUANTILES.map(
    (q) =>
      [
        quantileName(q),
        `percentile ${q} within the bin of: score of linked - rho x score of anchor`,
      ] as const,
  ),
]);

function quantileName(percentile: number): string {
  return `q${String(percentile).replace('.', '_')}`;
}

/** Three decimals of a normal score are finer than the survey's millimetres. */
function rounded(value: number): number {
  return Number(value.toFixed(3));
}

/** Normal scores of mid-ranks: z of (rank - 1/2) / n, equal values sharing their mean rank. */
export function normalScores(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const scores = new Array<number>(values.length).fill(0);
  let from = 0;
  while (from < order.length) {
    let to = from;
    while (to + 1 < order.length && order[to + 1]?.value === order[from]?.value) to += 1;
    const score = zOfPercentile((100 * ((from + to) / 2 + 0.5)) / values.length);
    for (const { index } of order.slice(from, to + 1)) scores[index] = score;
    from = to + 1;
  }
  return scores;
}

/** Percentile of sorted values, interpolated between mid-positions. */
export function quantileOf(sorted: readonly number[], percentile: number): number {
  const at = Math.min(Math.max((percentile / 100) * sorted.length - 0.5, 0), sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (at - Math.floor(at)) * (above - below);
}

function correlation(x: readonly number[], y: readonly number[]): number {
  let [xx, xy, yy] = [0, 0, 0];
  // Normal scores of mid-ranks have mean 0 up to ties.
  x.forEach((a, i) => {
    const b = y[i] ?? 0;
    xx += a * a;
    xy += a * b;
    yy += b * b;
  });
  return xy / Math.sqrt(xx * yy);
}

/** Bins of one pair: rows without gender and names. */
function pairRows(x: readonly number[], y: readonly number[]): Cell[][] {
  const rho = rounded(correlation(x, y));
  const rows: Cell[][] = [];
  for (const [index, low] of EDGES.slice(0, -1).entries()) {
    const high = EDGES[index + 1] ?? 100;
    const from = low === 0 ? Number.NEGATIVE_INFINITY : zOfPercentile(low);
    const to = high === 100 ? Number.POSITIVE_INFINITY : zOfPercentile(high);
    const inside: number[] = [];
    let sum = 0;
    x.forEach((a, i) => {
      if (a < from || a >= to) return;
      sum += a;
      inside.push((y[i] ?? 0) - rho * a);
    });
    if (inside.length < MINIMUM_BIN) continue;
    inside.sort((a, b) => a - b);
    const quantiles = QUANTILES.map((q) => rounded(quantileOf(inside, q)));
    const zMean = rounded(sum / inside.length);
    rows.push([rho, low, high, zMean, inside.length, ...quantiles]);
  }
  return rows;
}

/**
 * How one dimension spreads about another within bins of the other, for judging conditional ranges
 * on a survey that was not fitted: `conditional_quantiles.csv`, from the table `people`.
 *
 * Both dimensions are turned into normal scores by rank within the gender, which takes the survey's
 * own marginals out. Every person's distance from the line rho x anchor is then read at eleven
 * quantiles a bin: statistics of at least a hundred people, and no person's score.
 *
 * @param dimensions every pair of them is written once; the anchor alternates along the list
 */
export async function conditionalQuantiles(
  connection: DuckDBConnection,
  dimensions: readonly string[],
): Promise<OutputTable> {
  const fields = dimensions.map(quoteName).join(', ');
  const rows: Cell[][] = [];
  for (const gender of ['Female', 'Male']) {
    const complete = dimensions.map((name) => `${quoteName(name)} IS NOT NULL`).join(' AND ');
    const people = await queryRows(
      connection,
      `SELECT ${fields} FROM people WHERE gender = '${gender}' AND ${complete} ORDER BY row_id`,
    );
    const scores = dimensions.map((_, d) => normalScores(people.map((row) => Number(row[d]))));
    for (const [i, a] of dimensions.entries()) {
      for (let j = i + 1; j < dimensions.length; j++) {
        const b = dimensions[j] ?? '';
        const [x, y] = [scores[i] ?? [], scores[j] ?? []];
        const swap = (i + j) % 2 === 1;
        const [anchor, linked] = swap ? [b, a] : [a, b];
        const bins = swap ? pairRows(y, x) : pairRows(x, y);
        rows.push(...bins.map((bin) => [gender, anchor, linked, ...bin]));
      }
    }
  }
  return { file: 'conditional_quantiles.csv', columns: COLUMNS, rows };
}
