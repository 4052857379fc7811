/**
 * Moves the heights of labels apart, in pixels. Labels are at least `least` apart and none is below `floor`.
 * The sum of the squared distances from the wanted heights is minimal (pool adjacent violators).
 *
 * @param wanted heights from the lowest label to the highest, so pixel values decrease
 */
export function spread(wanted: readonly number[], least: number, floor: number): number[] {
  // With the needed distances removed, it is enough that the heights never increase.
  const pools: { sum: number; count: number }[] = [];
  for (const [index, height] of wanted.entries()) {
    let pool = { sum: height + index * least, count: 1 };
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.count >= pool.sum / pool.count) break;
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const levels = pools.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
  return levels.map((level, index) => Math.min(level, floor) - index * least);
}
