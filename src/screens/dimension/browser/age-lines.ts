import { area, curveMonotoneX, line } from 'd3-shape';
import { SmoothCurve } from '../../shared/smooth-curve.js';
import type { Scale } from '../../widgets/plot.js';
import type { AgeRange } from '../address.js';
import type { AgeLine, MeasuredAges } from '../data-types.js';

/** The ages of the points of a line, and the scales of the chart. */
interface Places {
  readonly agesYears: readonly number[];
  readonly x: Scale;
  readonly y: Scale;
}

/**
 * SVG path of a smooth line through the known ages. It rises and falls only where the values do (Steffen 1990, "A simple
 * method for monotonic interpolation in one dimension", Astronomy and Astrophysics 239). It is broken where there is no
 * model.
 */
export function linePath({ values }: AgeLine, { agesYears, x, y }: Places): string {
  const path = line<number>((age) => x.at(age))
    .y((_, index) => y.at(values[index] as number))
    .defined((_, index) => values[index] != null)
    .curve(curveMonotoneX)
    .digits(1);
  return path([...agesYears]) ?? '';
}

/** SVG path of the area between two lines. */
export function bandPath(low: AgeLine, high: AgeLine, { agesYears, x, y }: Places): string {
  const path = area<number>((age) => x.at(age))
    .y0((_, index) => y.at(low.values[index] as number))
    .y1((_, index) => y.at(high.values[index] as number))
    .defined((_, index) => low.values[index] != null && high.values[index] != null)
    .curve(curveMonotoneX)
    .digits(1);
  return path([...agesYears]) ?? '';
}

/** Splits a range of ages into those that surveys measured and the others. */
export function spansOf(
  [from, to]: AgeRange,
  all: readonly MeasuredAges[],
): { readonly measured: readonly AgeRange[]; readonly others: readonly AgeRange[] } {
  const measured = all
    .map(({ fromYears, toYears }) => [Math.max(from, fromYears), Math.min(to, toYears)] as const)
    .filter(([start, end]) => start < end);
  const starts = [from, ...measured.map(([, end]) => end)];
  const ends = [...measured.map(([start]) => start), to];
  const others = starts
    .map((start, index) => [start, ends[index] as number] as const)
    .filter(([start, end]) => start < end);
  return { measured, others };
}

/** The value of a line at any age, interpolated between known ages. Undefined if there is no model. */
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
 * The approximate percentile of a length at an age, read from the percentile lines of one country. Undefined
 * if there is no model, or if the chart has too few lines for a curve.
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
