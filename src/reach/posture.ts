import type { Demand, Scene } from './demands.js';
import { LEAN_STEP } from './demands.js';
import {
  type Arm,
  armMargin,
  BALL_BEFORE_ANKLE,
  type Frame,
  type HandTip,
  headShift,
  type ReachPose,
  TRUNK_LEAN,
  turned,
  type Vector,
} from './sitter.js';

// How one person sits or stands in a scene: where hands and feet are, and how far the trunk leans.

const RADIANS = Math.PI / 180;
/** Angles of the foot that are tried, and the step between them, degrees. */
const [PITCHES, PITCH_STEP] = [13, 5];

/** Scores of a person of whom only measurements are known: the mean of what no measurement says. */
export const MEAN_SCORES = { stretch: 0, raise: 0 } as const;

/** Target of a hand, in the coordinates of the seat or of the heels, mm. */
export interface Reaching {
  readonly at: Vector;
  readonly by: HandTip;
  readonly isStretched: boolean;
}

/** A foot: the place of the sole below its ball, mm, and how far the toes point up, degrees. */
export interface FootPlace {
  readonly at: Vector;
  readonly pitchDegrees: number;
}

/** How a person sits or stands, in the coordinates of the seat or of the heels, mm. */
export interface Posture {
  readonly pose: ReachPose;
  /** How far the trunk is turned forward about the hips, degrees; negative: backward. */
  readonly trunkDegrees: number;
  readonly eye: Vector;
  /** Left, then right. */
  readonly hands: readonly (Reaching | undefined)[];
  /** Left, then right; empty for standing people. */
  readonly feet: readonly FootPlace[];
}

/**
 * How a person sits or stands in a scene. Each hand and foot reaches for the first target of its side. The trunk leans
 * as little as the hands need.
 *
 * @param place of the seat, mm; 0 for standing people
 */
export function postureOf(scene: Scene, frame: Frame, arm: Arm, place: Vector): Posture {
  const { pose, seat } = scene;
  const back = -(seat?.backAngle ?? 0);
  const hands = ([1, -1] as const).map((side) => reachingOf(scene, frame, arm, back, place, side));
  const lean = Math.max(0, ...hands.map((hand) => hand?.leanDegrees ?? 0));
  const trunkDegrees = back + lean;
  const [shiftX, shiftZ] = headShift(frame, trunkDegrees * RADIANS);
  return {
    ...{ pose, trunkDegrees, eye: [frame.eyeX + shiftX, 0, frame.eyeZ + shiftZ] },
    hands: hands.map((hand): Reaching | undefined => {
      return hand && { at: hand.at, by: hand.by, isStretched: hand.isStretched };
    }),
    feet: pose === 'sitting' ? [1, -1].map((side) => footOf(scene, frame, place, side)) : [],
  };
}

/** The first target of a hand or a foot; 1 is the left, −1 the right. */
function firstTarget({ demands }: Scene, side: number, isFoot: boolean) {
  const isOf = (one: Demand): boolean => {
    if (one.kind !== 'target' || (one.by === 'foot') !== isFoot) return false;
    return (
      (one.hand === 'either' ? (one.at[1] > 0 ? 1 : -1) : one.hand === 'left' ? 1 : -1) === side
    );
  };
  const found = demands.find(isOf);
  return found?.kind === 'target' ? found : undefined;
}

const from = ([x, y, z]: Vector, place: Vector): Vector => [
  x - place[0],
  y - place[1],
  z - place[2],
];

/** Target of a hand, and the least lean of the trunk with which the hand reaches it or comes nearest. */
function reachingOf(
  scene: Scene,
  frame: Frame,
  arm: Arm,
  back: number,
  place: Vector,
  side: number,
): (Reaching & { readonly leanDegrees: number }) | undefined {
  const target = firstTarget(scene, side, false);
  if (target === undefined) return undefined;
  const at = from(target.at, place);
  const isStretched = target.lean !== 'none';
  const most = target.lean === 'trunk' ? TRUNK_LEAN : 0;
  const by = target.by as HandTip;
  let [best, leanDegrees] = [Number.NEGATIVE_INFINITY, 0];
  for (let degrees = 0; degrees <= most && best < 0; degrees += LEAN_STEP) {
    const [x, z] = turned(frame, at[0], at[2], -(back + degrees) * RADIANS);
    const margin = armMargin(arm, by, x, side * at[1], z, isStretched);
    if (margin > best) [best, leanDegrees] = [margin, degrees];
  }
  return { at, by, isStretched, leanDegrees };
}

/** Where a foot is: on its target with the heel as near the floor as it can be, on the floor, or hanging. */
function footOf(scene: Scene, frame: Frame, place: Vector, side: number): FootPlace {
  const { footLength, ankle } = frame;
  const ahead = BALL_BEFORE_ANKLE * footLength;
  const floor = -place[2];
  const target = firstTarget(scene, side, true);
  if (target !== undefined) {
    const at = from(target.at, place);
    const byFloor = (degrees: number): number =>
      Math.abs(at[2] - forth(ahead, -ankle, degrees * RADIANS)[2] - floor - ankle);
    const pitches = Array.from({ length: PITCHES }, (_, i) => PITCH_STEP * i);
    const pitchDegrees = pitches.reduce((a, b) => (byFloor(b) < byFloor(a) ? b : a));
    return { at, pitchDegrees };
  }
  const { hip, thigh, shank } = legLengths(frame, side);
  const [kneeX, , up] = forth(thigh, 0, (scene.seat?.panAngle ?? 0) * RADIANS);
  const low = hip[2] + up - shank;
  // People on a low seat put their feet forward.
  const missing = Math.max(0, floor + ankle - low);
  return { at: [hip[0] + kneeX + missing + ahead, hip[1], low + missing - ankle], pitchDegrees: 0 };
}

/** The hip joint of a side, and the lengths of thigh and shank, mm. */
export function legLengths(frame: Frame, side: number) {
  const { hipX, hipY, hipZ, buttockKnee, kneeHeight, soleReach, ankle } = frame;
  const knee = (buttockKnee + kneeHeight - soleReach) / 2;
  const hip: Vector = [hipX, side * hipY, hipZ];
  return { hip, knee, thigh: buttockKnee - hipX - knee, shank: kneeHeight - knee - ankle };
}

/** A step forward and up, turned upward by an angle in radians. */
export function forth(forward: number, up: number, turn: number): Vector {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [forward * cos - up * sin, 0, forward * sin + up * cos];
}
