/** Normal scores of the percentiles that curves have (standard normal quantiles). */
const Z: Readonly<Record<number, number>> = {
  1: -2.326348,
  5: -1.644854,
  25: -0.67449,
  50: 0,
  75: 0.67449,
  95: 1.644854,
  99: 2.326348,
};
/** Radius of the circle that contains 90 % of a bivariate standard normal: √(−2 ln 0.1). */
const RADIUS_90 = Math.sqrt(-2 * Math.log(0.1));
const POINTS = 72;

/** The curve around 90 % of two normal scores with a correlation, as points. */
export function contour(correlation: number): readonly (readonly [number, number])[] {
  const rest = Math.sqrt(Math.max(0, 1 - correlation ** 2));
  return Array.from({ length: POINTS }, (_, i) => {
    const turn = (2 * Math.PI * i) / POINTS;
    const [u, v] = [RADIUS_90 * Math.cos(turn), RADIUS_90 * Math.sin(turn)];
    return [u, correlation * u + rest * v] as const;
  });
}

/** A quantile function of normal scores through values at percentiles, linear between them. */
export function quantileOf(
  percentiles: readonly number[],
  values: readonly number[],
): (z: number) => number {
  const knots = percentiles.map((percentile, i) => [Z[percentile] ?? 0, values[i] ?? 0] as const);
  return (z) => {
    const after = knots.findIndex(([at]) => at >= z);
    const i = Math.min(knots.length - 1, Math.max(1, after === -1 ? knots.length - 1 : after));
    const [z0, v0] = knots[i - 1] ?? [0, 0];
    const [z1, v1] = knots[i] ?? [1, 0];
    return v0 + ((z - z0) / (z1 - z0)) * (v1 - v0);
  };
}
