import { ELBOW_TO, KNEE_TO, minus, sum, twoBones, unit } from '../../body/vectors.js';
import { aboutMiddle, type Demand, PersonInScene, type Scene } from '../../reach/demands.js';
import {
  type FootPlace,
  forth,
  legLengths,
  MEAN_SCORES,
  type Posture,
  postureOf,
  type Reaching,
} from '../../reach/posture.js';
import {
  type Arm,
  armOf,
  BALL_BEFORE_ANKLE,
  type Frame,
  frameOf,
  headShift,
  measurementsFor,
  PARTS,
  type Stretch,
  TIPS,
  turned,
  type Vector,
} from '../../reach/sitter.js';
import type { DrawnPerson } from './data-types.js';
import type { Point, ReachScene } from './scene-types.js';

// The drawn people: segments between joints, whose places are those of the model of reach.

const RADIANS = Math.PI / 180;
/** Number of places of the seat that are tried along each travel. */
const [PLACES_X, PLACES_Z] = [25, 9];

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
  readonly stance: Posture;
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

/** Distance between the feet of people who have one of them on a target, mm: our own assumption. */
const FEET_APART_MM = 200;

/** The targets. Where only one foot has one, the other foot gets a place beside it. */
export function withBothFeet(targets: ReachScene['targets']): ReachScene['targets'] {
  const [foot, ...others] = targets.filter(({ by }) => by === 'foot');
  if (foot === undefined || others.length > 0) return targets;
  const { hand, at } = foot;
  const isLeft = hand === 'either' ? at.y > 0 : hand === 'left';
  const y = at.y + (isLeft ? -FEET_APART_MM : FEET_APART_MM);
  return [...targets, { ...foot, hand: isLeft ? 'right' : 'left', at: { ...at, y } }];
}

/** A person in a scene, at the place of the seat where the least margin is largest. */
export function figureOf(scene: ReachScene, person: DrawnPerson, stretch: Stretch): Figure {
  const { pose } = scene;
  const value = (name: string): number => person.valuesMm[name] ?? Number.NaN;
  const model = modelScene(scene);
  const { seat } = model;
  const inScene = new PersonInScene(model, value, person.ageYears, MEAN_SCORES, stretch);
  let [atX, atZ, best] = [0, 0, Number.NEGATIVE_INFINITY];
  for (const x of places(seat?.travelX, PLACES_X)) {
    for (const z of places(seat?.travelZ, PLACES_Z)) {
      // A place is given up at the first demand that holds no better than at the best place.
      const least = model.demands.reduce(
        (so, demand) => (so > best ? Math.min(so, inScene.margin(demand, x, z)) : so),
        Number.POSITIVE_INFINITY,
      );
      if (least > best) [atX, atZ, best] = [x, z, least];
    }
  }
  const frame = frameOf(value, pose);
  const arm = armOf(value, pose, new Set(TIPS), person.ageYears, MEAN_SCORES, stretch);
  const trunk = -(seat?.backAngle ?? 0) * RADIANS;
  const place: Vector = [atX, 0, (seat?.heightMm ?? 0) + atZ];
  const toRoom = (at: Vector): Vector => sum(turnedTrunk(frame, at, trunk), place);
  const inRoom = (at: Vector): Vector => sum(at, place);
  const withFeet = modelScene({ ...scene, targets: withBothFeet(scene.targets) });
  const posture = postureOf(withFeet, frame, arm, place);
  const leaned = posture.trunkDegrees * RADIANS;
  const body = bodyOf(frame, arm, scene, leaned);
  const [shiftX, shiftZ] = headShift(frame, trunk);
  const limbs = [
    ...body.limbs,
    ...([1, -1] as const).flatMap((side, i) =>
      armLimbs(frame, arm, scene, leaned, posture.hands[i], side),
    ),
    ...([1, -1] as const).flatMap((side, i) => legLimbs(frame, scene, posture.feet[i], side)),
  ];
  return {
    limbs: limbs
      .filter(({ from, to, radii }) => [...from, ...to, ...radii].every(Number.isFinite))
      .map((limb) => ({ ...limb, from: inRoom(limb.from), to: inRoom(limb.to) })),
    head: { ...body.head, centre: inRoom(body.head.centre) },
    eye: inRoom([frame.eyeX + shiftX, 0, frame.eyeZ + shiftZ]),
    seat: [place[0], place[2]],
    toRoom,
    stance: posture,
    marginsMm: model.demands.map((demand) => inScene.margin(demand, atX, atZ)),
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

/** An arm. It reaches for its target; otherwise it hangs or lies on the thigh. */
function armLimbs(
  frame: Frame,
  arm: Arm,
  { pose }: ReachScene,
  trunk: number,
  reached: Reaching | undefined,
  side: 1 | -1,
): readonly Limb[] {
  const thick = arm.upperArm / 6.4;
  const fore = arm.length[reached?.by ?? 'grip'] - arm.upperArm;
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

/** A leg. The foot is in its place; standing people have it on the floor. */
function legLimbs(
  frame: Frame,
  { pose }: ReachScene,
  foot: FootPlace | undefined,
  side: 1 | -1,
): readonly Limb[] {
  const { hipZ, footLength, ankle } = frame;
  const sits = pose === 'sitting';
  const { hip, knee, thigh, shank } = legLengths(frame, side);
  const [ahead, behind] = [BALL_BEFORE_ANKLE * footLength, 0.2 * footLength];
  const pitch = (foot?.pitchDegrees ?? 0) * RADIANS;
  const to: Vector =
    foot === undefined
      ? [0.25 * footLength, hip[1], ankle]
      : minus(foot.at, forth(ahead, -ankle, pitch));
  const half = (hipZ - ankle) / 2;
  const [one, other] = sits ? [thigh, shank] : [half, half + 5];
  const [kneeAt, ankleAt] = twoBones(hip, to, one, other, KNEE_TO);
  const toe = sum(ankleAt, forth(ahead + 0.2 * footLength, 20 - ankle, pitch));
  const heel = sum(ankleAt, forth(-behind, 35 - ankle, pitch));
  return [
    { from: hip, to: kneeAt, radii: [frame.thighThickness / 2, knee] },
    { from: kneeAt, to: ankleAt, radii: [0.95 * knee, 0.6 * knee] },
    { from: heel, to: toe, radii: [35, 20] },
    { from: heel, to: ankleAt, radii: [35, 0.6 * knee] },
  ];
}

function turnedTrunk(frame: Frame, [x, y, z]: Vector, forward: number): Vector {
  const [turnedX, turnedZ] = turned(frame, x, z, forward);
  return [turnedX, y, turnedZ];
}
