import { curveCardinal, line } from 'd3-shape';
import type { Point } from './drawing.js';

/** SVG path of a smooth open curve through the points. */
export function openCurve(points: readonly Point[]): string {
  const curve = line<Point>(
    ({ x }) => x,
    ({ y }) => -y,
  ).curve(curveCardinal);
  return curve.digits(1)([...points]) ?? '';
}

/** SVG path of straight lines through the points. */
export function straightLine(...line: readonly Point[]): string {
  return `M${line.map(pair).join('L')}`;
}

/** A point in SVG coordinates: y points downwards, rounded to a tenth of a mm. */
export function pair({ x, y }: Point): string {
  return `${tenth(x)} ${tenth(-y)}`;
}

/** Rounds to a tenth. Zero has no sign. */
export function tenth(mm: number): number {
  return Math.round(mm * 10) / 10 + 0;
}
