import { INFLUENCES, type ShapeViews, WEIGHT_UNITS } from '../lookup/shape-file.js';
import {
  about,
  across,
  angleAbout,
  compose,
  minus,
  type Rotation,
  rotationBetween,
  sum,
  times,
  turn,
  unit,
  type Vector,
} from './vectors.js';

/** Postures of a body. */
export const POSES = ['standing', 'sitting', 'a_pose'] as const;
/** A posture: arms 9° from vertical; hips and knees at 90° with level forearms; arms at 45°. */
export type Pose = (typeof POSES)[number];

/** Angle of the upper arms from vertical, radians. */
const ARMS: Readonly<Record<Pose, number>> = {
  standing: (9 * Math.PI) / 180,
  sitting: (9 * Math.PI) / 180,
  a_pose: Math.PI / 4,
};
/** Angle of the feet outwards, radians. */
const FEET_OUT = (6 * Math.PI) / 180;
const IDENTITY: Rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** A posed body: the points and where the bones are. */
export interface Posed {
  /** x, y, z of each vertex, mm. */
  readonly vertices: Float64Array;
  /** x, y, z of the head of each bone, mm. */
  readonly heads: Float64Array;
  /** Rotation of each bone from the rest pose: nine numbers, row by row. */
  readonly rotations: Float64Array;
}

/**
 * The skeleton: how bones turn in each pose, and linear blend skinning. At fixed rotations the posed
 * points are linear in the points of the rest pose, so gradients go back through the transpose.
 */
export class Skeleton {
  readonly parents: Int32Array;
  /** Joint at the start and at the end of each bone, counted among the points. */
  readonly heads: Int32Array;
  readonly tails: Int32Array;
  readonly weights: Float32Array;
  readonly names: readonly string[];

  constructor(private readonly views: ShapeViews) {
    const { bones, vertices } = views.header;
    this.names = bones.map(({ name }) => name);
    this.parents = Int32Array.from(bones, ({ parent }) => parent);
    this.heads = Int32Array.from(bones, ({ head }) => vertices + head);
    this.tails = Int32Array.from(bones, ({ tail }) => vertices + tail);
    this.weights = Float32Array.from(views.skinWeight, (weight) => weight / WEIGHT_UNITS);
  }

  /** Index of a bone. */
  bone(name: string): number {
    const index = this.names.indexOf(name);
    if (index < 0) throw new Error(`The skeleton has no bone ${name}.`);
    return index;
  }

  /** Rotations of all bones for a pose of a body in its rest pose. */
  rotations(points: Float64Array, pose: Pose): Float64Array {
    const own = new Map<number, Rotation>();
    for (const side of ['l', 'r'] as const) {
      this.poseArm(points, pose, side, own);
      this.poseLeg(points, pose, side, own);
    }
    const rotations = new Float64Array(9 * this.parents.length);
    this.parents.forEach((parent, bone) => {
      const inherited = parent < 0 ? IDENTITY : rotations.subarray(9 * parent, 9 * parent + 9);
      rotations.set(own.get(bone) ?? inherited, 9 * bone);
    });
    return rotations;
  }

  private head(points: Float64Array, name: string): Vector {
    return vectorAt(points, this.heads[this.bone(name)] as number);
  }

  private poseArm(points: Float64Array, pose: Pose, side: 'l' | 'r', own: Map<number, Rotation>) {
    const out = side === 'l' ? 1 : -1;
    const at = (name: string) => this.head(points, `${name}_${side}`);
    const [shoulder, elbow, wrist] = [at('upperarm'), at('lowerarm'), at('hand')];
    const open = ARMS[pose];
    const down: Vector = unit([out * Math.sin(open), -Math.cos(open), -0.02]);
    const hang = rotationBetween(minus(elbow, shoulder), down);
    // Rolled about the hanging arm, so that the elbow bends forward.
    const bend = across(turn(hang, minus(wrist, elbow)), down);
    const forward = across([-0.25 * out, 0, 1], down);
    const half = about(down, angleAbout(down, bend, forward) / 2);
    const upper = compose(half, hang);
    const fore: Vector =
      pose === 'sitting'
        ? unit([-0.05 * out, -0.06, 1])
        : unit([out * Math.sin(0.6 * open), -Math.cos(0.6 * open), 0.1]);
    const rolled = compose(half, upper);
    const lower = compose(rotationBetween(turn(rolled, minus(wrist, elbow)), fore), rolled);
    const palm = unit(pose === 'sitting' ? sum(fore, [0, -0.05, 0]) : fore);
    const straight = compose(
      rotationBetween(turn(lower, minus(at('middle_01'), wrist)), palm),
      lower,
    );
    // The palm faces the thigh, or the floor when sitting.
    const knuckles = across(turn(straight, minus(at('index_01'), at('pinky_01'))), palm);
    const thumbSide = across(pose === 'sitting' ? [-out, 0.3, 0] : [-0.45 * out, 0, 1], palm);
    const twist = about(palm, 0.85 * angleAbout(palm, knuckles, thumbSide));
    own.set(this.bone(`upperarm_${side}`), upper);
    own.set(this.bone(`lowerarm_${side}`), lower);
    own.set(this.bone(`hand_${side}`), compose(twist, straight));
  }

  private poseLeg(points: Float64Array, pose: Pose, side: 'l' | 'r', own: Map<number, Rotation>) {
    const out = side === 'l' ? 1 : -1;
    const at = (name: string) => this.head(points, `${name}_${side}`);
    const [hip, knee, ankle] = [at('thigh'), at('calf'), at('foot')];
    const [thigh, calf] = [minus(knee, hip), minus(ankle, knee)];
    const size = Math.hypot(...thigh);
    if (pose === 'sitting') {
      // The knee does not roll: first a hanging leg, then a quarter turn about the sideways axis.
      const hang = rotationBetween(thigh, [out * 0.02 * size, -size, 0]);
      own.set(this.bone(`thigh_${side}`), compose(about([1, 0, 0], -Math.PI / 2), hang));
      own.set(this.bone(`calf_${side}`), rotationBetween(calf, [0, -1, 0]));
    } else {
      const legs = size + Math.hypot(...calf);
      const inward = (-0.08 * hip[0]) / legs;
      own.set(
        this.bone(`thigh_${side}`),
        rotationBetween(thigh, [inward, -1, (0.7 * thigh[2]) / size]),
      );
      own.set(this.bone(`calf_${side}`), rotationBetween(calf, [inward, -1, -0.05]));
    }
    const foot = this.bone(`foot_${side}`);
    const toes = minus(vectorAt(points, this.tails[foot] as number), ankle);
    const yaw = Math.atan2(toes[0], toes[2]);
    own.set(foot, about([0, 1, 0], -yaw + out * FEET_OUT));
  }

  /**
   * Poses a body.
   *
   * @param points x, y, z of the vertices and joints in the rest pose, mm
   * @param only the vertices that are posed; the others stay at 0
   */
  pose(points: Float64Array, rotations: Float64Array, only?: Uint16Array): Posed {
    const { parents } = this;
    const heads = new Float64Array(3 * parents.length);
    const shifts = new Float64Array(3 * parents.length);
    parents.forEach((parent, bone) => {
      const rest = vectorAt(points, this.heads[bone] as number);
      let head = rest;
      if (parent >= 0) {
        const arm = minus(rest, vectorAt(points, this.heads[parent] as number));
        head = sum(vectorAt(heads, parent), turnBy(rotations, parent, arm));
      }
      heads.set(head, 3 * bone);
      shifts.set(minus(head, turnBy(rotations, bone, rest)), 3 * bone);
    });
    return { vertices: this.skin(points, rotations, shifts, { only }), heads, rotations };
  }

  /**
   * Linear blend skinning: each vertex moves with the weighted mean of the maps of its bones.
   *
   * @param r matrix of each bone, nine numbers
   * @param shifts vector of each bone, in mm
   * @param options the vertices that are wanted, if not all; 1 for each bone whose map is zero
   * @returns three numbers for each vertex, in mm
   */
  skin(
    points: Float64Array,
    r: Float64Array,
    shifts: Float64Array,
    { only, still }: { only?: Uint16Array | undefined; still?: Uint8Array } = {},
  ): Float64Array {
    const { skinBone } = this.views;
    const { weights } = this;
    const count = only?.length ?? this.views.header.vertices;
    const posed = new Float64Array(3 * this.views.header.vertices);
    for (let i = 0; i < count; i++) {
      const vertex = only === undefined ? i : (only[i] as number);
      const at = 3 * vertex;
      const x = points[at] as number;
      const y = points[at + 1] as number;
      const z = points[at + 2] as number;
      let px = 0;
      let py = 0;
      let pz = 0;
      for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
        const w = weights[k] as number;
        if (w === 0) break;
        const bone = skinBone[k] as number;
        if (still?.[bone] === 1) continue;
        const m = 9 * bone;
        const t = 3 * bone;
        px +=
          w *
          ((r[m] as number) * x +
            (r[m + 1] as number) * y +
            (r[m + 2] as number) * z +
            (shifts[t] as number));
        py +=
          w *
          ((r[m + 3] as number) * x +
            (r[m + 4] as number) * y +
            (r[m + 5] as number) * z +
            (shifts[t + 1] as number));
        pz +=
          w *
          ((r[m + 6] as number) * x +
            (r[m + 7] as number) * y +
            (r[m + 8] as number) * z +
            (shifts[t + 2] as number));
      }
      posed[at] = px;
      posed[at + 1] = py;
      posed[at + 2] = pz;
    }
    return posed;
  }
}

/** The vector of a point. */
export function vectorAt(values: Float64Array, point: number): Vector {
  const at = 3 * point;
  return [values[at] as number, values[at + 1] as number, values[at + 2] as number];
}

function turnBy(r: Float64Array, bone: number, v: Vector): Vector {
  const m = 9 * bone;
  const row = (k: number): number =>
    (r[m + k] as number) * v[0] + (r[m + k + 1] as number) * v[1] + (r[m + k + 2] as number) * v[2];
  return [row(0), row(3), row(6)];
}

/**
 * Carries gradients of a number back from a posed body to the rest pose.
 */
export class Adjoint {
  /** Gradient by x, y, z of each joint of the rest pose, counted by bone (at its head). */
  readonly joints: Float64Array;
  private readonly shift: Float64Array;
  private readonly moved: Float64Array;
  /** Gradient at the last vertex that was pulled back. */
  readonly vertex = new Float64Array(3);

  constructor(
    private readonly skeleton: Skeleton,
    private readonly skinBone: Uint8Array,
  ) {
    const bones = skeleton.parents.length;
    this.joints = new Float64Array(3 * bones);
    this.shift = new Float64Array(3 * bones);
    this.moved = new Float64Array(3 * bones);
  }

  /** Forgets all gradients. */
  clear(): void {
    this.joints.fill(0);
    this.shift.fill(0);
    this.moved.fill(0);
  }

  /** Adds the gradient at the posed head of a bone. */
  addHead(bone: number, x: number, y: number, z: number): void {
    const t = 3 * bone;
    this.moved[t] = (this.moved[t] as number) + x;
    this.moved[t + 1] = (this.moved[t + 1] as number) + y;
    this.moved[t + 2] = (this.moved[t + 2] as number) + z;
  }

  /** Adds the gradient at a posed vertex; `vertex` then holds the gradient at the vertex of the rest pose. */
  addVertex(r: Float64Array, at: number, x: number, y: number, z: number): void {
    const { shift, vertex } = this;
    let [gx, gy, gz] = [0, 0, 0];
    for (let k = INFLUENCES * at; k < INFLUENCES * (at + 1); k++) {
      const w = this.skeleton.weights[k] as number;
      if (w === 0) break;
      const bone = this.skinBone[k] as number;
      const m = 9 * bone;
      const t = 3 * bone;
      gx += w * ((r[m] as number) * x + (r[m + 3] as number) * y + (r[m + 6] as number) * z);
      gy += w * ((r[m + 1] as number) * x + (r[m + 4] as number) * y + (r[m + 7] as number) * z);
      gz += w * ((r[m + 2] as number) * x + (r[m + 5] as number) * y + (r[m + 8] as number) * z);
      shift[t] = (shift[t] as number) + w * x;
      shift[t + 1] = (shift[t + 1] as number) + w * y;
      shift[t + 2] = (shift[t + 2] as number) + w * z;
    }
    vertex[0] = gx;
    vertex[1] = gy;
    vertex[2] = gz;
  }

  /** Carries the gradients of one pose along the bones to the joints. */
  finish(r: Float64Array): void {
    const { joints, shift, moved } = this;
    const { parents } = this.skeleton;
    const back = (bone: number, v: Vector): Vector => {
      const m = 9 * bone;
      const column = (k: number): number =>
        (r[m + k] as number) * v[0] +
        (r[m + k + 3] as number) * v[1] +
        (r[m + k + 6] as number) * v[2];
      return [column(0), column(1), column(2)];
    };
    const add = (values: Float64Array, bone: number, v: Vector): void => {
      for (let k = 0; k < 3; k++)
        values[3 * bone + k] = (values[3 * bone + k] as number) + (v[k] as number);
    };
    for (let bone = parents.length - 1; bone >= 0; bone--) {
      const s = vectorAt(shift, bone);
      // A shift is the posed head less the turned head of the rest pose.
      add(moved, bone, s);
      add(joints, bone, times(back(bone, s), -1));
      const head = vectorAt(moved, bone);
      const parent = parents[bone] as number;
      if (parent < 0) {
        add(joints, bone, head);
        continue;
      }
      add(moved, parent, head);
      const arm = back(parent, head);
      add(joints, bone, arm);
      add(joints, parent, times(arm, -1));
    }
    shift.fill(0);
    moved.fill(0);
  }
}
