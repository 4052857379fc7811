/**
 * Heights of labels in pixels, at least `least` apart and not below `floor`, with the least squares of
 * their distances from the heights wanted (pool adjacent violators).
 *
 * @param wanted heights from the lowest label to the highest, so falling pixels
 */
export function spread(wanted: readonly number[], least: number, floor: number): number[] {
  // Without the distances that the labels need, the heights only must not rise again.
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
