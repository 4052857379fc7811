import { zOfPercentile } from '../../src/lookup/cell.js';
import { sum } from './numbers.js';

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
    while (to < order.length && order[to].value === order[from].value) to += 1;
    const alike = order.slice(from, to);
    const weight = sum(alike.map(({ index }) => weights[index]));
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
  while (i < sorted.length && below + weights[i] / 2 <= at) {
    below += weights[i];
    i += 1;
  }
  if (i === 0 || i === sorted.length) return sorted[Math.max(0, i - 1)];
  const [before, after] = [sorted[i - 1], sorted[i]];
  const [wb, wa] = [weights[i - 1], weights[i]];
  const middle = below - wb / 2;
  return before + ((at - middle) / ((wa + wb) / 2)) * (after - before);
}

/** Scores of two dimensions and the weights of the people who have both. */
export interface Scores {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly w: readonly number[];
}

/** Weighted correlation of the two scores. */
export function correlation({ x, y, w }: Scores): number {
  const total = sum(w);
  const mean = (v: readonly number[]): number => sum(v.map((a, i) => a * w[i])) / total;
  const [mx, my] = [mean(x), mean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  w.forEach((weight, i) => {
    const [a, b] = [x[i] - mx, y[i] - my];
    xx += weight * a * a;
    xy += weight * a * b;
    yy += weight * b * b;
  });
  return xy / Math.sqrt(xx * yy);
}
