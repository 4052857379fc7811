import { closedCurve, openCurve, type Point, points, straightLine } from './geometry.js';

/** One line or area of a drawing: an SVG path, and the kind that chooses its style. */
export interface Mark {
  readonly kind: 'body' | 'detail' | 'prop' | 'edge' | 'run' | 'arrow' | 'hidden' | 'point';
  readonly d: string;
}

/** A body or a part of it, seen from one side in one posture. */
export interface View {
  /** What the drawing shows, in words. */
  readonly title: string;
  /** Left, right, bottom and top of the drawing in mm, without the lines of measurements. */
  readonly extent: readonly [left: number, right: number, bottom: number, top: number];
  /** Whether even a short run is shown on the whole view, not on an enlarged part. */
  readonly undivided?: boolean;
  /** Drawn in this order, from back to front. */
  readonly marks: readonly Mark[];
  readonly landmarks: Readonly<Record<string, Point>>;
}

/** Parts with one common outline; where they overlap, no lines are visible. */
export function body(...parts: readonly (readonly Point[])[]): Mark {
  return { kind: 'body', d: parts.map(closedCurve).join('') };
}

/** Fine lines on a body, each a smooth curve through its points. */
export function detail(...lines: readonly string[]): Mark {
  return { kind: 'detail', d: lines.map((line) => openCurve(points(line))).join('') };
}

/** Floor, seat, table and wall, as straight lines. */
export function prop(...lines: readonly string[]): Mark {
  return { kind: 'prop', d: lines.map((line) => straightLine(...points(line))).join('') };
}

/** Named points from `[x, y]` in mm. */
export function landmarks<Text extends Record<string, readonly [number, number]>>(
  named: Text,
): Readonly<Record<keyof Text, Point>> {
  const entries = Object.entries(named).map(([name, [x, y]]) => [name, { x, y }]);
  return Object.fromEntries(entries) as Record<keyof Text, Point>;
}
