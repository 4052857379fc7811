import type { BaseMesh } from './read-assets.js';

/** A landmark of the body: its name, its vertex of the base mesh, and its meaning. */
export interface Landmark {
  readonly name: string;
  readonly vertex: number;
  readonly meaning: string;
}

/** Landmarks on the midline. The vertices were chosen by hand on the mean adult. */
const MIDLINE: readonly Landmark[] = [
  { name: 'vertex', vertex: 881, meaning: 'top of the head' },
  { name: 'glabella', vertex: 220, meaning: 'most forward point between the brows' },
  { name: 'trichion', vertex: 983, meaning: 'hairline on the forehead' },
  { name: 'sellion', vertex: 132, meaning: 'deepest point of the root of the nose' },
  { name: 'pronasale', vertex: 297, meaning: 'tip of the nose' },
  { name: 'subnasale', vertex: 343, meaning: 'point where the nose meets the upper lip' },
  { name: 'stomion', vertex: 474, meaning: 'middle of the line between the lips' },
  { name: 'pogonion', vertex: 5162, meaning: 'most forward point of the chin' },
  { name: 'menton', vertex: 747, meaning: 'lowest point of the chin' },
  { name: 'suprasternale', vertex: 1522, meaning: 'notch at the upper end of the breastbone' },
  { name: 'cervicale', vertex: 857, meaning: 'tip of the spinous process of C7' },
  { name: 'omphalion', vertex: 4116, meaning: 'centre of the navel' },
  { name: 'crotch', vertex: 4374, meaning: 'lowest point of the trunk on the midline' },
];

/** Landmarks of the left side. The landmarks of the right side are their mirror images. */
const LEFT: readonly Landmark[] = [
  { name: 'ectocanthus', vertex: 11472, meaning: 'outer corner of the eye' },
  { name: 'frontotemporale', vertex: 11869, meaning: 'side of the forehead above the brow' },
  { name: 'zygion', vertex: 7573, meaning: 'most lateral point of the cheekbone' },
  { name: 'gonion', vertex: 7597, meaning: 'angle of the jaw' },
  { name: 'alare', vertex: 11669, meaning: 'most lateral point of the nostril' },
  { name: 'cheilion', vertex: 7183, meaning: 'corner of the mouth' },
  { name: 'tragion', vertex: 12032, meaning: 'notch above the flap of the ear' },
  { name: 'superaurale', vertex: 12002, meaning: 'highest point of the ear' },
  { name: 'subaurale', vertex: 12329, meaning: 'lowest point of the ear' },
  { name: 'preaurale', vertex: 12048, meaning: 'front edge of the ear' },
  { name: 'postaurale', vertex: 12018, meaning: 'rear edge of the ear' },
  { name: 'malleolus', vertex: 12836, meaning: 'outer side of the ankle' },
  { name: 'acromion', vertex: 8235, meaning: 'most lateral point of the shoulder blade' },
  { name: 'thelion', vertex: 8459, meaning: 'nipple, or bust point' },
  { name: 'radiale', vertex: 10056, meaning: 'upper edge of the radius at the elbow' },
  { name: 'stylion', vertex: 10220, meaning: 'tip of the radius at the wrist' },
  { name: 'dactylion', vertex: 8787, meaning: 'tip of the middle finger' },
  { name: 'popliteal', vertex: 11202, meaning: 'underside of the thigh behind the knee' },
  { name: 'pternion', vertex: 12453, meaning: 'most rearward point of the heel' },
  { name: 'acropodion', vertex: 11551, meaning: 'tip of the longest toe' },
];

/** All landmarks, by vertex of the base mesh. Names of landmarks on a side end with `_l` or `_r`. */
export function landmarksOf({ positions, groups }: BaseMesh): Landmark[] {
  const body = [...new Set(groups.get('body')?.flat())];
  const mirrored = (vertex: number): number => {
    const [x = 0, y = 0, z = 0] = positions[vertex] ?? [];
    const distance = (other: number): number => {
      const [u = 0, v = 0, w = 0] = positions[other] ?? [];
      return Math.hypot(u + x, v - y, w - z);
    };
    return body.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  };
  const pairs = LEFT.flatMap(({ name, vertex, meaning }) => [
    { name: `${name}_l`, vertex, meaning: `${meaning}, left` },
    { name: `${name}_r`, vertex: mirrored(vertex), meaning: `${meaning}, right` },
  ]);
  return [...MIDLINE, ...pairs];
}
