import type { AgeRange } from '../../src/pages/screens/dimension/address.js';
import type { AgeLine, MeasuredAges } from '../../src/pages/screens/dimension/data-types.js';
import { pathOf, type Scale } from '../../src/pages/screens/shared/scale.js';
import { SmoothCurve } from '../../src/pages/screens/shared/smooth-curve.js';

/** A point of a line: age in years and length. */
type Point = readonly [ageYears: number, value: number];

/** A part of a line without a gap, all of it measured or all of it not. */
export interface Piece {
  readonly isMeasured: boolean;
  readonly points: readonly Point[];
}

/**
 * The parts of a line within some ages. A part ends where there is no model, and where measured ages
 * begin or end.
 */
export function piecesOf(
  agesYears: readonly number[],
  line: AgeLine,
  ages: AgeRange,
  measured: readonly MeasuredAges[],
): Piece[] {
  const [from, to] = ages;
  const edges = measured.flatMap(({ fromYears, toYears }) => [fromYears, toYears]);
  const stops = [...new Set([...agesYears, ...edges, from, to])]
    .filter((age) => age >= from && age <= to)
    .sort((one, other) => one - other);
  const pieces: { isMeasured: boolean; points: Point[] }[] = [];
  for (const [index, end] of stops.entries()) {
    const start = stops[index - 1];
    if (start === undefined) continue;
    const [first, last] = [valueAtAge(agesYears, line, start), valueAtAge(agesYears, line, end)];
    if (first === undefined || last === undefined) continue;
    const middle = (start + end) / 2;
    const isMeasured = measured.some((one) => one.fromYears <= middle && middle <= one.toYears);
    const before = pieces.at(-1);
    const isContinued = before?.isMeasured === isMeasured && before.points.at(-1)?.[0] === start;
    if (isContinued) before.points.push([end, last]);
    else
      pieces.push({
        isMeasured,
        points: [
          [start, first],
          [end, last],
        ],
      });
  }
  return pieces;
}

interface Area {
  readonly agesYears: readonly number[];
  readonly ages: AgeRange;
  readonly low: AgeLine | undefined;
  readonly high: AgeLine | undefined;
  readonly x: Scale;
  readonly y: Scale;
}

/** SVG path of the area between two lines. */
export function areaBetween({ agesYears, ages, low, high, x, y }: Area): string {
  if (low === undefined || high === undefined) return '';
  const everywhere = [{ fromYears: -1, toYears: Number.POSITIVE_INFINITY }];
  const traced = (line: AgeLine) =>
    piecesOf(agesYears, line, ages, everywhere).map(({ points }) =>
      points.map(([age, value]) => [x.at(age), y.at(value)] as const),
    );
  const tops = traced(high);
  return traced(low)
    .map((bottom, index) => pathOf([...bottom, ...(tops[index] ?? []).toReversed()]))
    .join('');
}

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
