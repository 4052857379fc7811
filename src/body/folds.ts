import { type Posed, type Skeleton, vectorAt } from './skeleton.js';
import { dot, minus, ramp, sum, times, unit, type Vector } from './vectors.js';

/**
 * Bent joints: the bones on both sides and where the second one ends. Skin gives way fully and not at all at these
 * distances from the joint, as shares of the limb: the tape around the calf lies farther away.
 */
const JOINTS = [
  { bones: ['thigh', 'calf', 'foot'], fully: 0.16, none: 0.28 },
  { bones: ['upperarm', 'lowerarm', 'hand'], fully: 0.3, none: 0.5 },
] as const;
/** Skin gives way fully if one side has so much more of it than the other. */
const FULL = 0.25;
/** Distance from the plane over which the skin begins to give way, mm. */
const SOFT_MM = 6;

/**
 * Keeps the skin inside bent knees and elbows apart: skin of each side of a joint stays on its side of the plane that
 * halves the angle.
 *
 * @param posed a posed body; changed in place
 */
export function foldJoints(skeleton: Skeleton, { vertices, heads }: Posed): void {
  for (const { bones, fully, none } of JOINTS) {
    const [one, other, end] = bones;
    for (const side of ['l', 'r']) {
      const at = (name: string) => vectorAt(heads, skeleton.bone(`${name}_${side}`));
      const joint = at(other);
      const limbs = [minus(at(one), joint), minus(at(end), joint)] as const;
      const [a, b] = limbs.map(unit) as [Vector, Vector];
      const inside = sum(a, b);
      const normal = unit(minus(a, b));
      const first = skeleton.movedBy(new RegExp(`^${one}_${side}$`)).shares;
      const second = skeleton.movedBy(new RegExp(`^${other}_${side}$`)).shares;
      for (const vertex of skeleton.movedBy(new RegExp(`^(${one}|${other})_${side}$`)).vertices) {
        const more = first[vertex] - second[vertex];
        const way = minus(vectorAt(vertices, vertex), joint);
        if (dot(way, inside) <= 0) continue;
        const far = Math.sign(more) * dot(way, normal);
        const along = Math.max(...limbs.map((limb) => dot(way, limb) / dot(limb, limb)));
        const near = 1 - ramp((along - fully) / (none - fully));
        const to = (far + Math.sqrt(far * far + SOFT_MM * SOFT_MM)) / 2;
        const step = Math.sign(more) * near * ramp(Math.abs(more) / FULL) * (to - far);
        const moved = sum(vectorAt(vertices, vertex), times(normal, step));
        vertices.set(moved, 3 * vertex);
      }
    }
  }
}
