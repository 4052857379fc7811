import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';

const standardCdf = cdf.factory(0, 1);
const standardQuantile = quantile.factory(0, 1);

/** Standard normal z of a percentile in (0, 100). */
export function zOfPercentile(percentile: number): number {
  return standardQuantile(percentile / 100);
}

/** Percentile of a standard normal z. */
export function percentileOfZ(z: number): number {
  return standardCdf(z) * 100;
}

/** Standard normal density φ(z). */
export function normalDensity(z: number): number {
  return 0.3989422804014327 * Math.exp(-0.5 * z * z);
}
