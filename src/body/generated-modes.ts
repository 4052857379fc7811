import { INFLUENCES, type ShapeViews } from '../lookup/shape-file.js';
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

/** A stretch of a bone, and a shift of its start against its parent. */
interface Stretch {
  readonly by: Rotation;
  readonly shift: Vector;
}

/** A stretch for each bone that it concerns; the other bones are carried along by their parents. */
type Stretches = ReadonlyMap<number, Stretch>;

/**
 * Modes that stretch bones along or across, spread by the skin weights, and modes that make the trunk's
 * outline squarer or rounder, or the shoulders wider. They cost no data, and they can meet lengths,
 * breadths and girths that the modes of the mesh cannot.
 *
 * @param mean points of the mean person of a gender and age, mm
 */
export function generatedModes(
  views: ShapeViews,
  skeleton: Skeleton,
  mean: Float64Array,
): { readonly names: string[]; readonly rows: SparseRows } {
  const room = new Float64Array(mean.length);
  const modes = new Map<string, Mode>();
  for (const [name, stretches] of boneStretches(skeleton, mean)) {
    modes.set(name, stretched(skeleton, mean, stretches, room));
  }
  for (const [name, move] of trunkMoves(views, skeleton, mean)) {
    modes.set(name, moved(views, skeleton, mean, move));
  }
  return { names: [...modes.keys()], rows: toRows([...modes.values()], mean.length) };
}

function boneStretches(skeleton: Skeleton, mean: Float64Array): Map<string, Stretches> {
  const { bone } = { bone: (name: string) => skeleton.bone(name) };
  const head = (name: string) => vectorAt(mean, skeleton.heads[bone(name)] as number);
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
  // The arms hang farther out, as those of heavy people do; the acromia move with the shoulder blades.
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

/** Points that a mode moves, and x, y, z of the displacement of each, mm for one unit of the weight. */
interface Mode {
  readonly points: ArrayLike<number>;
  readonly moves: Float32Array;
}

/**
 * The displacement of all points when bones are stretched and carry their children along.
 *
 * @param room memory for the displacements of all points
 */
function stretched(
  skeleton: Skeleton,
  mean: Float64Array,
  stretches: Stretches,
  room: Float64Array,
): Mode {
  const { parents, heads, tails } = skeleton;
  const of = (bone: number): Rotation => stretches.get(bone)?.by ?? NONE;
  const starts: Vector[] = [];
  const shifts: Vector[] = [];
  parents.forEach((parent, bone) => {
    const rest = vectorAt(mean, heads[bone] as number);
    let start: Vector = [0, 0, 0];
    if (parent >= 0) {
      const arm = minus(rest, vectorAt(mean, heads[parent] as number));
      const carried = sum(starts[parent] as Vector, turn(of(parent), arm));
      start = sum(carried, stretches.get(bone)?.shift ?? [0, 0, 0]);
    }
    starts.push(start);
    shifts.push(minus(start, turn(of(bone), rest)));
  });
  const linear = Float64Array.from(starts.flatMap((_, bone) => of(bone)));
  const constant = Float64Array.from(shifts.flat());
  const still = Uint8Array.from(shifts, (shift, bone) =>
    [...of(bone), ...shift].every((value) => value === 0) ? 1 : 0,
  );
  const vertices = skeleton.verticesOf((bone) => still[bone] === 0);
  skeleton.skin(mean, linear, constant, { only: vertices, still, into: room });
  // Ends first: the end of a bone is often the start of another, which knows better.
  const joints = new Set<number>();
  const put = (joint: number, by: Vector): void => {
    joints.add(joint);
    room.set(by, 3 * joint);
  };
  parents.forEach((_, bone) => {
    const end = tails[bone] as number;
    put(end, sum(turn(of(bone), vectorAt(mean, end)), shifts[bone] as Vector));
  });
  starts.forEach((start, bone) => {
    put(heads[bone] as number, start);
  });
  const points = [...vertices, ...joints];
  return { points, moves: taken(room, points) };
}

/** x, y, z of some points, one after the other. */
function taken(values: Float64Array, points: readonly number[]): Float32Array {
  const own = new Float32Array(3 * points.length);
  points.forEach((point, i) => {
    own[3 * i] = values[3 * point] as number;
    own[3 * i + 1] = values[3 * point + 1] as number;
    own[3 * i + 2] = values[3 * point + 2] as number;
  });
  return own;
}

/** A displacement of the surface at a point, of the size of the body's own lengths. */
interface SurfaceMove {
  /** Bones whose surface moves. */
  readonly bones: RegExp;
  readonly at: (point: Vector) => Vector;
}

function trunkMoves(
  views: ShapeViews,
  skeleton: Skeleton,
  mean: Float64Array,
): [string, SurfaceMove][] {
  const head = (name: string) => vectorAt(mean, skeleton.heads[skeleton.bone(name)] as number);
  const [hip, waist, chest, neck] = [
    head('thigh_l'),
    head('spine_02'),
    head('spine_03'),
    head('neck_01'),
  ];
  const trunk = neck[1] - hip[1];
  const bell = (x: number, width: number): number => Math.exp(-0.5 * (x / width) ** 2);
  // cos 4θ is −1 on the diagonals of the outline, and 1 at front, back and sides.
  const squarer =
    (height: number, centre: number, width: number, ratio: number) =>
    (point: Vector): Vector => {
      const angle = Math.atan2((point[2] - centre) / ratio, point[0]);
      const size = -Math.cos(4 * angle) * bell(point[1] - height, width * trunk);
      return [point[0] * size, 0, (point[2] - centre) * size];
    };
  const fuller =
    (height: number, centre: number) =>
    (point: Vector): Vector => {
      const size = bell(point[1] - height, 0.22 * trunk);
      return [point[0] * size, 0, (point[2] - centre) * size];
    };
  const bones = /^(pelvis|spine|thigh|clavicle)/;
  const brow = vectorAt(mean, views.header.landmarks.glabella as number);
  // The middle of the skull lies behind the brow by half of its length.
  const skull = brow[2] - 0.19 * trunk;
  const shoulder = head('upperarm_l');
  const nipples = chest[1] + 0.25 * (neck[1] - chest[1]);
  return [
    ['head-squareness', { bones: /^head$/, at: squarer(brow[1], skull, 0.12, 1.25) }],
    ['hips-squareness', { bones, at: squarer(hip[1], hip[2], 0.12, 0.75) }],
    ['waist-squareness', { bones, at: squarer(waist[1], waist[2], 0.12, 0.75) }],
    ['hips-fullness', { bones, at: fuller(hip[1], hip[2]) }],
    ['waist-fullness', { bones, at: fuller(waist[1], waist[2]) }],
    ['chest-squareness', { bones, at: squarer(nipples, chest[2], 0.12, 0.75) }],
    [
      'deltoid-breadth',
      {
        bones: /^(upperarm|clavicle)/,
        at: ([x, y, z]) => {
          const far = Math.abs(x) - shoulder[0];
          const near =
            bell(y - shoulder[1] + 0.18 * trunk, 0.18 * trunk) * bell(z - shoulder[2], 0.2 * trunk);
          return [
            Math.sign(x) * near * 0.2 * trunk * Math.min(1, Math.max(0, far / (0.08 * trunk))),
            0,
            0,
          ];
        },
      },
    ],
  ];
}

function moved(
  views: ShapeViews,
  skeleton: Skeleton,
  mean: Float64Array,
  { bones, at }: SurfaceMove,
): Mode {
  const moves = skeleton.names.map((name) => bones.test(name));
  const points = skeleton.verticesOf((bone) => moves[bone] === true);
  const displacement = new Float32Array(3 * points.length);
  points.forEach((vertex, i) => {
    let share = 0;
    for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
      if (moves[views.skinBone[k] as number] === true) share += skeleton.weights[k] as number;
    }
    const [x, y, z] = at(vectorAt(mean, vertex));
    displacement[3 * i] = share * x;
    displacement[3 * i + 1] = share * y;
    displacement[3 * i + 2] = share * z;
  });
  return { points, moves: displacement };
}

/** Displacements below this size, mm for one unit of the weight, are dropped. */
const LEAST_MM = 1e-3;

/** @param length number of coordinates of all points */
function toRows(modes: readonly Mode[], length: number): SparseRows {
  const start = new Uint32Array(length + 1);
  for (const { points, moves } of modes) {
    for (let i = 0; i < moves.length; i++) {
      if (Math.abs(moves[i] as number) < LEAST_MM) continue;
      const row = 3 * (points[(i / 3) | 0] as number) + (i % 3);
      start[row + 1] = (start[row + 1] as number) + 1;
    }
  }
  for (let i = 0; i < length; i++) start[i + 1] = (start[i + 1] as number) + (start[i] as number);
  const next = start.slice(0, length);
  const column = new Uint8Array(start[length] as number);
  const value = new Float32Array(start[length] as number);
  modes.forEach(({ points, moves }, k) => {
    for (let i = 0; i < moves.length; i++) {
      const mm = moves[i] as number;
      if (Math.abs(mm) < LEAST_MM) continue;
      const row = 3 * (points[(i / 3) | 0] as number) + (i % 3);
      const at = next[row] as number;
      next[row] = at + 1;
      column[at] = k;
      value[at] = mm;
    }
  });
  return { start, column, value };
}
