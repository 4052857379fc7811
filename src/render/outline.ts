import { contours } from 'd3-contour';
import { polygonArea } from 'd3-polygon';
import type { DepthMap } from './depth-map.js';
import type { Point } from './drawing.js';

/** A line of points: x and y in mm, one after the other. A closed line does not repeat its first point. */
export type Line = Float64Array;

type Raster = Pick<DepthMap, 'width' | 'height' | 'pixelMm' | 'left' | 'bottom'>;

/** Step of outlines, smoothing, farthest distance of a removed point, and least area. */
export type Fineness = Readonly<Record<'pixelMm' | 'smoothMm' | 'farMm' | 'leastMm2', number>>;

/** Fineness of the silhouettes of whole bodies. */
export const SILHOUETTE: Fineness = { pixelMm: 1.5, smoothMm: 2, farMm: 0.4, leastMm2: 120 };

/** Marks the pixels that a surface fills. */
export function filledPixels({ triangle }: DepthMap): Uint8Array {
  const filled = new Uint8Array(triangle.length);
  for (let i = 0; i < filled.length; i++) filled[i] = triangle[i] < 0 ? 0 : 1;
  return filled;
}

/** Smooth closed lines around the accepted pixels. */
export function closedLines(
  map: Raster,
  inside: Uint8Array,
  { pixelMm, smoothMm, farMm, leastMm2 }: Fineness,
): Point[][] {
  return outlinesOf(map, inside, leastMm2)
    .map((line) => (smoothMm === 0 ? line : smoothed(line, smoothMm / pixelMm)))
    .map((line) => simplified(line, farMm));
}

/**
 * Returns the closed lines around the accepted pixels, by marching squares (`d3-contour`). Holes have lines of their
 * own. The points are the middles of the edges between pixels, so the lines have no bias.
 *
 * @param leastMm2 smaller areas and holes are left out
 */
export function outlinesOf(
  { width, height, pixelMm, left, bottom }: Raster,
  inside: Uint8Array,
  leastMm2: number,
): Line[] {
  const { coordinates } = contours()
    .size([width, height])
    .contour(inside as unknown as number[], 0.5);
  return coordinates
    .flat()
    .filter((ring) => Math.abs(polygonArea(ring as [number, number][])) * pixelMm ** 2 >= leastMm2)
    .map((ring) =>
      // The first point of a ring is repeated at its end.
      Float64Array.from(
        ring.slice(1).flatMap(([x, y]) => [left + x * pixelMm, bottom + y * pixelMm]),
      ),
    );
}

/**
 * Smooths a closed line without shrinking it. The result is twice the Gaussian mean minus the mean of that mean.
 * Straight and evenly curved parts stay in place.
 *
 * @param sigma standard deviation in points
 */
export function smoothed(line: Line, sigma: number): Line {
  const once = averaged(line, sigma);
  const twice = averaged(once, sigma);
  return once.map((value, i) => 2 * value - twice[i]);
}

function averaged(line: Line, sigma: number): Line {
  const reach = Math.ceil(2.5 * sigma);
  const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-0.5 * ((k - reach) / sigma) ** 2),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const result = new Float64Array(line.length);
  for (let i = 0; i < line.length; i++) {
    let sum = 0;
    for (let k = 0; k < weights.length; k++) {
      const at = i + 2 * (k - reach);
      sum += weights[k] * line[((at % line.length) + line.length) % line.length];
    }
    result[i] = sum / total;
  }
  return result;
}

/**
 * Removes points from a closed line. No removed point is farther than `farMm` from the result (Douglas and Peucker
 * 1973).
 */
export function simplified(line: Line, farMm: number): Point[] {
  const points = Array.from({ length: line.length / 2 }, (_, i) => ({
    x: line[2 * i],
    y: line[2 * i + 1],
  }));
  const kept = new Set<number>([0, points.length >> 1, points.length - 1]);
  const split = (from: number, to: number): void => {
    const [a, b] = [points[from], points[to]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const size = Math.hypot(dx, dy) || 1;
    let [worst, most] = [-1, farMm];
    for (let i = from + 1; i < to; i++) {
      const { x, y } = points[i];
      const far = Math.abs((x - a.x) * dy - (y - a.y) * dx) / size;
      if (far > most) [worst, most] = [i, far];
    }
    if (worst < 0) return;
    kept.add(worst);
    split(from, worst);
    split(worst, to);
  };
  split(0, points.length >> 1);
  split(points.length >> 1, points.length - 1);
  return points.filter((_, i) => kept.has(i));
}
