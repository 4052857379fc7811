import { type Posed, type Skeleton, vectorAt } from './skeleton.js';
import { dot, minus, ramp, sum, times, unit } from './vectors.js';

/** Skin gives way fully and not at all at these distances from the elbow, as shares of the upper arm or forearm. */
const NEAR = { fully: 0.3, none: 0.5 } as const;
/** Skin gives way fully if one side has so much more of it than the other. */
const FULL = 0.25;
/** Distance from the plane over which the skin begins to give way, mm. */
const SOFT_MM = 6;

/**
 * Keeps the skin inside bent elbows apart: skin of upper arm and forearm stays on its side of the plane that halves the
 * angle.
 *
 * @param posed a posed body; changed in place
 */
export function foldElbows(skeleton: Skeleton, { vertices, heads }: Posed): void {
  for (const side of ['l', 'r']) {
    const at = (name: string) => vectorAt(heads, skeleton.bone(`${name}_${side}`));
    const elbow = at('lowerarm');
    const [upper, fore] = [minus(at('upperarm'), elbow), minus(at('hand'), elbow)];
    const inside = sum(unit(upper), unit(fore));
    const normal = unit(minus(unit(upper), unit(fore)));
    const ofUpper = skeleton.movedBy(new RegExp(`^upperarm_${side}$`)).shares;
    const ofFore = skeleton.movedBy(new RegExp(`^lowerarm_${side}$`)).shares;
    for (const vertex of skeleton.movedBy(new RegExp(`^(upper|lower)arm_${side}$`)).vertices) {
      const more = ofUpper[vertex] - ofFore[vertex];
      const way = minus(vectorAt(vertices, vertex), elbow);
      if (dot(way, inside) <= 0) continue;
      const far = Math.sign(more) * dot(way, normal);
      const along = Math.max(dot(way, upper) / dot(upper, upper), dot(way, fore) / dot(fore, fore));
      const near = 1 - ramp((along - NEAR.fully) / (NEAR.none - NEAR.fully));
      const to = (far + Math.sqrt(far * far + SOFT_MM * SOFT_MM)) / 2;
      const step = Math.sign(more) * near * ramp(Math.abs(more) / FULL) * (to - far);
      vertices.set(sum(vectorAt(vertices, vertex), times(normal, step)), 3 * vertex);
    }
  }
}
