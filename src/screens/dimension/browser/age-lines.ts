import { SmoothCurve } from '../../shared/smooth-curve.js';
import { pathOf, type Scale } from '../../widgets/plot.js';
import type { AgeRange } from '../address.js';
import type { AgeLine, MeasuredAges } from '../data-types.js';

/** A point of a line: an age in years and a length. */
type Point = readonly [ageYears: number, value: number];

/** A part of a line without gaps. Either all of its ages are measured, or none. */
export interface Piece {
  readonly isMeasured: boolean;
  readonly points: readonly Point[];
}

/** Points of a curve between two known ages. */
const STEPS = 8;

/**
 * The parts of a smooth line through the known ages, within a range of ages. A part ends where there is no
 * model, and where measured ages begin or end. The service interpolates linearly between known ages. The
 * curve passes through the same values and has no corners.
 */
export function piecesOf(
  agesYears: readonly number[],
  line: AgeLine,
  ages: AgeRange,
  measured: readonly MeasuredAges[],
): Piece[] {
  const [from, to] = ages;
  const curve = smoothLine(agesYears, line.values);
  const edges = measured.flatMap(({ fromYears, toYears }) => [fromYears, toYears]);
  const between = agesYears.flatMap((age, index) => {
    const next = agesYears[index + 1] ?? age;
    return Array.from({ length: STEPS }, (_, step) => age + (step / STEPS) * (next - age));
  });
  const stops = [...new Set([...between, ...edges, from, to])]
    .filter((age) => age >= from && age <= to)
    .sort((one, other) => one - other);
  const pieces: { isMeasured: boolean; points: Point[] }[] = [];
  for (const [index, end] of stops.entries()) {
    const start = stops[index - 1];
    if (start === undefined) continue;
    const [first, last] = [curve(start), curve(end)];
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

/**
 * A smooth curve through known values. It rises and falls only where the values do. It consists of cubic
 * pieces with limited slopes (Steffen 1990, "A simple method for monotonic interpolation in one dimension",
 * Astronomy and Astrophysics 239).
 *
 * @returns the value at an age; undefined outside the ages and next to a missing value
 */
export function smoothLine(
  ages: readonly number[],
  values: readonly (number | null)[],
): (age: number) => number | undefined {
  const known = (index: number): number | undefined => values[index] ?? undefined;
  const width = (index: number): number => (ages[index + 1] ?? 0) - (ages[index] ?? 0);
  const rise = (index: number): number | undefined => {
    const [here, next] = [known(index), known(index + 1)];
    return here === undefined || next === undefined ? undefined : (next - here) / width(index);
  };
  const slopeAt = (index: number): number => {
    const [before, after] = [rise(index - 1), rise(index)];
    if (before === undefined || after === undefined) {
      // At an end, the slope is that of the parabola through three values, but at most twice the slope of the
      // chord.
      const [own = 0, inner, ownWidth, innerWidth] =
        before === undefined
          ? [after, rise(index + 1), width(index), width(index + 1)]
          : [before, rise(index - 2), width(index - 1), width(index - 2)];
      if (inner === undefined) return own;
      const share = ownWidth / (ownWidth + innerWidth);
      const slope = own * (1 + share) - inner * share;
      if (slope * own <= 0) return 0;
      return Math.abs(slope) > 2 * Math.abs(own) ? 2 * own : slope;
    }
    if (before * after <= 0) return 0;
    const [h, k] = [width(index - 1), width(index)];
    const mean = Math.abs((before * k + after * h) / (h + k));
    return 2 * Math.sign(after) * Math.min(Math.abs(before), Math.abs(after), mean / 2);
  };
  return (age) => {
    const next = ages.findIndex((known) => known > age);
    const index = next < 0 ? ages.length - 2 : next - 1;
    const at = ages.indexOf(age);
    if (at >= 0) return known(at);
    const [start, chord] = [known(index), rise(index)];
    if (start === undefined || chord === undefined || next < 0) return undefined;
    const [h, t] = [width(index), age - (ages[index] as number)];
    const [first, last] = [slopeAt(index), slopeAt(index + 1)];
    const cubic = (first + last - 2 * chord) / (h * h);
    const square = (3 * chord - 2 * first - last) / h;
    return start + t * (first + t * (square + t * cubic));
  };
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
