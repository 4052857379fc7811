import { ELBOW_TO, KNEE_TO, twoBones } from '../../body/two-bones.js';
import { minus, sum, unit } from '../../body/vectors.js';
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
import type { Foot, Hand, Stance } from '../../render/stance.js';
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
  /** How the person sits or stands, from the place of the seat. */
  readonly stance: Stance;
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
  const inRoom = (at: Vector): Vector => sum(at, place);
  const hands = ([1, -1] as const).map((side) => reachOf(frame, arm, scene, trunk, place, side));
  const leanDegrees = Math.max(0, ...hands.map((hand) => hand?.leanDegrees ?? 0));
  const leaned = trunk + leanDegrees * RADIANS;
  const body = bodyOf(frame, arm, scene, leaned);
  const legs = ([1, -1] as const).map((side) => legOf(frame, scene, place, side));
  const [shiftX, shiftZ] = headShift(frame, trunk);
  const limbs = [
    ...body.limbs,
    ...([1, -1] as const).flatMap((side, i) => armLimbs(frame, arm, scene, leaned, hands[i], side)),
    ...legs.flatMap((leg) => leg.limbs),
  ];
  return {
    limbs: limbs
      .filter(({ from, to, radii }) => [...from, ...to, ...radii].every(Number.isFinite))
      .map((limb) => ({ ...limb, from: inRoom(limb.from), to: inRoom(limb.to) })),
    head: { ...body.head, centre: inRoom(body.head.centre) },
    eye: inRoom([frame.eyeX + shiftX, 0, frame.eyeZ + shiftZ]),
    seat: [place[0], place[2]],
    toRoom,
    stance: {
      pose,
      trunkDegrees: leanDegrees - (seat?.backAngle ?? 0),
      eye: body.eye,
      hands: hands.map((hand): Hand | undefined => hand && { at: hand.at, by: hand.tip }),
      feet: legs.flatMap((leg) => (leg.foot === undefined ? [] : [leg.foot])),
    },
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
  const [neckX, neckZ] = turned(frame, hipX, frame.neckZ, trunk);
  const neck: Vector = [neckX, 0, neckZ];
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
    eye: [eyeX + shiftX, 0, eyeZ + shiftZ] as Vector,
    head: {
      centre: [headLength / 2 + shiftX, 0, eyeZ + shiftZ] as Vector,
      half: [headLength / 2, headBreadth / 2, topZ - eyeZ] as Vector,
    },
  };
}

/** The first target of each arm or leg; 1 is the left, −1 the right. */
function firstTarget(targets: readonly Target[], side: number, isFoot: boolean) {
  const sideOf = ({ hand, at }: Target) =>
    hand === 'either' ? (at.y > 0 ? 1 : -1) : hand === 'left' ? 1 : -1;
  return targets.find((one) => (one.by === 'foot') === isFoot && sideOf(one) === side);
}

/** What a hand reaches for. */
interface Reached {
  /** The target, in the coordinates of the seat or of the heels, mm. */
  readonly at: Vector;
  readonly tip: HandTip;
  readonly isStretched: boolean;
  /** How far the trunk leans forward for it, degrees. */
  readonly leanDegrees: number;
}

/** What a hand reaches for: the first target of its side. */
function reachOf(
  frame: Frame,
  arm: Arm,
  { targets }: ReachScene,
  trunk: number,
  place: Vector,
  side: 1 | -1,
): Reached | undefined {
  const target = firstTarget(targets, side, false);
  if (target === undefined) return undefined;
  const at = minus(vector(target.at), place);
  const isStretched = target.lean !== 'none';
  const most = target.lean === 'trunk' ? TRUNK_LEAN : 0;
  const tip = target.by as HandTip;
  let [best, leanDegrees] = [Number.NEGATIVE_INFINITY, 0];
  for (let degrees = 0; degrees <= most && best < 0; degrees += LEAN_STEP) {
    const seen = turnedTrunk(frame, mirrored(at, side), -trunk - degrees * RADIANS);
    const margin = armMargin(arm, tip, ...seen, isStretched);
    if (margin > best) [best, leanDegrees] = [margin, degrees];
  }
  return { at, tip, isStretched, leanDegrees };
}

/** An arm. It reaches for its target; otherwise it hangs or lies on the thigh. */
function armLimbs(
  frame: Frame,
  arm: Arm,
  { pose }: ReachScene,
  trunk: number,
  reached: Reached | undefined,
  side: 1 | -1,
): readonly Limb[] {
  const thick = arm.upperArm / 6.4;
  const fore = arm.length[reached?.tip ?? 'grip'] - arm.upperArm;
  const atEase: Vector =
    pose === 'sitting'
      ? [frame.buttockKnee * 0.62, arm.restY * 0.8, frame.thighThickness]
      : [arm.x, arm.restY, arm.restZ - 0.97 * arm.length.grip];
  const own =
    reached === undefined ? atEase : turnedTrunk(frame, mirrored(reached.at, side), -trunk);
  const joint = jointFor(arm, own, reached?.isStretched === true);
  const [elbow, end] = twoBones(joint, own, arm.upperArm, fore, ELBOW_TO);
  const [shoulderAt, elbowAt, endAt] = [joint, elbow, end].map((at) =>
    turnedTrunk(frame, mirrored(at, side), trunk),
  ) as [Vector, Vector, Vector];
  return [
    { from: shoulderAt, to: elbowAt, radii: [1.15 * thick, 0.85 * thick] },
    { from: elbowAt, to: endAt, radii: [0.8 * thick, 0.4 * thick] },
  ];
}

const mirrored = ([x, y, z]: Vector, side: number): Vector => [x, side * y, z];

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

/** A leg. The foot is on its target, otherwise on the floor, or it hangs. */
function legOf(
  frame: Frame,
  scene: ReachScene,
  place: Vector,
  side: 1 | -1,
): { readonly limbs: readonly Limb[]; readonly foot?: Foot } {
  const { hipX, hipZ, hipY, buttockKnee, kneeHeight, soleReach, footLength, ankle } = frame;
  const { pose, seat, targets } = scene;
  const sits = pose === 'sitting';
  const knee = (buttockKnee + kneeHeight - soleReach) / 2;
  const [thigh, shank] = [buttockKnee - hipX - knee, kneeHeight - knee - ankle];
  const [ahead, behind] = [BALL_BEFORE_ANKLE * footLength, 0.2 * footLength];
  const pan = (seat?.panAngle ?? 0) * RADIANS;
  const hip: Vector = [hipX, side * hipY, hipZ];
  const target = sits ? firstTarget(targets, side, true) : undefined;
  const floor = -place[2];
  let pitch = 0;
  let foot: Vector;
  if (target !== undefined) {
    // The heel rests on the floor, if the foot can be turned so.
    const ball = minus(vector(target.at), place);
    const ankleOf = (turn: number): Vector => minus(ball, forth(ahead, -ankle, turn));
    const turns = Array.from({ length: 13 }, (_, i) => 5 * i * RADIANS);
    const byFloor = (turn: number) => Math.abs(ankleOf(turn)[2] - floor - ankle);
    pitch = turns.reduce((one, other) => (byFloor(other) < byFloor(one) ? other : one));
    foot = ankleOf(pitch);
  } else if (sits) {
    const kneeAt = sum(hip, forth(thigh, 0, pan));
    const low = kneeAt[2] - shank;
    const onFloor = floor + ankle;
    // People on a low seat put their feet forward.
    foot =
      low > onFloor ? [kneeAt[0], hip[1], low] : [kneeAt[0] + (onFloor - low), hip[1], onFloor];
  } else {
    foot = [0.25 * footLength, hip[1], ankle];
  }
  const span = sits ? [thigh, shank] : [(hipZ - ankle) / 2, (hipZ - ankle) / 2 + 5];
  const [kneeAt, ankleAt] = twoBones(hip, foot, span[0] as number, span[1] as number, KNEE_TO);
  const toe = sum(ankleAt, forth(ahead + 0.2 * footLength, 20 - ankle, pitch));
  const heel = sum(ankleAt, forth(-behind, 35 - ankle, pitch));
  const limbs: Limb[] = [
    { from: hip, to: kneeAt, radii: [frame.thighThickness / 2, knee] },
    { from: kneeAt, to: ankleAt, radii: [0.95 * knee, 0.6 * knee] },
    { from: heel, to: toe, radii: [35, 20] },
    { from: heel, to: ankleAt, radii: [35, 0.6 * knee] },
  ];
  return { limbs, ...(sits ? { foot: { at: ankleAt, pitchDegrees: pitch / RADIANS } } : {}) };
}

/** A step forward and up, turned upward by an angle. */
function forth(forward: number, up: number, turn: number): Vector {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [forward * cos - up * sin, 0, forward * sin + up * cos];
}

function turnedTrunk(frame: Frame, [x, y, z]: Vector, forward: number): Vector {
  const [turnedX, turnedZ] = turned(frame, x, z, forward);
  return [turnedX, y, turnedZ];
}
