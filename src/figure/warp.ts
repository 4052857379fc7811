import { onClosedCurve, type Point } from './geometry.js';

/** A position in the drawing of the average body, and where it is on the posed body; both in mm. */
export type Node = readonly [drawnMm: number, posedMm: number];

/** The least slope between two nodes, so that a body never folds where dimensions contradict. */
const LEAST_SLOPE = 0.05;

/**
 * A piecewise linear function through the nodes, continued at both ends with the slope there.
 * Values that are less than a twentieth of the drawn distance above the one before are raised to it.
 */
export function increasing(...nodes: readonly Node[]): (mm: number) => number {
  const sorted = [...nodes].sort(([a], [b]) => a - b);
  const raised: Node[] = [];
  for (const [from, to] of sorted) {
    const before = raised.at(-1);
    const least = before === undefined ? to : before[1] + (from - before[0]) * LEAST_SLOPE;
    raised.push([from, Math.max(to, least)]);
  }
  return piecewise(raised, true);
}

/** A piecewise linear function through the nodes, constant beyond both ends. */
export function between(...nodes: readonly Node[]): (mm: number) => number {
  return piecewise(
    [...nodes].sort(([a], [b]) => a - b),
    false,
  );
}

function piecewise(nodes: readonly Node[], continued: boolean) {
  return (mm: number): number => {
    const above = nodes.findIndex(([from]) => from >= mm);
    const outside = above === 0 || above === -1;
    const index = above === -1 ? nodes.length - 1 : Math.max(above, 1);
    const [a, b] = [nodes[index - 1] ?? [0, 0], nodes[index] ?? [0, 0]];
    const share = (mm - a[0]) / (b[0] - a[0]);
    const kept = outside && !continued ? Math.min(Math.max(share, 0), 1) : share;
    return a[1] + kept * (b[1] - a[1]);
  };
}

/** Moves a point of a drawing to its place on the posed body. */
export type Warp = (point: Point) => Point;

/** All points of a line moved. */
export function warped(line: readonly Point[], warp: Warp): readonly Point[] {
  return line.map(warp);
}

/** Points on the curve between two corners of an outline. */
const STEPS = 5;

/** A smooth outline as a polygon. */
export function smooth(outline: readonly Point[]): readonly Point[] {
  return onClosedCurve(outline, STEPS);
}

/**
 * The part of a smooth outline between two heights in mm, as a polygon. The pieces of a concave
 * outline are joined along the cut, which no fill shows.
 */
export function clipped(
  outline: readonly Point[],
  bottomMm: number,
  topMm: number,
): readonly Point[] {
  return cut(cut(smooth(outline), bottomMm, 1), topMm, -1);
}

/** The part of a closed line above a height (side 1) or below it (side −1). */
function cut(line: readonly Point[], height: number, side: 1 | -1): readonly Point[] {
  const inside = ({ y }: Point) => (y - height) * side >= 0;
  return line.flatMap((point, index) => {
    const before = line.at(index - 1) ?? point;
    const kept = inside(point) ? [point] : [];
    if (inside(point) === inside(before)) return kept;
    const share = (height - before.y) / (point.y - before.y);
    return [{ x: before.x + share * (point.x - before.x), y: height }, ...kept];
  });
}
