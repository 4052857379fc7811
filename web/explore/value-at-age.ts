import type { AgeLine } from '../../src/pages/explorer/chart-data-types.js';
import { SmoothCurve } from '../../src/pages/explorer/smooth-curve.js';

/** The value of a line at any age, interpolated between known ages. Undefined where there is no model. */
export function valueAtAge(
  ages: readonly number[],
  line: AgeLine | undefined,
  age: number,
): number | undefined {
  if (line === undefined) return undefined;
  const after = ages.findIndex((known) => known >= age);
  const before = Math.max(0, ages[after] === age ? after : after - 1);
  const [from, to] = [line.values[before], line.values[after]];
  const [start, end] = [ages[before] ?? 0, ages[after] ?? 0];
  if (from === null || to === null || from === undefined || to === undefined) return undefined;
  return start === end ? from : from + ((age - start) / (end - start)) * (to - from);
}

/**
 * The approximate percentile of a length at an age, read from the percentile lines of one country.
 * Undefined where there is no model, or where the chart has too few lines for a curve.
 */
export function percentileAtAge(
  ages: readonly number[],
  lines: readonly AgeLine[],
  age: number,
  value: number,
): number | undefined {
  const symmetric = lines
    .filter(({ percentile }) => lines.some((other) => other.percentile === 100 - percentile))
    .toSorted((one, other) => one.percentile - other.percentile);
  const values = symmetric.map((line) => valueAtAge(ages, line, age));
  const known = values.filter((one) => one !== undefined);
  if (known.length < 5 || known.length < values.length) return undefined;
  const percentiles = symmetric.map(({ percentile }) => percentile);
  return new SmoothCurve({ percentiles, values: known }).percentileOf(value);
}
