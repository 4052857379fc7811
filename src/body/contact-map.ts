import type { ShapeViews } from '../lookup/shape-file.js';
import type { Skeleton } from './skeleton.js';

/** Size of a cell of the map, mm, and number of cells in each direction. */
const CELL_MM = 5;
const CELLS = 480;
/** A place takes what is in so many cells around it. */
const AROUND = 2;
/** Triangles mark the map at points that are not farther apart than this, mm. */
const STEP_MM = 2 * AROUND * CELL_MM;

/** The mesh of all bodies of an artifact. */
export interface Mesh {
  readonly skeleton: Skeleton;
  readonly views: ShapeViews;
}

/** Triangles by the bones that move them. All bodies share them. */
const known = new WeakMap<Skeleton, Map<string, Uint16Array>>();

/** The triangles whose corners some bones move by half or more, three vertices each. */
export function skinOf({ skeleton, views: { triangles } }: Mesh, bones: RegExp): Uint16Array {
  const parts = known.get(skeleton) ?? new Map<string, Uint16Array>();
  known.set(skeleton, parts);
  const { shares } = skeleton.movedBy(bones);
  const isOwn = (corner: number): boolean => shares[triangles[corner]] >= 0.5;
  const own =
    parts.get(bones.source) ??
    triangles.filter((_, at) => [0, 1, 2].every((k) => isOwn(at - (at % 3) + k)));
  parts.set(bones.source, own);
  return own;
}

/**
 * How far some triangles reach to the left (axis 0) or up (axis 1) around each place.
 *
 * @param triangles three vertices each
 * @param vertices x, y, z of each vertex, mm
 * @param middleMm the middle of the map: a height for axis 0, a distance to the left for axis 1
 * @returns the farthest coordinate around a height (or a distance to the left) and a depth, mm
 */
export function farthestAround(
  triangles: Uint16Array,
  vertices: Float64Array,
  axis: 0 | 1,
  middleMm: number,
): (besideMm: number, depthMm: number) => number {
  const map = new Float32Array(CELLS * CELLS).fill(-Infinity);
  const cellOf = (beside: number, depth: number): number =>
    (Math.floor((beside - middleMm) / CELL_MM) + CELLS / 2) * CELLS +
    Math.floor(depth / CELL_MM) +
    CELLS / 2;
  const beside = 1 - axis;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const at = (k: number, i: number, j: number): number =>
      vertices[a + k] +
      i * (vertices[b + k] - vertices[a + k]) +
      j * (vertices[c + k] - vertices[a + k]);
    const long = Math.max(
      ...[beside, 2].map((k) => {
        const [p, q, r] = [vertices[a + k], vertices[b + k], vertices[c + k]];
        return Math.max(p, q, r) - Math.min(p, q, r);
      }),
    );
    const steps = Math.ceil(long / STEP_MM);
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; i + j <= steps; j++) {
        const cell = cellOf(at(beside, i / steps, j / steps), at(2, i / steps, j / steps));
        const far = at(axis, i / steps, j / steps);
        if (far > map[cell]) map[cell] = far;
      }
    }
  }
  return (besideMm, depthMm) => {
    const cell = cellOf(besideMm, depthMm);
    let far = -Infinity;
    for (let row = -AROUND; row <= AROUND; row++) {
      for (let column = -AROUND; column <= AROUND; column++) {
        far = Math.max(far, map[cell + row * CELLS + column]);
      }
    }
    return far;
  };
}
