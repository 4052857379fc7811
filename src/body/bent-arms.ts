import { type Posed, type Skeleton, vectorAt } from './skeleton.js';
import {
  dot,
  fromAxis,
  length,
  minus,
  ramp,
  softly,
  sum,
  times,
  unit,
  type Vector,
} from './vectors.js';

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

/** Skin gives way fully if upper arm or forearm has so much more of it than the other. */
const FULL = 0.25;
/** Distance from the plane over which the skin begins to give way, mm. */
const SOFT_MM = 6;

/**
 * Keeps the skin inside bent elbows apart: skin of upper arm and forearm stays on its side of the plane that halves the
 * angle.
 *
 * @param posed the body in its pose; the arms are changed in place
 */
export function foldElbows(skeleton: Skeleton, { vertices, heads }: Posed): void {
  for (const side of ['l', 'r']) {
    const [shoulder, elbow, wrist] = ['upperarm', 'lowerarm', 'hand'].map((name) =>
      vectorAt(heads, skeleton.bone(`${name}_${side}`)),
    ) as [Vector, Vector, Vector];
    const [upper, fore] = [unit(minus(shoulder, elbow)), unit(minus(wrist, elbow))];
    const normal = unit(minus(upper, fore));
    // Straight arms have no inside.
    const inside = sum(upper, fore);
    const bent = ramp(length(inside));
    const ofUpper = skeleton.movedBy(new RegExp(`^upperarm_${side}$`)).shares;
    const ofFore = skeleton.movedBy(new RegExp(`^lowerarm_${side}$`)).shares;
    for (const vertex of skeleton.movedBy(new RegExp(`^(upper|lower)arm_${side}$`)).vertices) {
      const at = vectorAt(vertices, vertex);
      const way = minus(at, elbow);
      if (dot(way, inside) <= 0) continue;
      const more = ofUpper[vertex] - ofFore[vertex];
      const far = Math.sign(more) * dot(way, normal);
      const step = bent * ramp(Math.abs(more) / FULL) * (softly(far, SOFT_MM) - far);
      vertices.set(sum(at, times(normal, Math.sign(more) * step)), 3 * vertex);
    }
  }
}
