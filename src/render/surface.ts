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
