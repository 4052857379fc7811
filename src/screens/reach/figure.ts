import { across, minus, sum, times, unit } from '../../body/vectors.js';
import {
  aboutMiddle,
  type Demand,
  LEAN_STEP,
  PersonInScene,
  type Scene,
} from '../../reach/demands.js';
import {
  type Arm,
  armMargin,
  armOf,
  BALL_BEFORE_ANKLE,
  type Frame,
  frameOf,
  type HandTip,
  headShift,
  measurementsFor,
  PARTS,
  type Stretch,
  TIPS,
  TRUNK_LEAN,
  turned,
  type Vector,
} from '../../reach/sitter.js';
import type { DrawnPerson } from './data-types.js';
import type { Point, ReachScene, Target } from './scene-types.js';

// The drawn people: segments between joints, whose places are those of the model of reach.

const RADIANS = Math.PI / 180;
/** Number of places of the seat that are tried along each travel. */
const [PLACES_X, PLACES_Z] = [25, 9];
/** People of the picture have the mean of what no measurement says. */
const MEAN_SCORES = { stretch: 0, raise: 0 } as const;

/** A limb: two places, and the half thickness at each, in mm. */
export interface Limb {
  readonly from: Vector;
  readonly to: Vector;
  readonly radii: readonly [number, number];
  /** The view in which it is drawn; both if absent. */
  readonly only?: 'side' | 'above';
}

/** A person in a scene. */
export interface Figure {
  readonly limbs: readonly Limb[];
  readonly head: { readonly centre: Vector; readonly half: Vector };
  readonly eye: Vector;
  /** Place of the seat's back edge: forward and up. The person of a scene without a seat stands at 0. */
  readonly seat: readonly [x: number, z: number];
  /** Where the body's own places are in the room. */
  readonly toRoom: (place: Vector) => Vector;
  /** By how many mm each demand holds, in the order targets, sights, clearances; negative: what the person lacks. */
  readonly marginsMm: readonly number[];
}

/** The measurements that a figure needs, and those of the model for any demand. */
export function figureMeasurements(pose: ReachScene['pose']): readonly string[] {
  const all = { tips: new Set(TIPS), parts: new Set(PARTS), sees: true, turns: true };
  const sits = measurementsFor({ pose: 'sitting', ...all });
  return [...new Set([...sits, ...measurementsFor({ pose, ...all })])];
}

const vector = ({ x, y, z }: Point): Vector => [x, y, z];

/** The scene as the model of reach takes it. */
export function modelScene({ pose, seat, targets, see, clear }: ReachScene): Scene {
  return {
    pose,
    seat: seat && {
      ...seat,
      travelX: aboutMiddle(seat.travelX),
      travelZ: aboutMiddle(seat.travelZ),
    },
    demands: [
      ...targets.map((one): Demand => ({ kind: 'target', ...one, at: vector(one.at) })),
      ...see.map((one): Demand => ({ kind: 'sight', ...one, at: vector(one.at) })),
      ...clear.map(
        ({ by, from, to }): Demand => ({
          ...{ kind: 'clearance', by },
          box: { from: vector(from), to: vector(to) },
        }),
      ),
    ],
  };
}

/** A person in a scene, at the place of the seat where the least margin is largest. */
export function figureOf(scene: ReachScene, person: DrawnPerson, stretch: Stretch): Figure {
  const { pose } = scene;
  const value = (name: string): number => person.valuesMm[name] ?? Number.NaN;
  const model = modelScene(scene);
  const { seat } = model;
  const inScene = new PersonInScene(model, value, person.ageYears, MEAN_SCORES, stretch);
  const marginsAt = (x: number, z: number) =>
    model.demands.map((demand) => inScene.margin(demand, x, z));
  let [atX, atZ, best] = [0, 0, Number.NEGATIVE_INFINITY];
  for (const x of places(seat?.travelX, PLACES_X)) {
    for (const z of places(seat?.travelZ, PLACES_Z)) {
      const least = Math.min(...marginsAt(x, z));
      if (least > best) [atX, atZ, best] = [x, z, least];
    }
  }
  const frame = frameOf(value, pose);
  const arm = armOf(value, pose, new Set(TIPS), person.ageYears, MEAN_SCORES, stretch);
  const trunk = -(seat?.backAngle ?? 0) * RADIANS;
  const place: Vector = [atX, 0, (seat?.heightMm ?? 0) + atZ];
  const toRoom = (at: Vector): Vector => sum(turnedTrunk(frame, at, trunk), place);
  const body = bodyOf(frame, arm, scene, trunk);
  const inRoom = (at: Vector): Vector => sum(at, place);
  return {
    limbs: body.limbs
      .filter(({ from, to, radii }) => [...from, ...to, ...radii].every(Number.isFinite))
      .map((limb) => ({ ...limb, from: inRoom(limb.from), to: inRoom(limb.to) }))
      .concat(armsOf(frame, arm, scene, trunk, place), legsOf(frame, scene, place)),
    head: { ...body.head, centre: inRoom(body.head.centre) },
    eye: inRoom(body.eye),
    seat: [place[0], place[2]],
    toRoom,
    marginsMm: marginsAt(atX, atZ),
  };
}

function places(ends: readonly [number, number] = [0, 0], count: number): readonly number[] {
  const [from, to] = ends;
  if (from === to) return [from];
  return Array.from({ length: count }, (_, i) => from + (i / (count - 1)) * (to - from));
}

/** Head and trunk, in the coordinates of the seat or of the heels. */
function bodyOf(frame: Frame, arm: Arm, { pose }: ReachScene, trunk: number) {
  const { hipX, hipZ, eyeX, eyeZ, topZ, headLength, headBreadth, shoulderDepth } = frame;
  const [shiftX, shiftZ] = headShift(frame, trunk);
  const half = pose === 'sitting' ? 2 * frame.hipY : 1.6 * frame.hipY;
  const neck: Vector = [hipX + shiftX, 0, frame.neckZ + shiftZ];
  const chest = turnedTrunk(frame, [0.9 * shoulderDepth, 0, arm.restZ - shoulderDepth / 2], trunk);
  const shoulder = (side: number) =>
    turnedTrunk(frame, [arm.x, side * (arm.restY - 20), arm.restZ], trunk);
  const limbs: Limb[] = [
    { from: [hipX, 0, hipZ], to: chest, radii: [0.95 * hipX, 0.85 * shoulderDepth], only: 'side' },
    {
      ...{ from: chest, to: neck, radii: [0.6 * shoulderDepth, 0.32 * headLength] },
      only: 'side',
    },
    { from: neck, to: [eyeX / 2 + shiftX, 0, eyeZ + shiftZ], radii: [55, 60], only: 'side' },
    {
      ...{ from: shoulder(1), to: shoulder(-1), only: 'above' },
      radii: [0.62 * shoulderDepth, 0.62 * shoulderDepth],
    },
    {
      ...{ from: [hipX, half - hipX, hipZ], to: [hipX, hipX - half, hipZ], only: 'above' },
      radii: [0.95 * hipX, 0.95 * hipX],
    },
  ];
  return {
    limbs,
    head: {
      centre: [headLength / 2 + shiftX, 0, eyeZ + shiftZ] as Vector,
      half: [headLength / 2, headBreadth / 2, topZ - eyeZ] as Vector,
    },
    eye: [eyeX + shiftX, 0, eyeZ + shiftZ] as Vector,
  };
}

/** The first target of each arm or leg; 1 is the left, −1 the right. */
function firstTarget(targets: readonly Target[], side: number, isFoot: boolean) {
  const sideOf = ({ hand, at }: Target) =>
    hand === 'either' ? (at.y > 0 ? 1 : -1) : hand === 'left' ? 1 : -1;
  return targets.find((one) => (one.by === 'foot') === isFoot && sideOf(one) === side);
}

/** Both arms. They reach for their first targets; others hang or lie on the thighs. */
function armsOf(
  frame: Frame,
  arm: Arm,
  { targets, pose }: ReachScene,
  trunk: number,
  place: Vector,
): readonly Limb[] {
  const thick = arm.upperArm / 6.4;
  return [1, -1].flatMap((side): readonly Limb[] => {
    const mirrored = ([x, y, z]: Vector): Vector => [x, side * y, z];
    const target = firstTarget(targets, side, false);
    const tip = (target?.by ?? 'grip') as HandTip;
    const [upper, fore] = [arm.upperArm, arm.length[tip] - arm.upperArm];
    let lean = 0;
    let own: Vector = [arm.x, arm.restY, arm.restZ - 0.97 * arm.length.grip];
    if (pose === 'sitting') own = [frame.buttockKnee * 0.62, arm.restY * 0.8, frame.thighThickness];
    if (target !== undefined) {
      const room = minus(vector(target.at), place);
      const most = target.lean === 'trunk' ? TRUNK_LEAN : 0;
      let best = Number.NEGATIVE_INFINITY;
      for (let degrees = 0; degrees <= most && best < 0; degrees += LEAN_STEP) {
        const turn = trunk + degrees * RADIANS;
        const seen = turnedTrunk(frame, mirrored(room), -turn);
        const margin = armMargin(arm, tip, ...seen, target.lean !== 'none');
        if (margin > best) [best, lean, own] = [margin, degrees * RADIANS, seen];
      }
    }
    const joint = jointFor(arm, own, target !== undefined && target.lean !== 'none');
    const [elbow, end] = bent(joint, own, upper, fore, [-0.2, 0.35, -1]);
    const [shoulderAt, elbowAt, endAt] = [joint, elbow, end].map((at) =>
      sum(turnedTrunk(frame, mirrored(at), trunk + lean), place),
    ) as [Vector, Vector, Vector];
    if (!endAt.every(Number.isFinite)) return [];
    return [
      { from: shoulderAt, to: elbowAt, radii: [1.15 * thick, 0.85 * thick] },
      { from: elbowAt, to: endAt, radii: [0.8 * thick, 0.4 * thick] },
    ];
  });
}

/** Where the shoulder joint is if the arm reaches for a place. It moves with the arm, as the model says. */
function jointFor(arm: Arm, to: Vector, isStretched: boolean): Vector {
  let joint: Vector = [arm.x, arm.restY, arm.restZ + arm.rise / 2];
  for (let step = 0; step < 3; step++) {
    const [dx, dy, dz] = unit(minus(to, joint));
    const [ahead, aside] = [Math.max(0, dx), Math.max(0, dy)];
    joint = [
      arm.x + (isStretched ? arm.stretch * ahead ** 2 : 0),
      arm.restY + (arm.sideY - arm.restY) * aside ** 2,
      arm.restZ + (arm.rise * Math.acos(Math.max(-1, Math.min(1, -dz)))) / Math.PI,
    ];
  }
  return joint;
}

/** Both legs. Feet are on their targets, otherwise on the floor, or they hang. */
function legsOf(frame: Frame, scene: ReachScene, place: Vector): readonly Limb[] {
  const { hipX, hipZ, hipY, buttockKnee, kneeHeight, soleReach, footLength, ankle } = frame;
  const { pose, seat, targets } = scene;
  const sits = pose === 'sitting';
  const knee = (buttockKnee + kneeHeight - soleReach) / 2;
  const [thigh, shank] = [buttockKnee - hipX - knee, kneeHeight - knee - ankle];
  const [ahead, behind] = [BALL_BEFORE_ANKLE * footLength, 0.2 * footLength];
  const pan = (seat?.panAngle ?? 0) * RADIANS;
  return [1, -1].flatMap((side): readonly Limb[] => {
    const hip: Vector = sum([hipX, side * hipY, hipZ], place);
    const target = sits ? firstTarget(targets, side, true) : undefined;
    let pitch = 0;
    let foot: Vector;
    if (target !== undefined) {
      // The heel rests on the floor, if the foot can be turned so.
      const ball = vector(target.at);
      const ankleOf = (turn: number): Vector => minus(ball, forth(ahead, -ankle, turn));
      const turns = Array.from({ length: 13 }, (_, i) => 5 * i * RADIANS);
      const byFloor = (turn: number) => Math.abs(ankleOf(turn)[2] - ankle);
      pitch = turns.reduce((one, other) => (byFloor(other) < byFloor(one) ? other : one));
      foot = ankleOf(pitch);
    } else if (sits) {
      const kneeAt = sum(hip, forth(thigh, 0, pan));
      const low = kneeAt[2] - shank;
      // People on a low seat put their feet forward.
      foot = low > ankle ? [kneeAt[0], hip[1], low] : [kneeAt[0] + (ankle - low), hip[1], ankle];
    } else {
      foot = [0.25 * footLength + place[0], hip[1], ankle];
    }
    const span = sits ? [thigh, shank] : [(hip[2] - ankle) / 2, (hip[2] - ankle) / 2 + 5];
    const [kneeAt, ankleAt] = bent(hip, foot, span[0] as number, span[1] as number, [0.4, 0, 1]);
    const toe = sum(ankleAt, forth(ahead + 0.2 * footLength, 20 - ankle, pitch));
    const heel = sum(ankleAt, forth(-behind, 35 - ankle, pitch));
    const limbs: Limb[] = [
      { from: hip, to: kneeAt, radii: [frame.thighThickness / 2, knee] },
      { from: kneeAt, to: ankleAt, radii: [0.95 * knee, 0.6 * knee] },
      { from: heel, to: toe, radii: [35, 20] },
      { from: heel, to: ankleAt, radii: [35, 0.6 * knee] },
    ];
    return limbs.filter(({ from, to }) => [...from, ...to].every(Number.isFinite));
  });
}

/** A step forward and up, turned upward by an angle. */
function forth(forward: number, up: number, turn: number): Vector {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [forward * cos - up * sin, 0, forward * sin + up * cos];
}

/** Two bones from a joint toward a place: the joint between them, and the end. The middle joint points to `toward`. */
function bent(
  from: Vector,
  to: Vector,
  one: number,
  other: number,
  toward: Vector,
): readonly [middle: Vector, end: Vector] {
  const way = minus(to, from);
  const far = Math.hypot(...way);
  const direction = unit(way);
  if (far >= one + other) {
    return [sum(from, times(direction, one)), sum(from, times(direction, one + other))];
  }
  const along = (one ** 2 + far ** 2 - other ** 2) / (2 * far);
  const within = Math.max(-one, Math.min(one, along));
  const aside = times(across(toward, direction), Math.sqrt(one ** 2 - within ** 2));
  const middle = sum(times(direction, within), aside);
  return [sum(from, middle), to];
}

function turnedTrunk(frame: Frame, [x, y, z]: Vector, forward: number): Vector {
  const [turnedX, turnedZ] = turned(frame, x, z, forward);
  return [turnedX, y, turnedZ];
}
