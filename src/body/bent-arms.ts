import { type Posed, type Skeleton, vectorAt } from './skeleton.js';
import { fromAxis, length, ramp } from './vectors.js';

/** Bones between which the skin twists, and the middle of the twist on the way from the first (0) to the second (1). */
const TWISTS = [
  ['upperarm', 'lowerarm', 0.5],
  ['lowerarm', 'hand', 0.9],
] as const;
/** Skin so far from the middle keeps its thickness, which becomes that of the skinning over the same distance. */
const REACH = 0.12;
/** Skin belongs to the arm if the two bones have this share of it. */
const SHARE = 0.9;

/**
 * Gives bent arms the thickness of the rest pose in the middle of the upper arm and at the wrist. Plain skinning makes
 * them thinner, because elbows and palms turn.
 *
 * @param points x, y, z of the vertices and joints in the rest pose, mm
 * @param posed the body in its pose; the arms are changed in place
 */
export function fillTwists(
  skeleton: Skeleton,
  points: Float64Array,
  { vertices, heads }: Posed,
): void {
  for (const side of ['l', 'r']) {
    for (const [from, to, middle] of TWISTS) {
      const [first, last] = [skeleton.bone(`${from}_${side}`), skeleton.bone(`${to}_${side}`)];
      const [start, end] = [vectorAt(heads, first), vectorAt(heads, last)];
      const [restStart, restEnd] = [first, last].map((bone) =>
        vectorAt(points, skeleton.heads[bone]),
      );
      const arm = skeleton.movedBy(new RegExp(`^(${from}|${to})_${side}$`));
      for (const vertex of arm.vertices) {
        if (arm.shares[vertex] < SHARE) continue;
        // The place on the arm is that of the rest pose: the forearm of a folded arm lies beside the upper arm.
        const rest = fromAxis(vectorAt(points, vertex), restStart, restEnd);
        const share = 1 - ramp((Math.abs(rest.way - middle) - REACH) / REACH);
        if (share === 0) continue;
        const { out } = fromAxis(vectorAt(vertices, vertex), start, end);
        const more = share * (length(rest.out) / length(out) - 1);
        for (let k = 0; k < 3; k++) vertices[3 * vertex + k] += more * out[k];
      }
    }
  }
}
