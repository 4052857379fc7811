import type { Skeleton } from '../body/skeleton.js';
import type { ShapeViews } from '../lookup/shape-file.js';

/** The surface that is drawn. */
export interface Surface {
  readonly triangles: Uint16Array | Uint32Array;
  /** Unit normals of the vertices, x, y, z. */
  readonly normals: Float32Array;
  /** The axes of the view: right, up, near. */
  readonly axes: readonly (readonly [number, number, number])[];
  readonly partOf: Uint8Array;
}

/** Number of the part of each vertex: trunk 0, head 1, arms 2 and 3, hands 4 and 5, legs 6 and 7, feet 8 and 9. */
export function partsOf(views: ShapeViews, skeleton: Skeleton): Uint8Array {
  const ofBone = skeleton.names.map((name) => {
    const right = name.endsWith('_r') ? 1 : 0;
    if (/^(upperarm|lowerarm)_/.test(name)) return 2 + right;
    if (/^(hand|index|middle|ring|pinky|thumb)_/.test(name)) return 4 + right;
    if (/^(thigh|calf)_/.test(name)) return 6 + right;
    if (/^(foot|ball)_/.test(name)) return 8 + right;
    return name === 'head' ? 1 : 0;
  });
  return Uint8Array.from(
    { length: views.header.vertices },
    (_, vertex) => ofBone[views.skinBone[4 * vertex]],
  );
}

/** Unit normals of vertices, x, y, z. Each is the mean of the normals of the vertex's triangles, weighted by area. */
export function vertexNormals(
  points: Float64Array,
  triangles: Uint16Array | Uint32Array,
): Float32Array {
  const normals = new Float32Array(points.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = points[b] - points[a];
    const uy = points[b + 1] - points[a + 1];
    const uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a];
    const vy = points[c + 1] - points[a + 1];
    const vz = points[c + 2] - points[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (let corner = t; corner < t + 3; corner++) {
      const at = 3 * triangles[corner];
      normals[at] += nx;
      normals[at + 1] += ny;
      normals[at + 2] += nz;
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i];
    const y = normals[i + 1];
    const z = normals[i + 2];
    const unit = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    normals[i] = unit * x;
    normals[i + 1] = unit * y;
    normals[i + 2] = unit * z;
  }
  return normals;
}

/** The limb of each part: trunk and head 0, arms with hands 1 and 2, legs 3 and 4. */
const LIMBS = [0, 0, 1, 2, 1, 2, 3, 4, 3, 4] as const;

/** Number of the limb that a part belongs to. */
export function limbOf(part: number): number {
  return LIMBS[part] as number;
}
