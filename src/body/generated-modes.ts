import type { ShapeViews } from '../lookup/shape-file.js';
import { type Skeleton, vectorAt } from './skeleton.js';
import type { SparseRows } from './sparse-rows.js';
import { minus, type Rotation, sum, turn, unit, type Vector } from './vectors.js';

const NONE: Rotation = [0, 0, 0, 0, 0, 0, 0, 0, 0];
const FINGERS = ['hand', 'index', 'middle', 'ring', 'pinky', 'thumb'];

const diagonal = (x: number, y: number, z: number): Rotation => [x, 0, 0, 0, y, 0, 0, 0, z];
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
    moves: toRows(modes, mean.length),
  };
}

function boneStretches(skeleton: Skeleton, mean: Float64Array): Map<string, Stretches> {
  const { bone } = { bone: (name: string) => skeleton.bone(name) };
  const head = (name: string) => vectorAt(mean, skeleton.heads[bone(name)]);
  const modes = new Map<string, Stretches>();
  const put = (name: string, stretches: readonly (readonly [string, Rotation])[]) =>
    modes.set(name, new Map(stretches.map(([of, by]) => [bone(of), { by, shift: [0, 0, 0] }])));
  const sides = ['l', 'r'] as const;
  const limbs = { upperarm: 'lowerarm', lowerarm: 'hand', thigh: 'calf', calf: 'foot' };
  for (const [limb, next] of Object.entries(limbs)) {
    const axes = sides.map(
      (s) => [`${limb}_${s}`, unit(minus(head(`${next}_${s}`), head(`${limb}_${s}`)))] as const,
    );
    put(
      `${limb}-length`,
      axes.map(([of, axis]) => [of, along(axis)]),
    );
    put(
      `${limb}-girth`,
      axes.map(([of, axis]) => [of, aside(axis)]),
    );
  }
  const names = skeleton.names;
  const hands = sides.flatMap((s) => {
    const axis = unit(minus(head(`middle_01_${s}`), head(`hand_${s}`)));
    return names
      .filter((name) => name.endsWith(`_${s}`) && FINGERS.includes(name.split('_')[0] ?? ''))
      .map((name) => [name, axis] as const);
  });
  put(
    'hand-length',
    hands.map(([of, axis]) => [of, along(axis)]),
  );
  put(
    'hand-girth',
    hands.map(([of, axis]) => [of, aside(axis)]),
  );
  const feet = sides.flatMap((s) => [`foot_${s}`, `ball_${s}`]);
  const all = (of: readonly string[], stretch: Rotation) =>
    of.map((name) => [name, stretch] as const);
  put('foot-length', all(feet, diagonal(0, 0, 1)));
  put('foot-breadth', all(feet, diagonal(1, 0, 0)));
  put('foot-height', all(feet, diagonal(0, 1, 0)));
  put('neck-length', all(['neck_01'], diagonal(0, 1, 0)));
  put('neck-girth', all(['neck_01'], diagonal(1, 0, 1)));
  for (const part of ['head', 'pelvis', 'spine_01', 'spine_02', 'spine_03']) {
    put(`${part}-breadth`, all([part], diagonal(1, 0, 0)));
    put(`${part}-height`, all([part], diagonal(0, 1, 0)));
    put(`${part}-depth`, all([part], diagonal(0, 0, 1)));
  }
  put('shoulder-breadth', all(['clavicle_l', 'clavicle_r'], diagonal(1, 0, 0)));
  // The arms hang farther out, as in heavy people. The acromia move with the shoulder blades.
  const out = 0.2 * (head('neck_01')[1] - head('thigh_l')[1]);
  modes.set(
    'arm-distance',
    new Map(
      sides.map((s, i) => [
        bone(`upperarm_${s}`),
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

/** Points that a mode moves, and x, y, z of the displacement of each, mm for one unit of the weight. */
interface Mode {
  readonly points: Uint16Array;
  readonly moves: Float32Array;
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

/** Smaller displacements than this are dropped, mm for one unit of the weight. */
const LEAST_MM = 0.02;

/** @param length number of coordinates of all points */
function toRows(modes: readonly Mode[], length: number): SparseRows {
  const start = new Uint32Array(length + 1);
  for (const { points, moves } of modes) {
    for (let i = 0; i < moves.length; i++) {
      if (Math.abs(moves[i]) < LEAST_MM) continue;
      const row = 3 * points[(i / 3) | 0] + (i % 3);
      start[row + 1] += 1;
    }
  }
  for (let i = 0; i < length; i++) start[i + 1] += start[i];
  const next = start.slice(0, length);
  const column = new Uint8Array(start[length]);
  const value = new Float32Array(start[length]);
  modes.forEach(({ points, moves }, k) => {
    for (let i = 0; i < moves.length; i++) {
      const mm = moves[i];
      if (Math.abs(mm) < LEAST_MM) continue;
      const row = 3 * points[(i / 3) | 0] + (i % 3);
      const at = next[row];
      next[row] = at + 1;
      column[at] = k;
      value[at] = mm;
    }
  });
  return { start, column, value };
}
