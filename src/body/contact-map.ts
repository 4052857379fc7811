import type { ShapeViews } from '../lookup/shape-file.js';
import { type Posed, type Skeleton, vectorAt } from './skeleton.js';

/** Size of a cell of the map, mm, and number of cells in each direction. */
const CELL_MM = 5;
const CELLS = 480;
/** A lookup finds the farthest point within so many cells. */
const AROUND = 2;
/** Triangles mark the map at points that are not farther apart than this, mm. */
const STEP_MM = 2 * AROUND * CELL_MM;

/** The mesh of all bodies of an artifact. */
export interface Mesh {
  readonly skeleton: Skeleton;
  readonly views: ShapeViews;
}

/** The triangles whose corners some bones move by half or more, three vertices each. */
export function skinOf({ skeleton, views: { triangles } }: Mesh, bones: RegExp): Uint16Array {
  return skeleton.once(`skin of ${bones.source}`, () => {
    const { shares } = skeleton.movedBy(bones);
    const isOwn = (corner: number): boolean => shares[triangles[corner]] >= 0.5;
    return triangles.filter((_, at) => [0, 1, 2].every((k) => isOwn(at - (at % 3) + k)));
  });
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
    // Plain variables are used because closures would slow down the hottest loop of contacts.
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const x = vertices[a + beside];
    const z = vertices[a + 2];
    const far = vertices[a + axis];
    const bx = vertices[b + beside] - x;
    const bz = vertices[b + 2] - z;
    const bFar = vertices[b + axis] - far;
    const cx = vertices[c + beside] - x;
    const cz = vertices[c + 2] - z;
    const cFar = vertices[c + axis] - far;
    const long = Math.max(Math.abs(bx), Math.abs(bz), Math.abs(cx), Math.abs(cz));
    const steps = Math.max(1, Math.ceil(long / STEP_MM));
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; i + j <= steps; j++) {
        const [p, q] = [i / steps, j / steps];
        const cell = cellOf(x + p * bx + q * cx, z + p * bz + q * cz);
        map[cell] = Math.max(map[cell], far + p * bFar + q * cFar);
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

/** Skin gives way if the thighs have less than the first share in it, and fully up to the other. */
const SHARES = { none: 0.6, full: 0.5 } as const;
/** Nearer to the middle plane, the belly lies on thighs this far from it, as a share of the hip joint's distance. */
const MIDDLE = 0.3;
/** Distance of the belly's skin from the thigh, in distances of the hip joint from the middle. */
const GAP = 0.015;
/** The lower edge of the belly is the skin up to this distance above the thigh, in distances of the hip joint. */
const EDGE = 0.5;

/**
 * Lays the belly of a sitting body on its thighs: skin that bending the hips moves into them rises above them. What can
 * be seen of belly and thighs keeps its form.
 *
 * @param standing the standing body, in which the belly is in front of the hip joint
 * @returns a function that changes x, y, z of the sitting vertices, mm, in place, and returns the lower edge of the belly
 */
export function lapOf(mesh: Mesh, standing: Posed): (vertices: Float64Array) => number[] {
  const { skeleton } = mesh;
  const [hipMm, , hipZ] = vectorAt(standing.heads, skeleton.bone('thigh_l'));
  const { shares } = skeleton.movedBy(/^thigh_[lr]$/);
  const belly = skeleton
    .movedBy(/^(pelvis|spine_0[12])$/)
    .vertices.filter(
      (vertex) => shares[vertex] < SHARES.none && standing.vertices[3 * vertex + 2] > hipZ,
    );
  /** How much each vertex of the belly gives way. */
  const gives = Float64Array.from(belly, (vertex) =>
    Math.min(1, (SHARES.none - shares[vertex]) / (SHARES.none - SHARES.full)),
  );
  // Bodies are symmetric, so the left thigh is enough.
  const thigh = skinOf(mesh, /^thigh_l$/);
  return (vertices) => {
    const edge: number[] = [];
    const topAt = farthestAround(thigh, vertices, 1, 0);
    belly.forEach((vertex, i) => {
      const at = 3 * vertex;
      const beside = Math.max(Math.abs(vertices[at]), MIDDLE * hipMm);
      const up = topAt(beside, vertices[at + 2]) + GAP * hipMm - vertices[at + 1];
      if (up > 0) vertices[at + 1] += gives[i] * up;
      if (up > -EDGE * hipMm) edge.push(vertex);
    });
    return edge;
  };
}
