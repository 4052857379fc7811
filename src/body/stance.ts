import { INFLUENCES } from '../lookup/shape-file.js';
import { type BodyBuilder, type FittedPerson, floorOf } from './body.js';
import { DIMENSION_NAMES, type Dimension } from './dimensions.js';
import { apartAt, hangingArms, restingArms } from './hanging-arms.js';
import { type ArmPose, levelArm, type OneArm, type Posed, vectorAt } from './skeleton.js';
import { ELBOW_TO, KNEE_TO, twoBones } from './two-bones.js';
import {
  about,
  between,
  dot,
  length,
  minus,
  type Rotation,
  rotationBetween,
  sum,
  times,
  turn,
  unit,
  type Vector,
} from './vectors.js';

// Places of stances are in mm: x forward, y to the person's left, z up. The origin is where the seat surface meets the
// plane of the back; of standing people, on the floor below the plane of the back.

/** A hand and the place that it touches. */
export interface Hand {
  readonly at: Vector;
  readonly by: 'fingertip' | 'pinch' | 'grip';
}

/** A foot: the place of the sole below its ball, and how far the toes point up, degrees. */
export interface Foot {
  readonly at: Vector;
  readonly pitchDegrees: number;
}

/** How a person sits or stands. */
export interface Stance {
  readonly pose: 'standing' | 'sitting';
  /** How far the trunk is turned forward about the hips, degrees; negative: backward. The head stays level. */
  readonly trunkDegrees: number;
  /** The middle between the eyes. The neck carries the level head there. By default, the head keeps its place. */
  readonly eye?: Vector | undefined;
  /** The left hand, then the right one. Other arms keep the pose of the body. */
  readonly hands: readonly (Hand | undefined)[];
  /** The left foot, then the right one; empty if both keep their place. */
  readonly feet: readonly Foot[];
  /** Whether arms without a hand rest on the thighs of a sitting body. */
  readonly rests?: boolean;
}

/** The neck is turned by at most this angle, radians. */
const NECK_MOST = Math.PI / 4;
/** How far fingertips that pinch lie beyond the knuckles, as a share of the straight middle finger. */
const PINCH = 0.75;
/** Where a fist holds a rod, beyond the wrist, as a share of the way to the knuckles. */
const GRIP = 0.95;

/** Dimensions that a body does not have when arms, trunk or legs have another place. */
const MOVED = {
  arms: /Shoulder|Chest|Nipple|Arm|Forearm|Wrist|HandBreadth|Neck/,
  trunk:
    /Stature|EyeHeight|C7|Shoulder|Waist|Hip|Crotch|Trunk|Chest|Nipple|Neck|Thigh|Sitting|Buttock/,
  legs: /^(Knee|Popliteal|ThighThickness|ButtockKnee|SittingHip|Calf|Foot)/,
} as const;

/** The dimensions that a stance does not have, beside those of its pose. */
export function missingIn({ trunkDegrees, eye, hands, feet }: Stance): readonly Dimension[] {
  const moved = [
    ...(hands.some((hand) => hand !== undefined) ? [MOVED.arms] : []),
    ...(trunkDegrees !== 0 || eye !== undefined ? [MOVED.trunk] : []),
    ...(feet.length > 0 ? [MOVED.legs] : []),
  ];
  return DIMENSION_NAMES.filter((name) => moved.some((names) => names.test(name)));
}

/** The coordinates of a body (x left, y up, z forward) of a place, and the reverse. */
const toBody = ([x, y, z]: Vector): Vector => [y, z, x];

/**
 * A fitted body in a stance. Arms and legs are turned until hands and feet are in their places, or as near as limbs of
 * their length come. The collarbone gives way if the arm is too short. The rest of the way, the limb stretches: joints
 * and lengths of a mesh differ a little from those of the model of reach.
 *
 * @returns the body, mm: x to its left, y up, z forward, with the origin of the stance at 0
 */
export function bodyInStance(builder: BodyBuilder, fitted: FittedPerson, stance: Stance): Posed {
  const { skeleton, views } = builder;
  const { pose, trunkDegrees, hands, feet } = stance;
  const erect = builder.posedBody(fitted, pose);
  const floor = floorOf(erect, views.triangles);
  const origin = originOf(builder, erect, floor, pose);
  const joint = (name: string): Vector => vectorAt(erect.heads, skeleton.bone(name));
  const hips = between(joint('thigh_l'), joint('thigh_r'), 0.5);
  const trunk = about([1, 0, 0], (trunkDegrees * Math.PI) / 180);
  const toTrunk = about([1, 0, 0], (-trunkDegrees * Math.PI) / 180);
  const [left, right] = SIDES.map((side, i): ArmPose | undefined => {
    const hand = hands[i];
    if (hand === undefined) return undefined;
    const place = sum(toBody(hand.at), origin);
    const own = sum(turn(toTrunk, minus(place, hips)), hips);
    return reaching(builder, fitted, erect, side, own, hand.by);
  });
  let posed = erect;
  if (left !== undefined || right !== undefined || stance.rests === true) {
    const other = otherArm(builder, fitted, erect, stance);
    const arms: OneArm = { side: 'both', pose: left ?? other, right: right ?? other };
    posed = builder.posedBody(fitted, pose, arms);
  }
  const { landmarks } = views.header;
  const eyeOf = (values: Float64Array): Vector =>
    between(
      vectorAt(values, landmarks.ectocanthus_l),
      vectorAt(values, landmarks.ectocanthus_r),
      0.5,
    );
  const turns = new Map<string, Rotation>([['pelvis', trunk]]);
  if (stance.eye !== undefined) {
    // The neck points to where the level head belongs.
    const [neck, head] = [joint('neck_01'), joint('head')];
    const neckAt = sum(turn(trunk, minus(neck, hips)), hips);
    const headAt = sum(sum(toBody(stance.eye), origin), minus(head, eyeOf(erect.vertices)));
    const slopeOf = ([, y, z]: Vector): number => Math.atan2(z, y);
    const bend = slopeOf(minus(headAt, neckAt)) - slopeOf(minus(head, neck));
    const neckAngle = Math.max(-NECK_MOST, Math.min(NECK_MOST, bend));
    turns.set('neck_01', about([1, 0, 0], neckAngle));
    turns.set('head', about([1, 0, 0], 0));
  }
  /** From each ankle to the sole below the ball. */
  const toSoles: Vector[] = [];
  for (const [i, side] of SIDES.entries()) {
    turns.set(`thigh_${side}`, about([1, 0, 0], 0));
    const foot = feet[i];
    if (foot === undefined) continue;
    const [hip, knee, ankle, ball] = ['thigh', 'calf', 'foot', 'ball'].map((one) =>
      joint(`${one}_${side}`),
    ) as [Vector, Vector, Vector, Vector];
    const [thigh, calf] = [minus(knee, hip), minus(ankle, knee)];
    const pitch = about([1, 0, 0], (-foot.pitchDegrees * Math.PI) / 180);
    toSoles[i] = turn(pitch, minus([ball[0], floor, ball[2]], ankle));
    const to = minus(sum(toBody(foot.at), origin), toSoles[i]);
    const [bent, end] = twoBones(hip, to, length(thigh), length(calf), toBody(KNEE_TO));
    turns.set(`thigh_${side}`, rotationBetween(thigh, minus(bent, hip)));
    turns.set(`calf_${side}`, rotationBetween(calf, minus(end, bent)));
    turns.set(`foot_${side}`, pitch);
  }
  const body = turned(builder, posed, turns, origin);
  if (stance.eye !== undefined) {
    // The rest of the way, the skin of the neck stretches.
    const rest = minus(toBody(stance.eye), eyeOf(body.vertices));
    stretch(builder, body, ['neck_01', 'head'], rest);
  }
  for (const [i, side] of SIDES.entries()) {
    const [hand, foot] = [hands[i], feet[i]];
    if (hand !== undefined) {
      const rest = minus(toBody(hand.at), tipOf(builder, fitted, body, side, hand.by));
      stretch(builder, body, ARM(side), rest);
    }
    if (foot === undefined) continue;
    const ankle = vectorAt(body.heads, skeleton.bone(`foot_${side}`));
    const rest = minus(toBody(foot.at), sum(ankle, toSoles[i]));
    stretch(builder, body, LEG(side), rest);
  }
  return body;
}

const SIDES = ['l', 'r'] as const;
/** The bones of a limb. All beyond the last one moves whole. */
const ARM = (side: string) =>
  ['clavicle', 'upperarm', 'lowerarm', 'hand'].map((one) => `${one}_${side}`);
const LEG = (side: string) => ['thigh', 'calf', 'foot'].map((one) => `${one}_${side}`);

/** The arm of a body in a stance whose hand has no place. */
function otherArm(
  builder: BodyBuilder,
  { fit }: FittedPerson,
  erect: Posed,
  { pose, rests }: Stance,
): ArmPose {
  if (pose === 'standing') return hangingArms(builder, fit.points, apartAt(fit.armAngle));
  return rests === true ? restingArms(builder, erect) : levelArm(fit.armAngle);
}

/** Moves the end of a chain of bones, and what lies between by its share of the way along the chain. */
function stretch(
  { skeleton, views }: BodyBuilder,
  { vertices, heads }: Posed,
  chain: readonly string[],
  by: Vector,
): void {
  const starts = chain.map((name) => vectorAt(heads, skeleton.bone(name)));
  const ways = starts.slice(1).map((to, i) => minus(to, starts[i]));
  const whole = ways.reduce((all, way) => all + length(way), 0);
  // For each bone, its place in the chain; bones that begin beyond the chain belong to its last one.
  const placeOf = new Int8Array(skeleton.names.length).fill(-1);
  skeleton.names.forEach((name, bone) => {
    const own = chain.indexOf(name);
    const parent = skeleton.parents[bone];
    placeOf[bone] = own >= 0 || parent < 0 ? own : placeOf[parent];
  });
  const shareAt = (bone: number, point: Vector): number => {
    let [far, place] = [0, placeOf[bone]];
    if (place < 0 || place === ways.length) return place < 0 ? 0 : 1;
    const way = ways[place];
    far = dot(minus(point, starts[place]), way) / length(way);
    far = Math.max(0, Math.min(length(way), far));
    while (place > 0) far += length(ways[--place]);
    return far / whole;
  };
  const moved = skeleton.names.map((_, bone) => shareAt(bone, vectorAt(heads, bone)));
  moved.forEach((share, bone) => {
    for (let k = 0; k < 3; k++) heads[3 * bone + k] += share * by[k];
  });
  for (let vertex = 0; 3 * vertex < vertices.length; vertex++) {
    let share = 0;
    for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
      const bone = views.skinBone[k];
      if (placeOf[bone] < 0 || skeleton.weights[k] === 0) continue;
      share += skeleton.weights[k] * shareAt(bone, vectorAt(vertices, vertex));
    }
    for (let k = 0; share > 0 && k < 3; k++) vertices[3 * vertex + k] += share * by[k];
  }
}

/** Where the origin of a stance is in an erect body with a floor. */
function originOf(
  { skeleton, views }: BodyBuilder,
  erect: Posed,
  floor: number,
  pose: string,
): Vector {
  const { vertices: trunk, shares } = skeleton.movedBy(/^(pelvis|spine_0.|clavicle_.)$/);
  let back = Infinity;
  for (const vertex of trunk) {
    if (shares[vertex] > 0.5) back = Math.min(back, erect.vertices[3 * vertex + 2]);
  }
  const seat = vectorAt(erect.vertices, views.header.landmarks.popliteal_l)[1];
  return [erect.heads[3 * skeleton.bone('pelvis')], pose === 'sitting' ? seat : floor, back];
}

/** How far what touches a place lies beyond the wrist, and the length of the palm, mm. */
function handOf(
  { skeleton, views }: BodyBuilder,
  { fit }: FittedPerson,
  side: 'l' | 'r',
  by: Hand['by'],
) {
  // The fingers have their full length in the rest pose.
  const rest = (point: number): Vector => vectorAt(fit.points, point);
  const hand = ['hand', 'middle_01', 'middle_02', 'middle_03'].map((name) =>
    rest(skeleton.heads[skeleton.bone(`${name}_${side}`)]),
  );
  hand.push(rest(views.header.landmarks[`dactylion_${side}`]));
  const parts = hand.slice(1).map((to, i) => length(minus(to, hand[i])));
  const palmMm = parts[0];
  const fingerMm = parts.slice(1).reduce((all, one) => all + one, 0);
  const beyondWrist = {
    fingertip: palmMm + fingerMm,
    pinch: palmMm + PINCH * fingerMm,
    grip: GRIP * palmMm,
  }[by];
  return { palmMm, beyondWrist };
}

/** What touches the place of a hand, mm. The end of the middle finger is a landmark; the others lie along the palm. */
function tipOf(
  builder: BodyBuilder,
  fitted: FittedPerson,
  { vertices, heads }: Posed,
  side: 'l' | 'r',
  by: Hand['by'],
): Vector {
  const { skeleton, views } = builder;
  if (by === 'fingertip') return vectorAt(vertices, views.header.landmarks[`dactylion_${side}`]);
  const at = (name: string): Vector => vectorAt(heads, skeleton.bone(`${name}_${side}`));
  const { palmMm, beyondWrist } = handOf(builder, fitted, side, by);
  return between(at('hand'), at('middle_01'), beyondWrist / palmMm);
}

/** The pose of an arm whose hand touches a place of the erect body, mm. */
function reaching(
  builder: BodyBuilder,
  fitted: FittedPerson,
  { heads }: Posed,
  side: 'l' | 'r',
  place: Vector,
  by: Hand['by'],
): ArmPose {
  const { skeleton } = builder;
  const out = side === 'l' ? 1 : -1;
  const away = ([x, y, z]: Vector): Vector => [out * x, y, z];
  const joint = (name: string): Vector => away(vectorAt(heads, skeleton.bone(`${name}_${side}`)));
  const [shoulder, elbow, wrist] = [joint('upperarm'), joint('lowerarm'), joint('hand')];
  const { beyondWrist } = handOf(builder, fitted, side, by);
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
