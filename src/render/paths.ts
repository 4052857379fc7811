import type { Point } from './drawing.js';

/** SVG path of a smooth open curve through the points. */
export function openCurve(line: readonly Point[]): string {
  const at = (i: number) => line[Math.min(Math.max(i, 0), line.length - 1)];
  const parts = line.slice(1).map((_, i) => bezier(at(i - 1), at(i), at(i + 1), at(i + 2)));
  return `M${pair(at(0))}${parts.join('')}`;
}

/** SVG path of straight lines through the points. */
export function straightLine(...line: readonly Point[]): string {
  return `M${line.map(pair).join('L')}`;
}

/** A point in SVG coordinates: y points downwards, rounded to a tenth of a mm. */
export function pair({ x, y }: Point): string {
  return `${tenth(x)} ${tenth(-y)}`;
}

function tenth(mm: number): number {
  return Math.round(mm * 10) / 10 + 0;
}

/** The segment of a Catmull-Rom spline from b to c, as a Bézier curve. */
function bezier(a: Point, b: Point, c: Point, d: Point): string {
  const one = { x: b.x + (c.x - a.x) / 6, y: b.y + (c.y - a.y) / 6 };
  const two = { x: c.x - (d.x - b.x) / 6, y: c.y - (d.y - b.y) / 6 };
  return `C${pair(one)} ${pair(two)} ${pair(c)}`;
}
