import { INFLUENCES, WEIGHT_UNITS } from '../lookup/shape-file.js';
import type { Body, BodyBone } from './body.js';
import { vectorAt } from './skeleton.js';
import { cross, dot, sum } from './vectors.js';

/**
 * Segments of a body as in de Leva 1996 (Journal of Biomechanics 29:1223), each with the bone where it begins, the
 * segment from which it is cut, and its density in kg/l.
 *
 * The densities are those of Dempster 1955 (WADC Technical Report 55-159), as in table 4.1 of Winter 2009 (Biomechanics
 * and Motor Control of Human Movement). They only divide the mass: a factor makes the sum that of the whole body.
 */
const SEGMENTS = {
  lower_trunk: { bone: 'pelvis', parent: undefined, density: 1.03 },
  middle_trunk: { bone: 'spine_01', parent: 'lower_trunk', density: 1.03 },
  upper_trunk: { bone: 'spine_03', parent: 'middle_trunk', density: 1.03 },
  head_and_neck: { bone: 'neck_01', parent: 'upper_trunk', density: 1.11 },
  upper_arm_l: { bone: 'upperarm_l', parent: 'upper_trunk', density: 1.07 },
  forearm_l: { bone: 'lowerarm_l', parent: 'upper_arm_l', density: 1.13 },
  hand_l: { bone: 'hand_l', parent: 'forearm_l', density: 1.16 },
  upper_arm_r: { bone: 'upperarm_r', parent: 'upper_trunk', density: 1.07 },
  forearm_r: { bone: 'lowerarm_r', parent: 'upper_arm_r', density: 1.13 },
  hand_r: { bone: 'hand_r', parent: 'forearm_r', density: 1.16 },
  thigh_l: { bone: 'thigh_l', parent: 'lower_trunk', density: 1.05 },
  shank_l: { bone: 'calf_l', parent: 'thigh_l', density: 1.09 },
  foot_l: { bone: 'foot_l', parent: 'shank_l', density: 1.1 },
  thigh_r: { bone: 'thigh_r', parent: 'lower_trunk', density: 1.05 },
  shank_r: { bone: 'calf_r', parent: 'thigh_r', density: 1.09 },
  foot_r: { bone: 'foot_r', parent: 'shank_r', density: 1.1 },
} as const satisfies Record<string, { bone: string; parent: string | undefined; density: number }>;

/** Name of a segment. */
export type SegmentName = keyof typeof SEGMENTS;
/** The segments, each after that from which it is cut. */
export const SEGMENT_NAMES = Object.keys(SEGMENTS) as readonly SegmentName[];

/** A part of a body with the properties that a simulation needs. */
export interface Segment {
  readonly name: SegmentName;
  readonly parent: SegmentName | undefined;
  /** Where it is joined to its parent, mm. */
  readonly joint: BodyBone['head'];
  readonly volumeLitres: number;
  readonly massKg: number;
  /** Centre of mass, mm. */
  readonly centre: readonly [number, number, number];
  /** Moments of inertia about the centre of mass: xx, yy, zz, xy, xz, yz, kg·m². */
  readonly inertia: readonly number[];
}

/** For each vertex, the index in `SEGMENT_NAMES` of the segment in which it lies. */
export function segmentOfVertices(body: Body): Uint8Array {
  const found = new Uint8Array(body.positions.length / 3);
  SEGMENT_NAMES.forEach((name, segment) => {
    fieldOf(body, name).forEach((inside, vertex) => {
      if (inside >= 0) found[vertex] = segment;
    });
  });
  return found;
}

/** Integrals over a solid: 1, x, y, z, xx, yy, zz, xy, xz, yz, in powers of mm. */
type Integrals = Float64Array;
const INTEGRALS = 10;
const PAIRS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

const MM3_PER_LITRE = 1e6;
const MM2_PER_M2 = 1e6;
/** A height of this many mm counts as much as the whole share of a bone when a surface is divided. */
const HEIGHT_MM = 100;

/**
 * Place of the lower end of the breastbone between navel and its upper end, by gender: the ratio of the lengths of the
 * middle and the upper trunk in table 4 of de Leva 1996.
 */
const XIPHION = { Male: 215.5 / (215.5 + 170.7), Female: 205.3 / (205.3 + 142.5) } as const;

/**
 * Share of the skin's weight from which on a vertex belongs to the upper arm and to the thigh. De Leva's source cuts the
 * arm below the shoulder, and the thigh from the groin to the iliac spine. With these shares, masses and radii of
 * gyration come nearest to the published ones (`tools/compare-segments.ts`).
 */
const [ARM_FROM, THIGH_FROM] = [0.8, 0.2];

/**
 * Divides the closed mesh of a body into segments. A limb ends where half of the skin's weight is that of its bones, or
 * the share above; the trunk is cut level at the navel and at the lower end of the breastbone. Each cut is closed by triangles to the
 * joint, which both sides share. So volume, mass and all moments sum to those of the whole mesh.
 */
export function segmentsOf(body: Body): readonly Segment[] {
  const { bones, report } = body;
  const wholes = new Map<SegmentName, Integrals>();
  for (const name of SEGMENT_NAMES) {
    wholes.set(name, integralsOf(body, fieldOf(body, name), jointOf(bones, name)));
  }
  const own = SEGMENT_NAMES.map((name) => {
    const integrals = (wholes.get(name) as Integrals).slice();
    for (const child of SEGMENT_NAMES) {
      if (SEGMENTS[child].parent !== name) continue;
      (wholes.get(child) as Integrals).forEach((value, i) => {
        integrals[i] = integrals[i] - value;
      });
    }
    return { name, integrals };
  });
  const weighed = own.reduce(
    (sum, { name, integrals }) => sum + SEGMENTS[name].density * integrals[0],
    0,
  );
  const factor = (report.densityKgPerLitre * report.volumeLitres * MM3_PER_LITRE) / weighed;
  return own.map(({ name, integrals }) => {
    const density = (factor * SEGMENTS[name].density) / MM3_PER_LITRE;
    const { parent } = SEGMENTS[name];
    return { name, parent, joint: jointOf(bones, name), ...massOf(integrals, density) };
  });
}

/** Where a segment begins, mm. */
function jointOf(bones: readonly BodyBone[], name: SegmentName): BodyBone['head'] {
  const { bone } = SEGMENTS[name];
  return (bones.find((one) => one.name === bone) as BodyBone).head;
}

/** Mass properties of a solid. @param density kg/mm³ */
function massOf(integrals: Integrals, density: number) {
  const volume = integrals[0];
  const [x, y, z] = [1, 2, 3].map((k) => integrals[k] / volume);
  const centre = [x, y, z] as const;
  const [xx, yy, zz, xy, xz, yz] = PAIRS.map(
    ([i, j], k) => ((integrals[4 + k] - volume * centre[i] * centre[j]) * density) / MM2_PER_M2,
  );
  return {
    volumeLitres: volume / MM3_PER_LITRE,
    massKg: volume * density,
    centre,
    inertia: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
  };
}

/** For each vertex, how far it lies inside (positive) or outside a segment and all segments that are cut from it. */
function fieldOf(body: Body, name: SegmentName): Float64Array {
  const { landmarks, positions, gender } = body;
  if (name === 'lower_trunk') return new Float64Array(positions.length / 3).fill(1);
  if (!/_trunk$/.test(name)) {
    const share = shareOf(body, new RegExp(`^${SEGMENTS[name].bone}$`));
    if (!/^thigh/.test(name))
      return share.map((own) => own - (/^upper_arm/.test(name) ? ARM_FROM : 0.5));
    // The thighs share the skin of the crotch, and end at its middle.
    const other = shareOf(body, name === 'thigh_l' ? /^thigh_r$/ : /^thigh_l$/);
    return share.map((own, vertex) => Math.min(own - THIGH_FROM, own - other[vertex]));
  }
  const height = (of: string): number => landmarks.get(of)?.[1] ?? Number.NaN;
  const navel = height('omphalion');
  const rise = name === 'middle_trunk' ? 0 : XIPHION[gender] * (height('suprasternale') - navel);
  const above = shareOf(body, /^(neck_01|upperarm_[lr])$/);
  const legs = shareOf(body, /^thigh_[lr]$/);
  return above.map((share, vertex) => {
    const over = (positions[3 * vertex + 1] - navel - rise) / HEIGHT_MM;
    return Math.max(share - 0.5, Math.min(over, 0.5 - legs[vertex]));
  });
}

/** For each vertex, the share of some bones and of all bones below them. */
function shareOf({ bones, skinBone, skinWeight, positions }: Body, names: RegExp): Float64Array {
  const owns: boolean[] = [];
  bones.forEach(({ name, parent }) => {
    owns.push(names.test(name) || owns[parent] === true);
  });
  const shares = new Float64Array(positions.length / 3);
  for (let k = 0; k < skinBone.length; k++) {
    if (!owns[skinBone[k]]) continue;
    const vertex = Math.floor(k / INFLUENCES);
    shares[vertex] = shares[vertex] + skinWeight[k] / WEIGHT_UNITS;
  }
  return shares;
}

/**
 * Integrals over the part of the solid where the field is not negative. Triangles are divided where it is 0. Triangles
 * to the apex close the cut, because tetrahedra with the apex as a corner have no volume there.
 */
function integralsOf(
  { positions, materials }: Body,
  field: Float64Array,
  apex: readonly number[],
): Integrals {
  const sums = new Float64Array(INTEGRALS);
  // The corners of the part of a triangle that lies inside: at most four.
  const corners = new Float64Array(12);
  for (const { triangles } of materials) {
    for (let i = 0; i < triangles.length; i += 3) {
      let end = 0;
      for (let k = 0; k < 3; k++) {
        const from = triangles[i + k];
        const to = triangles[i + ((k + 1) % 3)];
        const a = field[from];
        const b = field[to];
        if (a >= 0) {
          for (let axis = 0; axis < 3; axis++) {
            corners[end++] = positions[3 * from + axis] - apex[axis];
          }
        }
        if (a >= 0 === b >= 0) continue;
        const share = a / (a - b);
        for (let axis = 0; axis < 3; axis++) {
          const start = positions[3 * from + axis];
          corners[end++] = start + share * (positions[3 * to + axis] - start) - apex[axis];
        }
      }
      for (let last = 6; last < end; last += 3) addTetrahedron(sums, corners, last);
    }
  }
  return moved(sums, apex);
}

/** Adds the integrals over the tetrahedron of the origin, the first corner, and two neighbours. */
function addTetrahedron(sums: Integrals, corners: Float64Array, last: number): void {
  const [a, b, c] = [0, last / 3 - 1, last / 3].map((corner) => vectorAt(corners, corner));
  const volume = dot(a, cross(b, c)) / 6;
  const whole = sum(a, sum(b, c));
  sums[0] += volume;
  for (let k = 0; k < 3; k++) sums[1 + k] += (volume * whole[k]) / 4;
  PAIRS.forEach(([i, j], k) => {
    const products = whole[i] * whole[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
    sums[4 + k] += (volume / 20) * products;
  });
}

/** The integrals after a shift of the solid. */
function moved(sums: Integrals, by: readonly number[]): Integrals {
  const volume = sums[0];
  const result = sums.slice();
  for (let k = 0; k < 3; k++) result[1 + k] = sums[1 + k] + volume * by[k];
  PAIRS.forEach(([i, j], k) => {
    const first = sums[1 + i] * by[j];
    result[4 + k] = sums[4 + k] + first + sums[1 + j] * by[i] + volume * by[i] * by[j];
  });
  return result;
}
