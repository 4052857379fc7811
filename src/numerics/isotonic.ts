/**
 * The nearest values (weighted least squares) that do not fall. The method is pooling adjacent violators
 * (Ayer et al. 1955, Ann. Math. Stat. 26:641).
 */
export function nonDecreasing(values: readonly number[], weights: readonly number[]): number[] {
  // Blocks of pooled values: their mean, their weight and the index of their first value.
  const means: number[] = [];
  const sums: number[] = [];
  const starts: number[] = [];
  for (let i = 0; i < values.length; i++) {
    let [value, weight, start] = [values[i], weights[i], i];
    while (means.length > 0 && means[means.length - 1] > value) {
      const [lastMean, lastWeight] = [means.pop() as number, sums.pop() as number];
      const both = lastWeight + weight;
      value = (lastMean * lastWeight + value * weight) / both;
      weight = both;
      start = starts.pop() as number;
    }
    means.push(value);
    sums.push(weight);
    starts.push(start);
  }
  const pooled = [...values];
  means.forEach((value, block) => {
    pooled.fill(value, starts[block], starts[block + 1]);
  });
  return pooled;
}
