import { INFLUENCES, type ShapeViews, WEIGHT_UNITS } from '../lookup/shape-file.js';
import { LegContact } from './leg-contact.js';
import {
  about,
  across,
  angleAbout,
  between,
  compose,
  cross,
  dot,
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
/** A posture. The poses have arms 9° from vertical; hips and knees at 90° with level forearms; or arms at 45°. */
export type Pose = (typeof POSES)[number];

/** Directions of an arm: x points away from the body, y up, z forward. */
export interface ArmPose {
  readonly upper: Vector;
  readonly fore: Vector;
  /** Direction of the hand; by default that of the forearm. */
  readonly hand?: Vector;
  /** To the thumb's side of the hand. */
  readonly thumbSide: Vector;
  /** To which the elbow bends. */
  readonly bend?: Vector;
  /** `flat` stretches the fingers, `fist` bends them, and `near` only brings them together; by default they keep their rest pose. */
  readonly fingers?: 'flat' | 'fist' | 'near';
  /** How far the shoulder is raised, mm. The collarbone limits the distance. */
  readonly raiseMm?: number;
  /** Where the shoulder joint is brought, as a step from its place in the rest pose, mm. The collarbone limits it. */
  readonly shoulderStep?: Vector;
}

/** A pose of one arm or of both that replaces their pose in the body's posture. */
export interface OneArm {
  readonly side: 'l' | 'r' | 'both';
  readonly pose: ArmPose;
  /** Pose of the right arm, if `side` is `both` and the arms differ. */
  readonly right?: ArmPose;
}

/** How the legs are placed: upright; hips and knees at 90°; only the hips at 90°; slightly bent and apart; or raised. */
type Legs = 'upright' | 'bent' | 'ahead' | keyof typeof LOOSE_LEGS;

/** An arm that hangs at an angle from vertical, in radians; the palm faces the thigh. */
export function hangingArm(angle: number): ArmPose {
  return {
    upper: [Math.sin(angle), -Math.cos(angle), -0.02],
    fore: [Math.sin(0.6 * angle), -Math.cos(0.6 * angle), 0.1],
    thumbSide: [-0.45, 0, 1],
  };
}

/** Angle of hanging arms, radians. */
export const ARM_FROM_VERTICAL = (9 * Math.PI) / 180;

/** An arm whose upper part hangs at an angle from vertical, in radians. Its forearm is level, the palm faces down. */
export function levelArm(angle: number): ArmPose {
  return {
    upper: hangingArm(angle).upper,
    fore: [-0.05, -0.06, 1],
    hand: [-0.05, -0.11, 1],
    thumbSide: [-1, 0.3, 0],
  };
}

const LEVEL_ARM = levelArm(ARM_FROM_VERTICAL);
/** The arm of a baby on its back. */
const LOOSE_ARM: ArmPose = {
  upper: [0.45, -0.89, -0.05],
  fore: [0.35, -0.75, 0.55],
  bend: [0, 1, 0.4],
  thumbSide: [-1, 0.3, 0.3],
};
const BEND_FORWARD: Vector = [-0.25, 0, 1];

/**
 * Poses that only drawings have: arms sideways, hands before the chest, legs stretched on a seat, and a baby on its back
 * with loose or raised legs.
 */
export const DRAWN_POSES = ['span', 'akimbo', 'legs_ahead', 'lying', 'lying_curled'] as const;
/** One of these poses. */
export type DrawnPose = (typeof DRAWN_POSES)[number];

const POSTURES: Readonly<Record<Pose | DrawnPose, { arms: ArmPose; legs: Legs }>> = {
  standing: { arms: hangingArm(ARM_FROM_VERTICAL), legs: 'upright' },
  a_pose: { arms: hangingArm(Math.PI / 4), legs: 'upright' },
  sitting: { arms: LEVEL_ARM, legs: 'bent' },
  span: {
    arms: { upper: [1, 0.03, 0], fore: [1, 0, 0], thumbSide: [0, 0, 1], fingers: 'flat' },
    legs: 'upright',
  },
  akimbo: {
    arms: { upper: [1, 0.03, 0.02], fore: [-1, 0, 0.34], thumbSide: [0, 1, 0], fingers: 'flat' },
    legs: 'upright',
  },
  legs_ahead: { arms: LEVEL_ARM, legs: 'ahead' },
  lying: { arms: LOOSE_ARM, legs: 'loose' },
  lying_curled: { arms: LOOSE_ARM, legs: 'raised' },
};

/** Poses of one arm for drawings. */
export const ARM_POSES = {
  ahead: { upper: [0, 0, 1], fore: [0, 0, 1], thumbSide: [0, 1, 0], fingers: 'flat' },
  gripAhead: { upper: [0, 0, 1], fore: [0, 0, 1], thumbSide: [0, 1, 0], fingers: 'fist' },
  overhead: {
    upper: [0.06, 1, 0.05],
    fore: [0, 1, 0],
    thumbSide: [-1, 0, 0],
    bend: [-0.3, 0, 1],
    fingers: 'fist',
  },
  level: LEVEL_ARM,
  loose: LOOSE_ARM,
  lowered: {
    upper: [0.1, -1, 0.05],
    fore: [-0.05, -0.75, 0.65],
    hand: [-0.05, -0.5, 0.85],
    thumbSide: [-1, 0.3, 0],
  },
  flatHand: { ...hangingArm(ARM_FROM_VERTICAL), fingers: 'flat' },
  fist: { ...hangingArm(ARM_FROM_VERTICAL), fingers: 'fist' },
} as const satisfies Readonly<Record<string, ArmPose>>;

/** The collarbone rises by at most this angle, radians. */
const RAISED_MOST = (40 * Math.PI) / 180;
const FINGERS = ['index', 'middle', 'ring', 'pinky'] as const;
/** Angles of the joints of a finger in a fist, from the hand, radians. */
const FIST = [1.45, 3.05, 4.3] as const;
/** How much of the splay of the rest pose fingers keep that are flat or near each other. */
const SPLAY = 0.25;
/** Directions of a flat hand's thumb, and of the bones of a fist's thumb: along the hand, to the palm, to its side. */
const FLAT_THUMB = [0.9, 0.1, 0.45] as const;
const NEAR_THUMB = [0.95, 0.2, 0.25] as const;
const FIST_THUMB = [
  [0.75, 0.55, 0.4],
  [0.55, 0.8, -0.35],
  [0.1, 0.5, -0.85],
] as const;
/** Angle of the feet outwards, radians. */
const FEET_OUT = (6 * Math.PI) / 180;
/** The legs of a baby at ease: directions, and angles by which they roll outwards and the toes are stretched, radians. */
const LOOSE_LEGS = {
  loose: { thigh: [0.36, -0.83, 0.4], calf: [-0.18, -0.94, -0.28], outward: 0.5, toesDown: 0.15 },
  raised: { thigh: [0.5, -0.1, 0.86], calf: [-0.3, -0.95, 0.08], outward: 0.5, toesDown: 0.35 },
} as const;
/** Forward slope of the bones of a stooping trunk, as shares of the stoop. The neck compensates, so the gaze is level. */
const STOOP = [
  ['spine_01', -0.35],
  ['spine_02', 0.15],
  ['spine_03', 0.6],
  ['neck_01', 0.95],
  ['head', 0],
] as const;
/**
 * How far the bones of the trunk lean back when people sit, radians. The pelvis rolls back by the 15° by which lumbar
 * lordosis is less than in standing people: Lord et al. 1997, Spine 22:2571. Chest and head stay upright.
 */
const ROLL = (15 * Math.PI) / 180;
const ROLLED = [
  ['pelvis', 1],
  ['spine_01', 2 / 3],
  ['spine_02', 1 / 3],
  ['spine_03', 0],
] as const;
/** A baby with raised legs turns by this share of the roll, so that it rests on its head, shoulders and buttocks. */
const RESTING_ROLL = 0.4;
const IDENTITY: Rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** A posed body: its points and the position of its bones. */
export interface Posed {
  /** x, y, z of each vertex, mm. */
  readonly vertices: Float64Array;
  /** x, y, z of the head of each bone, mm. */
  readonly heads: Float64Array;
  /** Rotation of each bone from the rest pose: nine numbers, row by row. */
  readonly rotations: Float64Array;
}

/** The vertices that some bones move. */
export interface Moved {
  readonly vertices: Uint16Array;
  /** Weight of the bones, by vertex. */
  readonly shares: Float32Array;
}

/**
 * Standing legs: the thigh keeps this share of the mesh's slope, and the calf leans back by this slope. With the full
 * slope of the mesh, knees look as if they bent back.
 */
const STANDING_LEGS = { thigh: 0.35, calf: 0.08 } as const;

/**
 * The skeleton turns the bones for each pose and moves the points by linear blend skinning. At fixed rotations, the
 * posed points are linear in the points of the rest pose, so gradients go back through the transpose.
 */
export class Skeleton {
  readonly parents: Int32Array;
  /** Joint at the start of each bone (`heads`) and at its end (`tails`), as indices of points. */
  readonly heads: Int32Array;
  readonly tails: Int32Array;
  readonly weights: Float32Array;
  readonly names: readonly string[];
  readonly contact: LegContact;
  private readonly indices: ReadonlyMap<string, number>;
  /** What all people share, by a name. */
  private readonly shared = new Map<string, unknown>();

  constructor(private readonly views: ShapeViews) {
    const { bones, vertices } = views.header;
    this.names = bones.map(({ name }) => name);
    this.indices = new Map(this.names.map((name, index) => [name, index]));
    this.parents = Int32Array.from(bones, ({ parent }) => parent);
    this.heads = Int32Array.from(bones, ({ head }) => vertices + head);
    this.tails = Int32Array.from(bones, ({ tail }) => vertices + tail);
    this.weights = Float32Array.from(views.skinWeight, (weight) => weight / WEIGHT_UNITS);
    this.contact = new LegContact(this.names, views.skinBone, this.weights);
  }

  /** Returns what all bodies share under a name. It is made once. */
  once<T>(name: string, make: () => T): T {
    const known = this.shared.get(name) ?? make();
    this.shared.set(name, known);
    return known as T;
  }

  /** Returns the vertices that some bones move, in ascending order, and the share of these bones in each vertex. */
  movedBy(bones: RegExp): Moved {
    return this.once(`moved by ${bones.source}`, () => {
      const { skinBone } = this.views;
      const matches = this.names.map((name) => bones.test(name));
      const inside = new Uint8Array(skinBone.length / INFLUENCES);
      const shares = new Float32Array(inside.length);
      skinBone.forEach((bone, k) => {
        if (matches[bone] !== true || this.weights[k] === 0) return;
        const vertex = Math.floor(k / INFLUENCES);
        inside[vertex] = 1;
        shares[vertex] += this.weights[k];
      });
      return { vertices: marked(inside), shares };
    });
  }

  /** Index of a bone. */
  bone(name: string): number {
    const index = this.indices.get(name);
    if (index === undefined) throw new Error(`The skeleton has no bone ${name}.`);
    return index;
  }

  /**
   * Rotations of all bones for a pose, from a body in its rest pose.
   *
   * @param arm pose of one arm, if it differs from the pose
   * @param stoop angle by which the thoracic spine bends more than in the rest pose, radians
   */
  rotations(points: Float64Array, pose: Pose | DrawnPose, arm?: OneArm, stoop = 0): Float64Array {
    const own = new Map<number, Rotation>();
    for (const [name, share] of stoop === 0 ? [] : STOOP) {
      own.set(this.bone(name), about([1, 0, 0], share * stoop));
    }
    const { arms, legs } = POSTURES[pose];
    if (legs === 'bent' || legs === 'ahead' || legs === 'raised') {
      const whole = legs === 'raised' ? RESTING_ROLL : 0;
      for (const [name, share] of ROLLED) {
        own.set(this.bone(name), about([1, 0, 0], (whole - share) * ROLL));
      }
      own.set(this.bone('head'), IDENTITY);
    }
    for (const side of ['l', 'r'] as const) {
      this.poseLeg(points, legs, side, own);
      const isOwn = arm?.side === side || arm?.side === 'both';
      const ownPose = side === 'r' ? (arm?.right ?? arm?.pose) : arm?.pose;
      this.poseArm(points, isOwn && ownPose !== undefined ? ownPose : arms, side, own);
    }
    const rotations = new Float64Array(9 * this.parents.length);
    this.parents.forEach((parent, bone) => {
      const inherited = parent < 0 ? IDENTITY : rotations.subarray(9 * parent, 9 * parent + 9);
      rotations.set(own.get(bone) ?? inherited, 9 * bone);
    });
    return rotations;
  }

  private head(points: Float64Array, name: string): Vector {
    return vectorAt(points, this.heads[this.bone(name)]);
  }

  private poseArm(points: Float64Array, arm: ArmPose, side: 'l' | 'r', own: Map<number, Rotation>) {
    const out = side === 'l' ? 1 : -1;
    const mirrored = ([x, y, z]: Vector): Vector => [out * x, y, z];
    const at = (name: string) => this.head(points, `${name}_${side}`);
    const set = (name: string, by: Rotation) => own.set(this.bone(`${name}_${side}`), by);
    const [shoulder, elbow, wrist] = [at('upperarm'), at('lowerarm'), at('hand')];
    const down = mirrored(unit(arm.upper));
    const hang = rotationBetween(minus(elbow, shoulder), down);
    // Rolls the forearm about the upper arm, so that the elbow bends forward.
    const bend = across(turn(hang, minus(wrist, elbow)), down);
    const forward = across(mirrored(arm.bend ?? BEND_FORWARD), down);
    const half = about(down, angleAbout(down, bend, forward) / 2);
    const upper = compose(half, hang);
    const fore = mirrored(unit(arm.fore));
    const rolled = compose(half, upper);
    const lower = compose(rotationBetween(turn(rolled, minus(wrist, elbow)), fore), rolled);
    const palm = arm.hand === undefined ? fore : mirrored(unit(arm.hand));
    const open = turn(lower, minus(at('middle_01'), wrist));
    const straight = compose(rotationBetween(open, palm), lower);
    const knuckles = across(turn(straight, minus(at('index_01'), at('pinky_01'))), palm);
    const thumbSide = across(mirrored(arm.thumbSide), palm);
    const twist = about(palm, 0.85 * angleAbout(palm, knuckles, thumbSide));
    const hand = compose(twist, straight);
    if (arm.raiseMm) set('clavicle', this.shoulder(points, arm, side));
    if (arm.shoulderStep !== undefined) {
      const [from, to] = [shoulder, sum(shoulder, mirrored(arm.shoulderStep))].map((end) =>
        minus(end, at('clavicle')),
      );
      set('clavicle', rotationBetween(from, to, RAISED_MOST));
    }
    set('upperarm', upper);
    set('lowerarm', lower);
    set('hand', hand);
    if (arm.fingers !== undefined) this.poseFingers(points, arm.fingers, side, hand, own);
  }

  /** The turn of the collarbone that raises the shoulder. */
  private shoulder(points: Float64Array, { raiseMm = 0 }: ArmPose, side: 'l' | 'r'): Rotation {
    const out = side === 'l' ? 1 : -1;
    const at = (name: string) => this.head(points, `${name}_${side}`);
    const [x, y] = minus(at('upperarm'), at('clavicle'));
    const size = Math.hypot(x, y);
    const slope = Math.atan2(y, out * x);
    const raised = Math.asin(Math.min(Math.max((y + raiseMm) / size, -1), 1)) - slope;
    return about([0, 0, 1], out * Math.min(raised, RAISED_MOST));
  }

  /** Brings the fingers together, straightens them in the plane of the palm, or bends them into a fist. */
  private poseFingers(
    points: Float64Array,
    fingers: 'flat' | 'fist' | 'near',
    side: 'l' | 'r',
    hand: Rotation,
    own: Map<number, Rotation>,
  ) {
    const at = (name: string) => turn(hand, this.head(points, `${name}_${side}`));
    const knuckles = unit(minus(at('index_01'), at('pinky_01')));
    const along = unit(minus(at('middle_01'), at('hand')));
    // Fingers bend about the line of the knuckles, towards the palm.
    const bent = minus(at('middle_03'), at('middle_01'));
    const palm = across(across(minus(bent, times(along, dot(bent, along))), knuckles), along);
    const axis = unit(cross(along, palm));
    for (const finger of FINGERS) {
      let nearer: Rotation = hand;
      for (let joint = 0; joint < 3; joint++) {
        const name = `${finger}_0${joint + 1}`;
        const bone = this.bone(`${name}_${side}`);
        const isTip = finger === 'middle' && joint === 2;
        const end = isTip ? this.views.header.landmarks[`dactylion_${side}`] : this.tails[bone];
        const way = minus(turn(hand, vectorAt(points, end)), at(name));
        // The middle finger continues the hand. The length of the hand is then its length along the joints.
        const level = unit(minus(way, times(palm, dot(way, palm))));
        const flat = finger === 'middle' ? along : between(along, level, SPLAY);
        const straight = compose(rotationBetween(way, flat), hand);
        if (joint === 0) nearer = compose(rotationBetween(level, flat), hand);
        const bent = () => compose(about(axis, FIST[joint]), straight);
        own.set(bone, fingers === 'fist' ? bent() : fingers === 'flat' ? straight : nearer);
      }
    }
    for (let joint = 1; joint <= 3; joint++) {
      const name = `thumb_0${joint}`;
      const bone = this.bone(`${name}_${side}`);
      const way = minus(turn(hand, vectorAt(points, this.tails[bone])), at(name));
      // The thumb lies beside a flat hand and across the fingers of a fist.
      const [ahead, inward, aside] =
        fingers === 'fist' ? FIST_THUMB[joint - 1] : fingers === 'flat' ? FLAT_THUMB : NEAR_THUMB;
      const to = sum(sum(times(along, ahead), times(palm, inward)), times(knuckles, aside));
      const flat = minus(way, times(palm, 0.8 * dot(way, palm)));
      const goal =
        fingers === 'fist' ? to : between(unit(flat), unit(to), fingers === 'flat' ? 0.5 : 0.8);
      own.set(bone, compose(rotationBetween(way, goal), hand));
    }
  }

  private poseLeg(points: Float64Array, legs: Legs, side: 'l' | 'r', own: Map<number, Rotation>) {
    const out = side === 'l' ? 1 : -1;
    const at = (name: string) => this.head(points, `${name}_${side}`);
    const set = (name: string, by: Rotation) => own.set(this.bone(`${name}_${side}`), by);
    const [hip, knee, ankle] = [at('thigh'), at('calf'), at('foot')];
    const [thigh, calf] = [minus(knee, hip), minus(ankle, knee)];
    const size = Math.hypot(...thigh);
    if (legs === 'loose' || legs === 'raised') {
      const loose = LOOSE_LEGS[legs];
      const [upper, lower] = [loose.thigh, loose.calf].map(([x, y, z]) => unit([out * x, y, z]));
      const turned = compose(about(upper, -out * loose.outward), rotationBetween(thigh, upper));
      const bent = compose(rotationBetween(turn(turned, calf), lower), turned);
      set('thigh', turned);
      set('calf', bent);
      set('foot', compose(bent, about([1, 0, 0], loose.toesDown)));
      return;
    }
    if (legs !== 'upright') {
      // The knee does not roll. The leg is first turned until it hangs, then by a quarter turn about the sideways axis.
      const hang = rotationBetween(thigh, [out * 0.02 * size, -size, 0]);
      set('thigh', compose(about([1, 0, 0], -Math.PI / 2), hang));
      set('calf', rotationBetween(calf, legs === 'bent' ? [0, -1, 0] : [0, 0, 1]));
    } else {
      const inward = (-0.08 * hip[0]) / (size + Math.hypot(...calf));
      const slope = (STANDING_LEGS.thigh * thigh[2]) / size;
      set('thigh', rotationBetween(thigh, [inward, -1, slope]));
      set('calf', rotationBetween(calf, [inward, -1, -STANDING_LEGS.calf]));
    }
    const toes = minus(vectorAt(points, this.tails[this.bone(`foot_${side}`)]), ankle);
    const yaw = Math.atan2(toes[0], toes[2]);
    const flat = about([0, 1, 0], -yaw + out * FEET_OUT);
    set('foot', legs === 'ahead' ? compose(about([1, 0, 0], -Math.PI / 2), flat) : flat);
  }

  /**
   * Poses a body.
   *
   * @param points x, y, z of the vertices and joints in the rest pose, mm
   * @param only the vertices to pose; the others stay as they are
   * @param into array for the vertices; by default a new array of zeros
   */
  pose(
    points: Float64Array,
    rotations: Float64Array,
    only?: Uint16Array,
    into?: Float64Array,
  ): Posed {
    const { parents } = this;
    const heads = new Float64Array(3 * parents.length);
    const shifts = new Float64Array(3 * parents.length);
    parents.forEach((parent, bone) => {
      const rest = vectorAt(points, this.heads[bone]);
      let head = rest;
      if (parent >= 0) {
        const arm = minus(rest, vectorAt(points, this.heads[parent]));
        head = sum(vectorAt(heads, parent), turnBy(rotations, parent, arm));
      }
      heads.set(head, 3 * bone);
      shifts.set(minus(head, turnBy(rotations, bone, rest)), 3 * bone);
    });
    return { vertices: this.skin(points, rotations, shifts, { only, into }), heads, rotations };
  }

  /**
   * Linear blend skinning: each vertex moves by the weighted mean of the maps of its bones.
   *
   * @param r matrix of each bone, nine numbers
   * @param shifts vector of each bone, in mm
   * @param options the vertices to move (by default all), and the array for the result
   * @returns three numbers for each vertex, in mm
   */
  skin(
    points: Float64Array,
    r: Float64Array,
    shifts: Float64Array,
    { only, into }: { only?: Uint16Array | undefined; into?: Float64Array | undefined } = {},
  ): Float64Array {
    const to = new Float64Array(3);
    const count = only?.length ?? this.views.header.vertices;
    const posed = into ?? new Float64Array(3 * this.views.header.vertices);
    for (let i = 0; i < count; i++) {
      const vertex = only === undefined ? i : only[i];
      const at = 3 * vertex;
      this.skinOne(points, r, shifts, vertex, to);
      posed[at] = this.contact.moved(vertex, to[0]);
      posed[at + 1] = to[1];
      posed[at + 2] = to[2];
    }
    return posed;
  }

  /** Writes x, y, z of one vertex to `to`, without the contact of the legs. */
  skinOne(
    points: Float64Array | Float32Array,
    r: Float64Array,
    shifts: Float64Array,
    vertex: number,
    to: Float64Array,
  ): void {
    const { weights } = this;
    const { skinBone } = this.views;
    const x = points[3 * vertex];
    const y = points[3 * vertex + 1];
    const z = points[3 * vertex + 2];
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
      const w = weights[k];
      if (w === 0) break;
      const m = 9 * skinBone[k];
      const t = m / 3;
      px += w * (r[m] * x + r[m + 1] * y + r[m + 2] * z + shifts[t]);
      py += w * (r[m + 3] * x + r[m + 4] * y + r[m + 5] * z + shifts[t + 1]);
      pz += w * (r[m + 6] * x + r[m + 7] * y + r[m + 8] * z + shifts[t + 2]);
    }
    to[0] = px;
    to[1] = py;
    to[2] = pz;
  }
}

/** The accepted point that lies farthest in a direction; −1 if none is accepted. */
export function farthest(
  candidates: Iterable<number>,
  points: Float64Array,
  [dx, dy, dz]: Vector,
  accepts: (at: Vector) => boolean = () => true,
): number {
  let [best, most] = [-1, -Infinity];
  for (const point of candidates) {
    const at = 3 * point;
    const far = dx * points[at] + dy * points[at + 1] + dz * points[at + 2];
    if (far > most && accepts(vectorAt(points, point))) [best, most] = [point, far];
  }
  return best;
}

/** The vector of a point. */
export function vectorAt(values: Float64Array, point: number): Vector {
  const at = 3 * point;
  return [values[at], values[at + 1], values[at + 2]];
}

function turnBy(r: Float64Array, bone: number, v: Vector): Vector {
  const m = 9 * bone;
  const row = (k: number): number => r[m + k] * v[0] + r[m + k + 1] * v[1] + r[m + k + 2] * v[2];
  return [row(0), row(3), row(6)];
}

/** The numbers of the marked vertices, rising. */
export function marked(inside: Uint8Array): Uint16Array {
  let count = 0;
  for (let vertex = 0; vertex < inside.length; vertex++) count += inside[vertex] === 1 ? 1 : 0;
  const numbers = new Uint16Array(count);
  for (let vertex = 0, at = 0; vertex < inside.length; vertex++) {
    if (inside[vertex] === 1) numbers[at++] = vertex;
  }
  return numbers;
}
