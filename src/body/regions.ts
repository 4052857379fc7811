import { INFLUENCES, type ShapeHeader, type ShapeViews } from '../lookup/shape-file.js';
import { marked, type Skeleton } from './skeleton.js';

/**
 * Parts of the body. A vertex belongs to the part of the bone with its largest weight. The left limbs represent both
 * sides.
 */
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

/** A point that the arm moves by more than this share belongs to the armpit, not to the chest. */
const ARMPIT = 0.35;

/** Name of a part of the body. */
export type RegionName = keyof typeof REGIONS;

/**
 * Vertices of a part of the body, and its edges as pairs of vertices. If a part ends along a smooth line, its `cuts`
 * lie on edges of the mesh. In `edges`, a cut has the number of vertices plus its own index.
 */
export interface Region {
  readonly vertices: Uint16Array;
  readonly edges: Uint16Array;
  readonly cuts: readonly Cut[];
}

/** A point at a fixed share of the way between two vertices. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

/** The parts of the body that the tape touches. An edge belongs to a part if both its ends do. */
export type Regions = Readonly<Record<RegionName, Region>>;

/** Returns the parts of a body, for the full triangles or for those of the light body. */
export function regionsOf(views: ShapeViews, skeleton: Skeleton, triangles: Uint16Array): Regions {
  const { vertices } = views.header;
  const used = new Uint8Array(vertices);
  const eyes = eyeVertices(views);
  const arms = skeleton.names.map((bone) => /^(upperarm|clavicle)_/.test(bone));
  const armShare = (vertex: number): number => {
    let share = 0;
    for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
      if (arms[views.skinBone[k]] === true) share += skeleton.weights[k];
    }
    return share;
  };
  for (const vertex of triangles) used[vertex] = eyes[vertex] === 1 ? 0 : 1;
  return Object.fromEntries(
    Object.entries(REGIONS).map(([name, bones]): [string, Region] => {
      const matches = skeleton.names.map((bone) => bones.test(bone));
      const inside = used.map((is, vertex) =>
        is === 1 && matches[views.skinBone[INFLUENCES * vertex]] === true ? 1 : 0,
      );
      if (name === 'chest') return [name, cutOff(triangles, vertices, inside, armShare)];
      const edges = edgesWithin(triangles, (vertex) => inside[vertex] === 1);
      return [name, { vertices: marked(inside), edges, cuts: [] }];
    }),
  ) as unknown as Regions;
}

/** Returns the part of some triangles in which the arm's share is small. The part ends along a line of equal share. */
function cutOff(
  triangles: Uint16Array,
  vertices: number,
  inside: Uint8Array,
  armShare: (vertex: number) => number,
): Region {
  const field = Float64Array.from(inside, (is, vertex) =>
    is === 1 ? ARMPIT - armShare(vertex) : -1,
  );
  const cuts: Cut[] = [];
  const known = new Map<number, number>();
  const cutOf = (a: number, b: number): number => {
    const [from, to] = a < b ? [a, b] : [b, a];
    const key = from * vertices + to;
    const cut = known.get(key) ?? vertices + cuts.length;
    if (cut === vertices + cuts.length) {
      const [f, t] = [field[from], field[to]];
      cuts.push({ from, to, share: f / (f - t) });
      known.set(key, cut);
    }
    return cut;
  };
  const seen = new Set<number>();
  const pairs: number[] = [];
  const add = (a: number, b: number): void => {
    const key = Math.min(a, b) * 2 * vertices + Math.max(a, b);
    if (seen.has(key)) return;
    seen.add(key);
    pairs.push(a, b);
  };
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [0, 1, 2].map((k) => triangles[i + k]);
    const ends: number[] = [];
    corners.forEach((a, k) => {
      const b = corners[(k + 1) % 3];
      const [ina, inb] = [field[a] > 0, field[b] > 0];
      if (ina && inb) add(a, b);
      if (ina === inb) return;
      const cut = cutOf(a, b);
      add(ina ? a : b, cut);
      ends.push(cut);
    });
    if (ends.length === 2) add(ends[0], ends[1]);
  }
  const kept = inside.map((_, vertex) => (field[vertex] > 0 ? 1 : 0));
  return { vertices: marked(kept), edges: Uint16Array.from(pairs), cuts };
}

/** Marks the vertices of the eyes. The eyes are shells of their own and are not measured. */
export function eyeVertices({ header, triangles }: ShapeViews): Uint8Array {
  const marks = new Uint8Array(header.vertices);
  for (const vertex of triangles.subarray(3 * skinTriangles(header.materials))) marks[vertex] = 1;
  return marks;
}

/** Number of triangles before those of the eyes, which are the last. */
export function skinTriangles(materials: ShapeHeader['materials']): number {
  return materials.reduce((sum, { name, triangles }) => sum + (isEye(name) ? 0 : triangles), 0);
}

/** Whether a material belongs to the eyes. */
export const isEye = (material: string): boolean => /^(eyes|iris)$/.test(material);

/** The edges of triangles whose ends are both accepted, each once, as pairs of vertices. */
export function edgesWithin(
  triangles: Uint16Array,
  accepts: (vertex: number) => boolean,
): Uint16Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let i = 0; i < triangles.length; i++) {
    const [a, b] = [triangles[i], triangles[i % 3 === 2 ? i - 2 : i + 1]];
    const key = 0x10000 * Math.min(a, b) + Math.max(a, b);
    if (seen.has(key) || !accepts(a) || !accepts(b)) continue;
    seen.add(key);
    edges.push(a, b);
  }
  return Uint16Array.from(edges);
}
