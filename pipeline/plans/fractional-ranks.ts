/**
 * Ranks of values among each other, from 0 to 1: (rank − 1/2) / n, by size. Equal values are ordered at
 * random. Lengths are read in whole mm, so a tenth of the people can have the same length of the ear.
 * Without the random order, a limit would then cut off another share than its percentile says.
 *
 * @param random uniform random numbers, 0 to 1
 */
export function fractionalRanks(values: readonly number[], random: () => number): Float64Array {
  const order = values.map((value, index) => ({ value, index, tie: random() }));
  order.sort((a, b) => a.value - b.value || a.tie - b.tie);
  const ranks = new Float64Array(values.length);
  order.forEach(({ index }, rank) => {
    ranks[index] = (rank + 0.5) / values.length;
  });
  return ranks;
}
