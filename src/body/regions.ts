import { INFLUENCES, type ShapeViews } from '../lookup/shape-file.js';
import type { Skeleton } from './skeleton.js';

/** Parts of the body by the bone with the largest weight. The left limbs stand for both sides. */
const REGIONS = {
  chest: /^(pelvis|spine_0[123])$/,
  trunkAndThighs: /^(pelvis|spine_0[123]|clavicle_[lr]|neck_01|thigh_[lr])$/,
  head: /^(head|neck_01)$/,
  neck: /^(head|neck_01|spine_03|clavicle_[lr])$/,
  thigh: /^(thigh_l|calf_l|pelvis)$/,
  leg: /^(thigh_l|calf_l|foot_l)$/,
  arm: /^(upperarm_l|lowerarm_l|hand_l|clavicle_l)$/,
  shoulders: /^(upperarm_[lr]|clavicle_[lr])$/,
  foot: /^(foot_l|ball_l)$/,
  feet: /^(foot|ball)_[lr]$/,
  hand: /^(hand|index_0.|middle_0.|ring_0.|pinky_0.)_l$/,
  thighAlone: /^thigh_l$/,
} as const;

/** A vertex that the arm moves by more than this share belongs to the armpit, not to the chest. */
const ARMPIT = 0.15;

/** Name of a part of the body. */
export type RegionName = keyof typeof REGIONS;

/** Vertices of a part of the body, and its edges as pairs of vertices. */
export interface Region {
  readonly vertices: Uint16Array;
  readonly edges: Uint16Array;
}

/** The parts of the body that the tape touches; an edge belongs to a part if both its ends do. */
export type Regions = Readonly<Record<RegionName, Region>>;

/** The parts of a body, for the full triangles or those of the light body. */
export function regionsOf(views: ShapeViews, skeleton: Skeleton, triangles: Uint16Array): Regions {
  const { vertices } = views.header;
  const used = new Uint8Array(vertices);
  const eyes = eyeVertices(views);
  const edges = edgesOf(triangles, vertices);
  const arms = skeleton.names.map((bone) => /^(upperarm|clavicle)_/.test(bone));
  const armShare = (vertex: number): number => {
    let share = 0;
    for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
      if (arms[views.skinBone[k] as number] === true) share += skeleton.weights[k] as number;
    }
    return share;
  };
  for (const vertex of triangles) used[vertex] = eyes[vertex] === 1 ? 0 : 1;
  return Object.fromEntries(
    Object.entries(REGIONS).map(([name, bones]): [string, Region] => {
      const matches = skeleton.names.map((bone) => bones.test(bone));
      const inside = used.map((is, vertex) => {
        if (is === 0 || matches[views.skinBone[INFLUENCES * vertex] as number] !== true) return 0;
        return name === 'chest' && armShare(vertex) > ARMPIT ? 0 : 1;
      });
      const own: number[] = [];
      inside.forEach((is, vertex) => {
        if (is === 1) own.push(vertex);
      });
      const pairs: number[] = [];
      for (let i = 0; i < edges.length; i += 2) {
        const [a, b] = [edges[i] as number, edges[i + 1] as number];
        if (inside[a] === 1 && inside[b] === 1) pairs.push(a, b);
      }
      return [name, { vertices: Uint16Array.from(own), edges: Uint16Array.from(pairs) }];
    }),
  ) as unknown as Regions;
}

/** Marks the vertices of the eyes, which are shells of their own and not measured. */
export function eyeVertices({ header, triangles }: ShapeViews): Uint8Array {
  const marks = new Uint8Array(header.vertices);
  const eyes = header.materials.at(-1)?.triangles ?? 0;
  for (const vertex of triangles.subarray(triangles.length - 3 * eyes)) marks[vertex] = 1;
  return marks;
}

/** Each edge once, as pairs of vertices. */
function edgesOf(triangles: Uint16Array, vertices: number): number[] {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [p, q] = [triangles[i + k] as number, triangles[i + ((k + 1) % 3)] as number];
      const key = Math.min(p, q) * vertices + Math.max(p, q);
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(p, q);
    }
  }
  return edges;
}
