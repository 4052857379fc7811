import type { ShapeViews } from '../lookup/shape-file.js';
import { type Skeleton, vectorAt } from './skeleton.js';
import { type Mode, type SparseRows, sparseRows } from './sparse-rows.js';
import { minus, type Rotation, sum, turn, unit, type Vector } from './vectors.js';

const NONE: Rotation = [0, 0, 0, 0, 0, 0, 0, 0, 0];
const HAND = /^(hand|index|middle|ring|pinky|thumb)_.*[lr]$/;

/** Stretch along a unit axis. */
const along = (u: Vector): Rotation => u.flatMap((a) => u.map((b) => a * b));
/** Stretch across a unit axis. */
const aside = (u: Vector): Rotation => along(u).map((value, i) => (i % 4 === 0 ? 1 : 0) - value);

/** A stretch of a bone, and a shift of its start relative to its parent. */
interface Stretch {
  readonly by: Rotation;
  readonly shift: Vector;
}

/** A stretch for each bone that a mode stretches. The parents of the other bones carry them along. */
type Stretches = ReadonlyMap<number, Stretch>;

/** Smaller displacements than this are dropped, mm for one unit of the weight. */
const LEAST_MM = 0.02;

/** Modes that need no data in the artifact, for the mean person of a gender and age. */
export interface GeneratedModes {
  /** Names of the modes: first those that stretch bones, then those that move the surface. */
  readonly names: readonly string[];
  readonly stretches: BoneModes;
  readonly moves: SparseRows;
}

/**
 * Makes modes that stretch bones lengthwise or across, spread by the skin weights. Further modes make the outline of
 * the trunk more or less square. These modes can meet lengths, breadths and girths that the modes of the mesh cannot.
 *
 * @param mean points of the mean person of a gender and age, mm
 */
export function generatedModes(
  views: ShapeViews,
  skeleton: Skeleton,
  mean: Float64Array,
): GeneratedModes {
  const stretches = boneStretches(skeleton, mean);
  const moves = trunkMoves(views, skeleton, mean);
  const modes = moves.map(([, move]) => moved(skeleton, mean, move));
  return {
    names: [...stretches.keys(), ...moves.map(([name]) => name)],
    stretches: boneModes(views, skeleton, mean, [...stretches.values()]),
    moves: sparseRows(modes, mean.length, LEAST_MM),
  };
}

function boneStretches(skeleton: Skeleton, mean: Float64Array): Map<string, Stretches> {
  const head = (name: string) => vectorAt(mean, skeleton.heads[skeleton.bone(name)]);
  const modes = new Map<string, Stretches>();
  const put = (mode: string, bones: readonly string[], byOf: (bone: string) => Rotation) => {
    const stretches = bones.map((name) => [skeleton.bone(name), byOf(name)] as const);
    modes.set(mode, new Map(stretches.map(([bone, by]) => [bone, { by, shift: [0, 0, 0] }])));
  };
  const sides = ['l', 'r'] as const;
  const both = (bone: string) => sides.map((side) => `${bone}_${side}`);
  /** Stretches along and across the way from one joint to another one on the same side. */
  const lengthen = (part: string, bones: readonly string[], from: string, to: string) => {
    const axisOf = (bone: string): Vector => {
      const side = bone.slice(-2);
      return unit(minus(head(to + side), head(from + side)));
    };
    put(`${part}-length`, bones, (bone) => along(axisOf(bone)));
    put(`${part}-girth`, bones, (bone) => aside(axisOf(bone)));
  };
  const limbs = { upperarm: 'lowerarm', lowerarm: 'hand', thigh: 'calf', calf: 'foot' };
  for (const [limb, next] of Object.entries(limbs)) lengthen(limb, both(limb), limb, next);
  const hands = skeleton.names.filter((name) => HAND.test(name));
  lengthen('hand', hands, 'hand', 'middle_01');
  const stretch = (mode: string, bones: readonly string[], x: number, y: number, z: number) =>
    put(mode, bones, () => [x, 0, 0, 0, y, 0, 0, 0, z]);
  const feet = [...both('foot'), ...both('ball')];
  stretch('foot-length', feet, 0, 0, 1);
  stretch('foot-breadth', feet, 1, 0, 0);
  stretch('foot-height', feet, 0, 1, 0);
  stretch('neck-length', ['neck_01'], 0, 1, 0);
  stretch('neck-girth', ['neck_01'], 1, 0, 1);
  for (const part of ['head', 'pelvis', 'spine_01', 'spine_02', 'spine_03']) {
    stretch(`${part}-breadth`, [part], 1, 0, 0);
    stretch(`${part}-height`, [part], 0, 1, 0);
    stretch(`${part}-depth`, [part], 0, 0, 1);
  }
  stretch('shoulder-breadth', both('clavicle'), 1, 0, 0);
  // The arms hang farther out, as in heavy people. The acromia move with the shoulder blades.
  const out = 0.2 * (head('neck_01')[1] - head('thigh_l')[1]);
  modes.set(
    'arm-distance',
    new Map(
      sides.map((s, i) => [
        skeleton.bone(`upperarm_${s}`),
        { by: NONE, shift: [i === 0 ? out : -out, 0, 0] },
      ]),
    ),
  );
  return modes;
}

/**
 * How modes of unit weight move bones. A point of the mean body moves by the weighted mean of `matrix · point + shift`
 * over its bones. A mode therefore needs no list of vertices.
 */
export interface BoneModes {
  readonly count: number;
  /** The bones that each mode moves. */
  readonly moved: readonly Uint8Array[];
  /** Nine numbers for each bone of each mode, row by row. */
  readonly matrices: Float64Array;
  /** x, y, z for each bone of each mode, mm. */
  readonly shifts: Float64Array;
  /** x, y, z of the displacement of each joint in each mode, mm. */
  readonly joints: Float64Array;
}

/** How bones move when they are stretched and carry their children along. */
function boneModes(
  { header }: ShapeViews,
  { parents, heads, tails }: Skeleton,
  mean: Float64Array,
  modes: readonly Stretches[],
): BoneModes {
  const bones = parents.length;
  const matrices = new Float64Array(9 * bones * modes.length);
  const shifts = new Float64Array(3 * bones * modes.length);
  const joints = new Float64Array(3 * header.joints * modes.length);
  modes.forEach((stretches, mode) => {
    const of = (bone: number): Rotation => stretches.get(bone)?.by ?? NONE;
    const starts: Vector[] = [];
    const put = (joint: number, by: Vector): void => {
      joints.set(by, 3 * (header.joints * mode + joint - header.vertices));
    };
    parents.forEach((parent, bone) => {
      const rest = vectorAt(mean, heads[bone]);
      let start: Vector = [0, 0, 0];
      if (parent >= 0) {
        const arm = minus(rest, vectorAt(mean, heads[parent]));
        const carried = sum(starts[parent], turn(of(parent), arm));
        start = sum(carried, stretches.get(bone)?.shift ?? [0, 0, 0]);
      }
      starts.push(start);
      const shift = minus(start, turn(of(bone), rest));
      matrices.set(of(bone), 9 * (bones * mode + bone));
      shifts.set(shift, 3 * (bones * mode + bone));
      const end = tails[bone];
      put(end, sum(turn(of(bone), vectorAt(mean, end)), shift));
    });
    // The starts are written last. The end of a bone is often the start of another bone, and the start is more exact.
    starts.forEach((start, bone) => {
      put(heads[bone], start);
    });
  });
  const isMoved = (values: Float64Array, width: number, mode: number, bone: number): boolean => {
    const at = width * (bones * mode + bone);
    return values.subarray(at, at + width).some((value) => value !== 0);
  };
  const moved = modes.map((_, mode) =>
    Uint8Array.from(
      [...parents.keys()].filter(
        (bone) => isMoved(matrices, 9, mode, bone) || isMoved(shifts, 3, mode, bone),
      ),
    ),
  );
  return { count: modes.length, moved, matrices, shifts, joints };
}

/** A displacement of the surface. */
interface SurfaceMove {
  /** Bones whose surface moves. */
  readonly bones: RegExp;
  /** Heights between which it moves, mm. */
  readonly between: readonly [number, number];
  /** Depth of the axis from which points move away horizontally, mm forward. Without an axis, points move sideways. */
  readonly axis?: number;
  /** Distance of the axis from the middle plane, on both sides, mm. By default the axis is in the middle. */
  readonly beside?: number;
  /** Displacement as a share of the distance from the axis, or in mm to the left. */
  readonly at: (x: number, y: number, z: number) => number;
}

/** A bell ends this many of its widths from its middle, where its height is 0.03 %. */
const BELL_ENDS = 4;

function trunkMoves(
  views: ShapeViews,
  skeleton: Skeleton,
  mean: Float64Array,
): [string, SurfaceMove][] {
  const head = (name: string) => vectorAt(mean, skeleton.heads[skeleton.bone(name)]);
  const [hip, waist, chest, neck] = [
    head('thigh_l'),
    head('spine_02'),
    head('spine_03'),
    head('neck_01'),
  ];
  const trunk = neck[1] - hip[1];
  const bell = (x: number, width: number): number => Math.exp(-0.5 * (x / width) ** 2);
  const around = (height: number, width: number): [number, number] => [
    height - BELL_ENDS * width,
    height + BELL_ENDS * width,
  ];
  const bones = /^(pelvis|spine|thigh|clavicle)/;
  // The factor cos 4θ is −1 on the diagonals of the outline, and 1 at front, back and sides.
  const squarer = (height: number, axis: number, ratio: number, of = bones): SurfaceMove => {
    const width = 0.12 * trunk;
    return {
      bones: of,
      between: around(height, width),
      axis,
      at: (x, y, z) => -Math.cos(4 * Math.atan2((z - axis) / ratio, x)) * bell(y - height, width),
    };
  };
  const fuller = ([, height, axis]: Vector): SurfaceMove => {
    const width = 0.22 * trunk;
    return { bones, between: around(height, width), axis, at: (_, y) => bell(y - height, width) };
  };
  // The modes of the mesh change the middle of the thigh most, but the tape goes around its top.
  const top = hip[1] - 0.2 * trunk;
  const thighs: SurfaceMove = {
    bones: /^thigh/,
    between: around(top, 0.13 * trunk),
    axis: hip[2],
    beside: hip[0],
    at: (_, y) => bell(y - top, 0.13 * trunk),
  };
  const brow = vectorAt(mean, views.header.landmarks.glabella);
  // The middle of the skull is half of the skull's length behind the brow.
  const skull = brow[2] - 0.19 * trunk;
  const temple = vectorAt(mean, views.header.landmarks.frontotemporale_l);
  const temples: SurfaceMove = {
    bones: /^head$/,
    between: around(temple[1], 0.04 * trunk),
    at: (x, y, z) =>
      0.5 * x * bell(y - temple[1], 0.04 * trunk) * bell(z - temple[2], 0.06 * trunk),
  };
  const nipples = chest[1] + 0.25 * (neck[1] - chest[1]);
  return [
    ['head-squareness', squarer(brow[1], skull, 1.25, /^head$/)],
    ['temple-breadth', temples],
    ['hips-squareness', squarer(hip[1], hip[2], 0.75)],
    ['waist-squareness', squarer(waist[1], waist[2], 0.75)],
    ['hips-fullness', fuller(hip)],
    ['waist-fullness', fuller(waist)],
    ['thighs-fullness', thighs],
    ['chest-squareness', squarer(nipples, chest[2], 0.75)],
  ];
}

function moved(
  skeleton: Skeleton,
  mean: Float64Array,
  { bones, between: [from, to], axis, beside = 0, at }: SurfaceMove,
): Mode {
  const { vertices, shares } = skeleton.movedBy(bones);
  const points = vertices.filter((vertex) => {
    const y = mean[3 * vertex + 1];
    return y > from && y < to;
  });
  const moves = new Float32Array(3 * points.length);
  points.forEach((vertex, i) => {
    const share = shares[vertex];
    const x = mean[3 * vertex];
    const z = mean[3 * vertex + 2];
    const size = share * at(x, mean[3 * vertex + 1], z);
    moves[3 * i] = axis === undefined ? size : size * (x - Math.sign(x) * beside);
    moves[3 * i + 2] = axis === undefined ? 0 : size * (z - axis);
  });
  return { points, moves };
}
