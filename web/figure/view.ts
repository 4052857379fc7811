import { closedCurve, openCurve, type Point, points, straightLine } from './geometry.js';

/** One line or area of a drawing, as an SVG path with the class that gives its look. */
export interface Mark {
  readonly look: 'body' | 'detail' | 'prop' | 'edge' | 'run' | 'arrow' | 'hidden' | 'point';
  readonly d: string;
}

/** A body or a part of it, seen from one side in one posture. */
export interface View {
  /** What is seen, in words. */
  readonly title: string;
  /** Left, right, bottom and top of the drawing in mm, without what is measured. */
  readonly extent: readonly [left: number, right: number, bottom: number, top: number];
  /** Whether short runs are shown on all of it too, and not closer. */
  readonly undivided?: boolean;
  /** Drawn in this order, later ones over earlier ones. */
  readonly marks: readonly Mark[];
  readonly landmarks: Readonly<Record<string, Point>>;
}

/** Parts that share one outline: lines where they overlap are not seen. */
export function body(...parts: readonly (readonly Point[])[]): Mark {
  return { look: 'body', d: parts.map(closedCurve).join('') };
}

/** Fine lines on a body, each smooth through its points. */
export function detail(...lines: readonly string[]): Mark {
  return { look: 'detail', d: lines.map((line) => openCurve(points(line))).join('') };
}

/** Floor, seat, table and wall, of straight lines. */
export function prop(...lines: readonly string[]): Mark {
  return { look: 'prop', d: lines.map((line) => straightLine(...points(line))).join('') };
}

/** Named points from `[x, y]` in mm. */
export function landmarks<Text extends Record<string, readonly [number, number]>>(
  named: Text,
): Readonly<Record<keyof Text, Point>> {
  const entries = Object.entries(named).map(([name, [x, y]]) => [name, { x, y }]);
  return Object.fromEntries(entries) as Record<keyof Text, Point>;
}
