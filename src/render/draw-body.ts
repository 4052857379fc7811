import type { Vector } from '../body/vectors.js';
import { bordersOf } from './borders.js';
import { type Camera, type Projected, project } from './camera.js';
import { type CreaseLimits, creasesOf } from './creases.js';
import { pathOf } from './curves.js';
import { type DepthMap, depthMapOf, type Window, windowOf } from './depth-map.js';
import { type Line, outlinesOf, smoothed } from './outline.js';
import { shadePaths } from './shading.js';
import { vertexNormals } from './surface.js';

/** The fineness of a drawing. */
export interface Fineness {
  readonly pixelMm: number;
  /** Standard deviation of the smoothing, mm. */
  readonly smoothMm: number;
  readonly toleranceMm: number;
  readonly leastHoleMm2: number;
  /** Number of times that the triangles are divided. */
  readonly rounds: number;
  readonly creases: CreaseLimits;
}

/** Fineness of a whole body. */
export const WHOLE: Fineness = {
  pixelMm: 1.5,
  smoothMm: 5,
  toleranceMm: 0.6,
  leastHoleMm2: 120,
  rounds: 0,
  creases: { jumpMm: 12, faintJumpMm: 3, leastLengthMm: 32, outlineMm: 3 },
};

/** Fineness of a head, hand or foot that fills a drawing. */
export const PART: Fineness = {
  pixelMm: 0.5,
  smoothMm: 2,
  toleranceMm: 0.2,
  leastHoleMm2: 10,
  rounds: 2,
  creases: { jumpMm: 2, faintJumpMm: 0.8, leastLengthMm: 9, outlineMm: 1.5 },
};

/** Fineness of a face, whose eyelids and lips are shallow. */
export const FACE: Fineness = {
  ...PART,
  rounds: 1,
  smoothMm: 3,
  creases: { jumpMm: 0.7, faintJumpMm: 0.3, leastLengthMm: 7, outlineMm: 2.5 },
};

/** The lines of a body as SVG paths in mm, y downwards. */
export interface BodyLines {
  readonly outline: string;
  readonly creases: string;
  /** Areas in shade. Each lies inside the area before it. The list is empty unless shade was asked for. */
  readonly shade: readonly string[];
}

/** A posed surface to draw, with the number of the part of each vertex. */
export interface Drawn {
  /** x, y, z of each vertex, mm. */
  readonly points: Float64Array;
  readonly triangles: Uint16Array | Uint32Array;
  readonly partOf: Uint8Array;
}

/** What a drawing shows in addition to the lines of the outside. */
interface DrawingParts {
  /** Whether the surface is also seen from inside. */
  readonly bothSides?: boolean | undefined;
  /** Whether areas in shade are drawn. */
  readonly withShade?: boolean | undefined;
}

/** A body as a camera sees it. */
export interface Seen {
  readonly view: Projected;
  readonly map: DepthMap;
  readonly lines: BodyLines;
}

/**
 * Draws a surface as a camera sees it.
 *
 * @param window the part of the view, mm; the whole surface if undefined
 */
export function drawBody(
  { points, triangles, partOf }: Drawn,
  camera: Camera,
  fineness: Fineness,
  window?: Window,
  { bothSides = false, withShade = false }: DrawingParts = {},
): Seen {
  const view = project(points, camera);
  const part = window ?? windowOf(view, triangles);
  const seen = bothSides ? withInside(triangles) : triangles;
  const map = depthMapOf(view, seen, part, fineness.pixelMm);
  const inside = new Uint8Array(map.triangle.length);
  for (let i = 0; i < inside.length; i++) inside[i] = map.triangle[i] < 0 ? 0 : 1;
  const { pixelMm, smoothMm, toleranceMm } = fineness;
  const smooth = outlinesOf(map, inside, fineness.leastHoleMm2).map((line) =>
    smoothed(line, smoothMm / pixelMm, true),
  );
  reach(smooth, windowOf(view, triangles), part);
  const outline = smooth.map((line) => pathOf(line, true, toleranceMm)).join('');
  const normals = vertexNormals(points, triangles);
  const axes: Vector[] = [camera.right, camera.up, camera.near];
  const surface = { triangles: seen, normals, axes, partOf };
  const inner = [
    ...creasesOf(view, map, surface, fineness.creases).map((line) => smoothed(line, 1.5, false)),
    ...bordersOf(map, surface, fineness.creases.leastLengthMm).map((line) =>
      smoothed(line, smoothMm / pixelMm, false),
    ),
  ];
  const creases = inner.map((line) => pathOf(line, false, toleranceMm)).join('');
  const shade = withShade ? shadePaths(map, surface) : [];
  return { view, map, lines: { outline, creases, shade } };
}

/** The outermost part of an outline that is moved to its true end, mm. */
const END_MM = 12;

/**
 * Moves the ends of smoothed lines to the ends of the surface. Smoothing shortens narrow ends, such as toes and
 * fingertips, by up to a millimetre.
 *
 * @param window the part of the view that is drawn; points outside it stay
 */
function reach(lines: readonly Line[], whole: Window, window: Window): void {
  for (const [side, axis, sign] of [
    ['left', 0, -1],
    ['right', 0, 1],
    ['bottom', 1, -1],
    ['top', 1, 1],
  ] as const) {
    if (whole[side] !== window[side]) continue;
    let end = -Infinity;
    for (const line of lines) {
      for (let i = axis; i < line.length; i += 2) end = Math.max(end, sign * line[i]);
    }
    const missing = sign * whole[side] - end;
    for (const line of lines) {
      for (let i = axis; i < line.length; i += 2) {
        const near = 1 - (end - sign * line[i]) / END_MM;
        if (near > 0) line[i] += sign * missing * near * near;
      }
    }
  }
}

/** The triangles, followed by the same triangles seen from inside. */
function withInside(triangles: Uint16Array | Uint32Array): Uint32Array {
  const all = new Uint32Array(2 * triangles.length);
  all.set(triangles);
  for (let t = 0; t < triangles.length; t += 3) {
    const own = [triangles[t], triangles[t + 2], triangles[t + 1]];
    all.set(own, triangles.length + t);
  }
  return all;
}
