import type { BodyBuilder, FittedPerson } from '../body/body.js';
import { restingArms } from '../body/hanging-arms.js';
import { type ArmPose, type OneArm, type Posed, vectorAt } from '../body/skeleton.js';
import { ELBOW_TO, KNEE_TO, twoBones } from '../body/two-bones.js';
import {
  about,
  between,
  length,
  minus,
  type Rotation,
  rotationBetween,
  sum,
  times,
  turn,
  unit,
  type Vector,
} from '../body/vectors.js';

// Places of stances are in mm: x forward, y to the person's left, z up. The origin is where the seat surface meets the
// plane of the back; of standing people, on the floor below the plane of the back.

/** A hand and the place that it touches. */
export interface Hand {
  readonly at: Vector;
  readonly by: 'fingertip' | 'pinch' | 'grip';
}

/** A foot: the place of the ankle, and how far the toes point up, degrees. */
export interface Foot {
  readonly at: Vector;
  readonly pitchDegrees: number;
}

/** How a person sits or stands. */
export interface Stance {
  readonly pose: 'standing' | 'sitting';
  /** How far the trunk is turned forward about the hips, degrees; negative: backward. The head stays level. */
  readonly trunkDegrees: number;
  /** The middle between the eyes. The neck carries the level head there. */
  readonly eye: Vector;
  /** The left hand, then the right one. Other arms hang, or lie on the thighs. */
  readonly hands: readonly (Hand | undefined)[];
  /** The left foot, then the right one; empty for standing people. */
  readonly feet: readonly Foot[];
}

/** The neck is turned by at most this angle, radians. */
const NECK_MOST = Math.PI / 4;
/** How far fingertips that pinch lie beyond the knuckles, as a share of the straight middle finger. */
const PINCH = 0.75;
/** Where a fist holds a rod, beyond the wrist, as a share of the way to the knuckles. */
const GRIP = 0.95;

/** The coordinates of a body (x left, y up, z forward) of a place, and the reverse. */
const toBody = ([x, y, z]: Vector): Vector => [y, z, x];

/**
 * A fitted body in a stance. Arms and legs are turned until hands and feet are in their places, or as near as limbs of
 * their length come. The collarbone gives way if the arm is too short.
 *
 * @returns the body, mm: x to its left, y up, z forward, with the origin of the stance at 0
 */
export function bodyInStance(builder: BodyBuilder, fitted: FittedPerson, stance: Stance): Posed {
  const { skeleton, views } = builder;
  const { pose, trunkDegrees, hands, feet } = stance;
  const erect = builder.posedBody(fitted, pose);
  const origin = originOf(builder, erect, pose);
  const joint = (name: string): Vector => vectorAt(erect.heads, skeleton.bone(name));
  const hips = between(joint('thigh_l'), joint('thigh_r'), 0.5);
  const trunk = about([1, 0, 0], (trunkDegrees * Math.PI) / 180);
  const toTrunk = about([1, 0, 0], (-trunkDegrees * Math.PI) / 180);
  const atEase = pose === 'sitting' ? restingArms(skeleton, erect) : undefined;
  const arms = (['l', 'r'] as const).map((side, i): ArmPose | undefined => {
    const hand = hands[i];
    if (hand === undefined) return atEase;
    const place = sum(toBody(hand.at), origin);
    const own = sum(turn(toTrunk, minus(place, hips)), hips);
    return reaching(builder, fitted, erect, side, own, hand.by);
  });
  const [left, right] = arms;
  const arm: OneArm | undefined =
    left === undefined
      ? right && { side: 'r', pose: right }
      : right === undefined
        ? { side: 'l', pose: left }
        : { side: 'both', pose: left, right };
  const { landmarks } = views.header;
  const eyeOf = (values: Float64Array): Vector =>
    between(
      vectorAt(values, landmarks.ectocanthus_l),
      vectorAt(values, landmarks.ectocanthus_r),
      0.5,
    );
  // The neck points to where the level head belongs.
  const [neck, head] = [joint('neck_01'), joint('head')];
  const neckAt = sum(turn(trunk, minus(neck, hips)), hips);
  const headAt = sum(sum(toBody(stance.eye), origin), minus(head, eyeOf(erect.vertices)));
  const slopeOf = ([, y, z]: Vector): number => Math.atan2(z, y);
  const bend = slopeOf(minus(headAt, neckAt)) - slopeOf(minus(head, neck));
  const neckAngle = Math.max(-NECK_MOST, Math.min(NECK_MOST, bend));
  const posed = arm === undefined ? erect : builder.posedBody(fitted, pose, arm);
  const turns = new Map<string, Rotation>([
    ['pelvis', trunk],
    ['neck_01', about([1, 0, 0], neckAngle)],
    ['head', about([1, 0, 0], 0)],
  ]);
  for (const [i, side] of (['l', 'r'] as const).entries()) {
    turns.set(`thigh_${side}`, about([1, 0, 0], 0));
    const foot = feet[i];
    if (foot === undefined) continue;
    const [hip, knee, ankle] = ['thigh', 'calf', 'foot'].map((one) => joint(`${one}_${side}`)) as [
      Vector,
      Vector,
      Vector,
    ];
    const [thigh, calf] = [minus(knee, hip), minus(ankle, knee)];
    const to = sum(toBody(foot.at), origin);
    const [bent, end] = twoBones(hip, to, length(thigh), length(calf), toBody(KNEE_TO));
    turns.set(`thigh_${side}`, rotationBetween(thigh, minus(bent, hip)));
    turns.set(`calf_${side}`, rotationBetween(calf, minus(end, bent)));
    turns.set(`foot_${side}`, about([1, 0, 0], (-foot.pitchDegrees * Math.PI) / 180));
  }
  const body = turned(builder, posed, turns, origin);
  // The rest of the way, the skin of the neck stretches.
  const rest = minus(toBody(stance.eye), eyeOf(body.vertices));
  const { vertices: moved, shares } = skeleton.movedBy(/^head$/);
  for (const vertex of moved) {
    for (let k = 0; k < 3; k++)
      body.vertices[3 * vertex + k] += shares[vertex] * (rest[k] as number);
  }
  return body;
}

/** Where the origin of a stance is in an erect body. */
function originOf({ skeleton, views }: BodyBuilder, { vertices, heads }: Posed, pose: string) {
  const { vertices: trunk, shares } = skeleton.movedBy(/^(pelvis|spine_0.|clavicle_.)$/);
  let [back, floor] = [Infinity, Infinity];
  for (const vertex of trunk) {
    if (shares[vertex] > 0.5) back = Math.min(back, vertices[3 * vertex + 2]);
  }
  for (let at = 1; at < vertices.length; at += 3) floor = Math.min(floor, vertices[at]);
  const seat = vectorAt(vertices, views.header.landmarks.popliteal_l)[1];
  return [
    heads[3 * skeleton.bone('pelvis')],
    pose === 'sitting' ? seat : floor,
    back,
  ] as unknown as Vector;
}

/** The pose of an arm whose hand touches a place of the erect body, mm. */
function reaching(
  { skeleton, views }: BodyBuilder,
  { fit }: FittedPerson,
  { heads }: Posed,
  side: 'l' | 'r',
  place: Vector,
  by: Hand['by'],
): ArmPose {
  const out = side === 'l' ? 1 : -1;
  const away = ([x, y, z]: Vector): Vector => [out * x, y, z];
  const joint = (name: string): Vector => away(vectorAt(heads, skeleton.bone(`${name}_${side}`)));
  const [shoulder, elbow, wrist] = [joint('upperarm'), joint('lowerarm'), joint('hand')];
  // The fingers have their full length in the rest pose.
  const rest = (point: number): Vector => vectorAt(fit.points, point);
  const hand = ['hand', 'middle_01', 'middle_02', 'middle_03'].map((name) =>
    rest(skeleton.heads[skeleton.bone(`${name}_${side}`)]),
  );
  hand.push(rest(views.header.landmarks[`dactylion_${side}`]));
  const parts = hand.slice(1).map((to, i) => length(minus(to, hand[i] as Vector)));
  const palmMm = parts[0] as number;
  const fingerMm = parts.slice(1).reduce((all, one) => all + one, 0);
  const beyondWrist = {
    fingertip: palmMm + fingerMm,
    pinch: palmMm + PINCH * fingerMm,
    grip: GRIP * palmMm,
  }[by];
  const upperMm = length(minus(elbow, shoulder));
  const foreMm = length(minus(wrist, elbow)) + beyondWrist;
  const to = away(place);
  const way = minus(to, shoulder);
  const missing = Math.max(0, length(way) - upperMm - foreMm);
  const step = times(unit(way), missing);
  const from = sum(shoulder, step);
  const [bent, end] = twoBones(from, to, upperMm, foreMm, toBody(ELBOW_TO));
  const [upper, fore] = [minus(bent, from), minus(end, bent)];
  const isStraight = length(minus(unit(upper), unit(fore))) < 0.1;
  return {
    ...{ upper, fore, fingers: by === 'fingertip' ? 'flat' : 'fist' },
    thumbSide: by === 'fingertip' ? [-1, 0.3, 0] : [-0.6, 0.8, 0.1],
    ...(isStraight ? {} : { bend: fore }),
    ...(missing === 0 ? {} : { shoulderStep: step }),
  };
}

/**
 * Turns the bones of a posed body. Bones without a turn follow their parents. The trunk turns about the hips.
 *
 * @param origin what becomes 0
 */
function turned(
  { skeleton, views }: BodyBuilder,
  { vertices, heads }: Posed,
  turns: ReadonlyMap<string, Rotation>,
  origin: Vector,
): Posed {
  const points = new Float64Array(3 * (views.header.vertices + views.header.joints));
  points.set(vertices);
  const rotations = new Float64Array(9 * skeleton.names.length);
  skeleton.names.forEach((name, bone) => {
    const parent = skeleton.parents[bone];
    const inherited =
      parent < 0 ? about([1, 0, 0], 0) : rotations.subarray(9 * parent, 9 * parent + 9);
    rotations.set(turns.get(name) ?? inherited, 9 * bone);
    points.set(vectorAt(heads, bone), 3 * skeleton.heads[bone]);
  });
  const posed = skeleton.pose(points, rotations);
  const hips = (values: Float64Array): Vector =>
    between(
      vectorAt(values, skeleton.bone('thigh_l')),
      vectorAt(values, skeleton.bone('thigh_r')),
      0.5,
    );
  const shift = minus(minus(hips(heads), hips(posed.heads)), origin);
  const moved = (values: Float64Array) => values.map((value, at) => value + shift[at % 3]);
  return { vertices: moved(posed.vertices), heads: moved(posed.heads), rotations };
}
