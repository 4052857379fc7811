import type { MeasurementName } from '../core/measurements.js';
import type { ManifestReach } from '../lookup/format.js';

// Coordinates: mm, x forward, y to the person's left, z up. Standing: the floor under the back plane. Sitting: the seat
// surface at the back plane. The back plane touches the most rearward points of shoulders and buttocks.

/** Postures of questions about reach and sight. */
export const REACH_POSES = ['standing', 'sitting'] as const;
export type ReachPose = (typeof REACH_POSES)[number];

/** The part of the body that touches a target. */
export const TIPS = ['fingertip', 'pinch', 'grip', 'foot'] as const;
export type Tip = (typeof TIPS)[number];
export type HandTip = Exclude<Tip, 'foot'>;

/** How far a person may lean: not at all, with the shoulder, or with shoulder and trunk. */
export const LEANS = ['none', 'shoulder', 'trunk'] as const;
export type Lean = (typeof LEANS)[number];

/** Parts of the body that need room. */
export const PARTS = ['head', 'shoulder', 'thigh', 'knee'] as const;
export type Part = (typeof PARTS)[number];

export type Vector = readonly [x: number, y: number, z: number];

/** A box that is parallel to the axes. */
export interface Box {
  readonly from: Vector;
  readonly to: Vector;
}

/**
 * Centre of the shoulder joint below the acromion, as a share of the upper arm (de Leva 1996, J. Biomech. 29:1231,
 * table 2, after Chandler).
 */
const JOINT_BELOW_ACROMION = 0.104;
/** Centre of the shoulder joint inside the acromion, in mm (Campbell et al. 2009, J. Biomech. 42:1527). */
const JOINT_INSIDE_ACROMION_MM = 6;
/** Largest flexion of the elbow, in degrees (Boone and Azen 1979, J. Bone Joint Surg. 61-A:756: 143). */
const ELBOW_FLEXION = 143;
/** Cosine of the angle between upper arm and forearm if the elbow is bent as far as it goes. */
const ELBOW_COS = Math.cos(((180 - ELBOW_FLEXION) * Math.PI) / 180);

/**
 * Limits of the direction of the arm, in degrees: past straight ahead across the body, and behind the side, both at
 * shoulder height (norm of horizontal flexion 135 and extension 45: American Academy of Orthopaedic Surgeons 1965), and
 * behind the hanging arm (extension 62: Boone and Azen 1979).
 */
const [ACROSS, BEHIND, EXTENSION] = [45, 45, 62];
/** How far behind straight up the arm goes, in degrees: the trunk gives way (an assumption). */
const BEHIND_UP = 10;

/**
 * Loss of raising the arm with age. Active flexion falls by 43° (men) and 41° (women) from 20 to 91 years (Gill et al.
 * 2020, BMC Musculoskelet. Disord. 21:676; abstract; 2,404 people), 0.6° a year; abduction by 0.5° and 0.6° from 55 to 86
 * (Stathokostas et al. 2013, J. Aging Res. 743843; abstract). The measured reaches are of people up to 51 years, so the loss
 * counts from 50. Its standard deviation grows to 18° at 75: 14 to 22° among people over 65 (Bassey et al. 1989, Eur. J.
 * Appl. Physiol. 58:353; abstract) without the 8° of the young. That the loss is even over age is our own assumption.
 */
const [LOSS_FROM_YEARS, LOSS_A_YEAR, LOSS_SD, LOSS_SD_YEARS] = [50, 0.6, 18, 25];

/** Largest lean of the trunk about the hips, in degrees (`reach.md`). ISO 11226 accepts up to 20 without conditions. */
export const TRUNK_LEAN = 30;

/** Flexion of hip and knee and motion of the ankle from 90°, in degrees (Boone and Azen 1979). */
const [HIP_MOST, KNEE_MOST, ANKLE_UP, ANKLE_DOWN] = [121, 141, 12, 54];
/** How far the leg turns outward and inward (norms of the American Academy of Orthopaedic Surgeons 1965), in degrees. */
const [LEG_OUT, LEG_IN] = [45, 30];
/**
 * Ball of the foot in front of the ankle, as a share of foot length. The ball lies at 0.74 of it (ANSUR II, ball of foot
 * length). The ankle at a quarter is an assumption of ours.
 */
export const BALL_BEFORE_ANKLE = 0.74 - 0.25;

const RADIANS = Math.PI / 180;

/** Parts of a question that decide which measurements of a person are needed. */
export interface Needs {
  readonly pose: ReachPose;
  readonly tips: ReadonlySet<Tip>;
  readonly parts: ReadonlySet<Part>;
  readonly sees: boolean;
  /** Whether the trunk turns about the hips: a lean, or the back of a seat. */
  readonly turns: boolean;
}

/** Measurements of each person that the answers to some questions need. */
export function measurementsFor({ pose, tips, parts, sees, turns }: Needs): MeasurementName[] {
  const sits = pose === 'sitting';
  const shoulder: MeasurementName = sits ? 'SittingShoulderHeight' : 'ShoulderHeight';
  const eye: MeasurementName = sits ? 'SittingEyeHeight' : 'EyeHeight';
  const hip: MeasurementName[] = ['TrunkDepthAtButtocks', 'ThighThickness'];
  const names: MeasurementName[] = [];
  if ([...tips].some((tip) => tip !== 'foot')) {
    names.push(shoulder, 'ShoulderBreadthBiacromial', 'UpperArmLength', 'UpperLimbLength');
    names.push('ShoulderGripLength', 'WorkReach', 'Span');
    names.push(sits ? 'VerticalGripReachSitting' : 'VerticalGripReachStanding');
  }
  if (tips.has('pinch')) names.push('HorizontalPinchGripReach');
  if (tips.has('foot')) {
    names.push(...hip, 'ButtockKneeLength', 'KneeHeight', 'ButtockToSoleSitting', 'FootLength');
    names.push('FootHeight', 'SittingHipBreadth');
  }
  if (sees || parts.has('head')) names.push(eye, 'BackOfHeadToEye');
  if (parts.has('head'))
    names.push(sits ? 'SittingHeight' : 'Stature', 'HeadLength', 'HeadBreadth');
  if (parts.has('shoulder')) {
    names.push(shoulder, 'ShoulderBreadthBideltoid', 'ShoulderDepth', 'UpperArmLength');
  }
  if (parts.has('thigh')) {
    names.push('ThighThickness', 'ButtockKneeLength', 'SittingHipBreadth', 'KneeHeight');
  }
  if (parts.has('knee')) {
    names.push('KneeHeight', 'PoplitealHeight', 'ButtockKneeLength', 'SittingHipBreadth');
  }
  if (turns) {
    names.push(...hip);
    if (!sits) names.push('ShoulderHeight', 'SittingShoulderHeight');
    if (sees || parts.has('head')) names.push(sits ? 'C7HeightSitting' : 'C7HeightStanding');
  }
  return [...new Set(names)];
}

/** Values of one person by measurement, in mm. */
export type Values = (name: MeasurementName) => number;

/** Traits that no measurement gives, as standard normal scores: stretching the shoulder and raising the arm. */
export interface Scores {
  readonly stretch: number;
  readonly raise: number;
}

/** How the shoulder moves forward, from the artifact. */
export type Stretch = ManifestReach;

/** The arm of a person, in mm. The left arm is the mirror of the right one. */
export interface Arm {
  /** Distance of the joint from the middle with hanging arms and with arms sideways. */
  readonly restY: number;
  readonly sideY: number;
  readonly x: number;
  /** Height of the joint with hanging arm, and how much it rises until the arm is overhead. */
  readonly restZ: number;
  readonly rise: number;
  /** How far the joint goes forward if the shoulder is stretched. */
  readonly stretch: number;
  readonly upperArm: number;
  /** Straight arm from the joint to each tip. */
  readonly length: Readonly<Record<HandTip, number>>;
  /** Largest angle of the arm from hanging, in radians. */
  readonly most: number;
}

/**
 * The arm of a person. It is a sphere about the shoulder joint. The joint moves with the arm, so that the arm meets each
 * measured reach of the person: hanging, ahead (`WorkReach`), overhead (`VerticalGripReachSitting` or `…Standing`) and
 * sideways (`Span`). Between them, the joint rises in proportion to the angle of the arm (Inman et al. 1944, J. Bone
 * Joint Surg. 26:1).
 */
export function armOf(
  value: Values,
  pose: ReachPose,
  tips: ReadonlySet<Tip>,
  ageYears: number,
  scores: Scores,
  { stretchShare, stretchSdMm }: Stretch,
): Arm {
  const sits = pose === 'sitting';
  const upper = value('UpperArmLength');
  const below = JOINT_BELOW_ACROMION * upper;
  const biacromial = value('ShoulderBreadthBiacromial');
  const acromion = value(sits ? 'SittingShoulderHeight' : 'ShoulderHeight');
  const overhead = value(sits ? 'VerticalGripReachSitting' : 'VerticalGripReachStanding');
  const grip = value('ShoulderGripLength') - below;
  const fingertip = value('UpperLimbLength') - below;
  const ahead = value('WorkReach');
  const restZ = acromion - below;
  const old = Math.max(0, ageYears - LOSS_FROM_YEARS);
  const sd = LOSS_SD * Math.min(1, old / LOSS_SD_YEARS);
  return {
    restY: biacromial / 2 - JOINT_INSIDE_ACROMION_MM,
    sideY: value('Span') / 2 - fingertip,
    x: ahead - grip,
    restZ,
    rise: overhead - grip - restZ,
    stretch: Math.max(0, stretchShare * biacromial + stretchSdMm * scores.stretch),
    upperArm: upper - below,
    length: {
      fingertip,
      grip,
      pinch: tips.has('pinch') ? grip + value('HorizontalPinchGripReach') - ahead : grip,
    },
    most: Math.min(180, 180 + BEHIND_UP - LOSS_A_YEAR * old + sd * scores.raise) * RADIANS,
  };
}

/** How far a bent arm may end before the place that was found, in mm. */
const TIP_NEAR_MM = 10;
/** Number of steps in which joint and direction are found; each reduces the error to a fifth. */
const STEPS = 3;

/**
 * By how many mm an arm reaches a point: 0 or more if it does.
 *
 * @param y distance of the point to the side of the arm; negative across the body
 * @param isStretched whether the shoulder may go forward
 */
export function armMargin(
  arm: Arm,
  tip: HandTip,
  x: number,
  y: number,
  z: number,
  isStretched: boolean,
): number {
  const outer = arm.length[tip];
  let [dx, dy, dz] = [x - arm.x, y - arm.restY, z - arm.restZ - arm.rise / 2];
  let far = Math.sqrt(dx * dx + dy * dy + dz * dz);
  let angle = 0;
  for (let step = 0; step < STEPS; step++) {
    const inverse = far > 0 ? 1 / far : 0;
    const ahead = Math.max(0, dx * inverse);
    const aside = Math.max(0, dy * inverse);
    angle = Math.acos(Math.max(-1, Math.min(1, -dz * inverse)));
    dx = x - arm.x - (isStretched ? arm.stretch * ahead * ahead : 0);
    dy = y - arm.restY - (arm.sideY - arm.restY) * aside * aside;
    dz = z - arm.restZ - (arm.rise * angle) / Math.PI;
    far = Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  const inner = foldedLength(arm, outer);
  const behind = behindBy(dx, dy, angle);
  const within = Math.min(bentLength(arm, outer, bentBy(arm, dx, dy, angle)) - far, far - inner);
  return behind > 0 ? Math.min(-behind * far, within) : within;
}

/** Distance of a tip from the joint if the elbow is bent as far as it goes. */
function foldedLength({ upperArm }: Arm, straight: number): number {
  const fore = straight - upperArm;
  return Math.sqrt(Math.max(0, upperArm ** 2 + fore ** 2 - 2 * upperArm * fore * ELBOW_COS));
}

/**
 * How far the arm of a person reaches from a point in a direction, in mm; 0 where it does not reach.
 *
 * @param side 1 for the left arm, −1 for the right one
 * @param isFolded whether the nearest place is wanted, which the bent elbow reaches; 0 if the point itself is reached
 */
export function armTip(
  arm: Arm,
  tip: HandTip,
  origin: Vector,
  direction: Vector,
  side: number,
  isStretched: boolean,
  isFolded = false,
): number {
  const [ox, oy, oz] = [origin[0], side * origin[1], origin[2]];
  const [ux, uy, uz] = [direction[0], side * direction[1], direction[2]];
  const length = arm.length[tip];
  let far = length;
  let [dx, dy, dz, angle, bent] = [ux, uy, uz, 0, 0];
  for (let step = 0; step < STEPS; step++) {
    const size = Math.sqrt(dx * dx + dy * dy + dz * dz) || 1;
    const ahead = Math.max(0, dx / size);
    const aside = Math.max(0, dy / size);
    angle = Math.acos(Math.max(-1, Math.min(1, -dz / size)));
    const x = ox - arm.x - (isStretched ? arm.stretch * ahead * ahead : 0);
    const y = oy - arm.restY - (arm.sideY - arm.restY) * aside * aside;
    const z = oz - arm.restZ - (arm.rise * angle) / Math.PI;
    // The farther of the two places where the ray meets the sphere about the joint.
    const along = x * ux + y * uy + z * uz;
    bent = step === 0 ? 0 : bentBy(arm, dx, dy, angle);
    const reach = isFolded ? foldedLength(arm, length) : bentLength(arm, length, bent);
    const inside = along ** 2 - (x ** 2 + y ** 2 + z ** 2 - reach ** 2);
    if (inside < 0) return 0;
    far = Math.sqrt(inside) - along;
    [dx, dy, dz] = [x + far * ux, y + far * uy, z + far * uz];
  }
  if (far <= 0 || behindBy(dx, dy, angle) > 0) return 0;
  if (isFolded) return far;
  if (bent === 0 && (dx >= 0 || dy >= 0)) return far;
  // Beyond the limits of the arm, the steps may not have come to a place that the hand reaches.
  const [x, y, z] = [ox + far * ux, oy + far * uy, oz + far * uz];
  return armMargin(arm, tip, x, y, z, isStretched) > -TIP_NEAR_MM ? far : 0;
}

/** Angle around the vertical from straight ahead to the side of the arm, in degrees from −180 to 180. */
const around = (dx: number, dy: number): number => Math.atan2(dy, dx) / RADIANS;

/**
 * By how many radians the hand lies beyond the limits of the upper arm on the side to which the elbow bends: too high,
 * or too far across the body. 0 if it does not.
 */
function bentBy(arm: Arm, dx: number, dy: number, angle: number): number {
  const past = -ACROSS - around(dx, dy);
  const across = past > 0 && past <= 90 ? past * RADIANS * Math.sin(angle) : 0;
  return Math.max(0, angle - arm.most, across);
}

/** Distance of a tip from the joint if the upper arm, seen from the joint, stops this many radians before the tip. */
function bentLength(arm: Arm, straight: number, bent: number): number {
  if (bent === 0) return straight;
  const fore = straight - arm.upperArm;
  const aside = arm.upperArm * Math.sin(Math.min(bent, Math.PI / 2));
  const rest = fore ** 2 - aside ** 2;
  return rest < 0 ? 0 : Math.max(0, arm.upperArm * Math.cos(bent) + Math.sqrt(rest));
}

/** By how many radians a direction lies behind the limits of the joint. The elbow does not bend that way. */
function behindBy(dx: number, dy: number, angle: number): number {
  const turned = around(dx, dy);
  const past = turned > 0 ? turned - 90 - BEHIND : -ACROSS - 90 - turned;
  if (past <= 0) return 0;
  // Near straight up, every direction is nearly the same.
  const flat = Math.sin(angle);
  const sideways = (past * flat - BEHIND_UP * (1 - flat)) * RADIANS;
  const hanging = turned > 90 ? angle - EXTENSION * RADIANS : Number.POSITIVE_INFINITY;
  return Math.max(0, Math.min(sideways, hanging));
}

/** Places of a person that do not depend on the arms, in mm. */
export interface Frame {
  /** Hip joint: in the middle of the buttocks' depth and of the thigh (Hybrid III: 137 and 86 mm). */
  readonly hipX: number;
  readonly hipZ: number;
  /** A quarter of the hip breadth: an assumption. */
  readonly hipY: number;
  /** Seventh cervical vertebra above the hips, about which head and eyes stay level. */
  readonly neckZ: number;
  readonly eyeX: number;
  readonly eyeZ: number;
  readonly topZ: number;
  readonly headLength: number;
  readonly headBreadth: number;
  readonly shoulderZ: number;
  readonly shoulderBreadth: number;
  readonly shoulderDepth: number;
  readonly upperArm: number;
  readonly thighThickness: number;
  readonly buttockKnee: number;
  readonly hipBreadth: number;
  readonly kneeHeight: number;
  readonly popliteal: number;
  readonly soleReach: number;
  readonly footLength: number;
  /** Height of the ankle above the sole. */
  readonly ankle: number;
}

/** The places of a person. Those that no question needs are not a number. */
export function frameOf(value: Values, pose: ReachPose): Frame {
  const sits = pose === 'sitting';
  const shoulderZ = value(sits ? 'SittingShoulderHeight' : 'ShoulderHeight');
  const seat = sits ? 0 : shoulderZ - value('SittingShoulderHeight');
  return {
    hipX: value('TrunkDepthAtButtocks') / 2,
    hipZ: seat + value('ThighThickness') / 2,
    hipY: value('SittingHipBreadth') / 4,
    neckZ: value(sits ? 'C7HeightSitting' : 'C7HeightStanding'),
    eyeX: value('BackOfHeadToEye'),
    eyeZ: value(sits ? 'SittingEyeHeight' : 'EyeHeight'),
    topZ: value(sits ? 'SittingHeight' : 'Stature'),
    headLength: value('HeadLength'),
    headBreadth: value('HeadBreadth'),
    shoulderZ,
    shoulderBreadth: value('ShoulderBreadthBideltoid'),
    shoulderDepth: value('ShoulderDepth'),
    upperArm: value('UpperArmLength'),
    thighThickness: value('ThighThickness'),
    buttockKnee: value('ButtockKneeLength'),
    hipBreadth: value('SittingHipBreadth'),
    kneeHeight: value('KneeHeight'),
    popliteal: value('PoplitealHeight'),
    soleReach: value('ButtockToSoleSitting'),
    footLength: value('FootLength'),
    ankle: value('FootHeight'),
  };
}

/**
 * Where a point of the trunk is after a turn about the hips.
 *
 * @param forward angle of the turn in radians; negative backward
 */
export function turned(
  frame: Frame,
  x: number,
  z: number,
  forward: number,
): [x: number, z: number] {
  if (forward === 0) return [x, z];
  const [dx, dz] = [x - frame.hipX, z - frame.hipZ];
  const [sin, cos] = [Math.sin(forward), Math.cos(forward)];
  return [frame.hipX + dx * cos + dz * sin, frame.hipZ + dz * cos - dx * sin];
}

/**
 * How far people in a reclined seat hold the head before the plane of the back, as a share of the eye height above the
 * seat. So the median eye is where the V points of UN Regulation 125 are said to be (its table was not read: our own
 * assumption): 68 mm behind the R point at a back of 25°, and 69 mm before it at 10°. The erect person of the measurements
 * has the head at the plane.
 */
const HEAD_AHEAD = 0.16;
/** The smallest angle of the back with V points, in radians. From 0 to this angle, the share grows linearly. */
const RECLINED = (10 * Math.PI) / 180;

/**
 * How far head and eyes move if the trunk turns, in mm. They stay level: the neck, above the hips, carries them.
 *
 * @param forward angle of the turn in radians; negative backward, as in a reclined seat
 */
export function headShift(frame: Frame, forward: number): [x: number, z: number] {
  if (forward === 0) return [0, 0];
  const reclined = Math.min(1, Math.max(0, -forward / RECLINED));
  const [x, z] = turned(frame, frame.hipX, frame.neckZ, forward);
  return [HEAD_AHEAD * reclined * frame.eyeZ + x - frame.hipX, z - frame.neckZ];
}

/** Number of angles of the thigh that are tried for the foot. */
const THIGH_ANGLES = 12;

/** The leg of a person, in mm. The left leg is the mirror of the right one. */
export interface Leg {
  readonly hipX: number;
  readonly hipY: number;
  readonly hipZ: number;
  readonly thigh: number;
  readonly shank: number;
  /** From the ankle to the ball of the foot. */
  readonly ball: number;
  /** Minimum and maximum distance from the knee to the ball. */
  readonly near: number;
  readonly wide: number;
  /** Places of the knee before and above the hip, with the angle of the thigh from horizontal, in radians. */
  readonly knees: readonly (readonly [forward: number, up: number, rise: number])[];
}

/**
 * The leg of a person. The thigh lies on the seat or rises from it. Thigh and shank follow from three lengths:
 * `ButtockKneeLength`, `KneeHeight` and `ButtockToSoleSitting`, with the straight leg.
 *
 * @param panAngle angle of the seat surface, in radians
 */
export function legOf(frame: Frame, panAngle: number): Leg {
  const { hipX, hipY, hipZ, buttockKnee, kneeHeight, soleReach, footLength, ankle } = frame;
  const knee = (buttockKnee + kneeHeight - soleReach) / 2;
  const thigh = buttockKnee - hipX - knee;
  const shank = kneeHeight - knee - ankle;
  const ball = Math.hypot(BALL_BEFORE_ANKLE * footLength, ankle);
  const ballAngle = Math.atan2(ankle, BALL_BEFORE_ANKLE * footLength);
  const most = Math.max(panAngle, (HIP_MOST - 90) * RADIANS);
  return {
    ...{ hipX, hipY, hipZ, thigh, shank, ball },
    // Angles at the ankle between the shank and the line to the ball.
    near: reachOf(shank, ball, (90 - ANKLE_UP) * RADIANS + ballAngle),
    wide: reachOf(shank, ball, (90 + ANKLE_DOWN) * RADIANS + ballAngle),
    knees: Array.from({ length: THIGH_ANGLES + 1 }, (_, i) => {
      const rise = panAngle + (i / THIGH_ANGLES) * (most - panAngle);
      return [thigh * Math.cos(rise), thigh * Math.sin(rise), rise] as const;
    }),
  };
}

/**
 * By how many mm the ball of a foot reaches a point of the seat's coordinates.
 *
 * @param y distance of the point to the side of the foot
 */
export function footMargin(leg: Leg, x: number, y: number, z: number): number {
  const { shank, ball, near, wide } = leg;
  const [ahead, aside, up] = [x - leg.hipX, y - leg.hipY, z - leg.hipZ];
  const forward = Math.sqrt(ahead * ahead + aside * aside);
  const outward = Math.atan2(aside, ahead) / RADIANS;
  const sideways = Math.max(outward - LEG_OUT, -LEG_IN - outward);
  if (sideways > 0) return -sideways * RADIANS * forward;
  let best = Number.NEGATIVE_INFINITY;
  for (const [kneeForward, kneeUp, rise] of leg.knees) {
    const [dx, dz] = [forward - kneeForward, up - kneeUp];
    const far = Math.sqrt(dx * dx + dz * dz);
    let margin = Math.min(wide - far, far - near);
    if (margin >= 0) {
      const cosine = (shank ** 2 + far ** 2 - ball ** 2) / (2 * shank * far);
      // The foot points forward, so the shank lies behind the line from the knee to the ball.
      const down = Math.atan2(-dz, dx) + Math.acos(Math.max(-1, Math.min(1, cosine)));
      const flexion = down + rise;
      const beyond = Math.max(flexion - KNEE_MOST * RADIANS, -flexion);
      if (beyond > 0) margin = -beyond * shank;
    }
    if (margin > best) best = margin;
    else if (best >= 0) break;
  }
  return best;
}

/** Number of steps in which a foot is found, each by the elevation of the last. */
const FOOT_STEPS = 5;
/** Step towards the nearest place of a foot, mm. */
const NEAR_STEP = 20;
/** Elevations from the hip at which the reach of a leg is found, and steps toward it, in degrees and mm. */
const [ELEVATION_MOST, ELEVATION_STEP] = [80, 5];
const [STEP_MOST, STEP_LEAST] = [60, 2];

/**
 * How far the ball of a foot reaches from the hip in the plane of the leg, in mm within 2 mm: at elevations from −90° in
 * steps of 5°; 0 where it does not reach. The ball comes from afar in steps that are no longer than its distance.
 *
 * @param isNear whether the nearest place below the farthest one is asked, within 20 mm
 */
export function legReach(leg: Leg, isNear = false): Float64Array {
  return Float64Array.from({ length: (ELEVATION_MOST + 90) / ELEVATION_STEP + 1 }, (_, i) => {
    const elevation = (i * ELEVATION_STEP - 90) * RADIANS;
    const [cos, sin] = [Math.cos(elevation), Math.sin(elevation)];
    let far = leg.thigh + leg.wide;
    const marginAt = (at: number): number =>
      footMargin(leg, leg.hipX + at * cos, leg.hipY, leg.hipZ + at * sin);
    while (far > 0) {
      const margin = marginAt(far);
      if (margin >= 0) {
        while (isNear && far > NEAR_STEP && marginAt(far - NEAR_STEP) >= 0) far -= NEAR_STEP;
        return far;
      }
      far -= Math.min(STEP_MOST, Math.max(STEP_LEAST, -margin));
    }
    return 0;
  });
}

/**
 * How far the ball of a foot reaches from a point in a direction, in mm; 0 where it does not reach.
 *
 * @param reach what `legReach` returns
 * @param side 1 for the left foot, −1 for the right one
 */
export function footTip(
  leg: Leg,
  reach: Float64Array,
  origin: Vector,
  direction: Vector,
  side: number,
): number {
  const [x, y, z] = [origin[0] - leg.hipX, side * origin[1] - leg.hipY, origin[2] - leg.hipZ];
  const [ux, uy, uz] = [direction[0], side * direction[1], direction[2]];
  const along = x * ux + y * uy + z * uz;
  const apart = x * x + y * y + z * z - along * along;
  let far = leg.thigh + leg.wide;
  let [px, py] = [0, 0];
  for (let step = 0; step < FOOT_STEPS; step++) {
    [px, py] = [x + far * ux, y + far * uy];
    const elevation = Math.atan2(z + far * uz, Math.sqrt(px * px + py * py)) / RADIANS;
    const place = (elevation + 90) / ELEVATION_STEP;
    const low = Math.floor(place);
    const [below = 0, above = 0] = [reach[low], reach[low + 1]];
    if (below === 0 || above === 0) return 0;
    const radius = below + (place - low) * (above - below);
    // The farther of the two places where the ray meets the sphere about the hip.
    if (radius * radius < apart) return 0;
    far = Math.sqrt(radius * radius - apart) - along;
  }
  const outward = Math.atan2(py, px) / RADIANS;
  return outward > LEG_OUT || outward < -LEG_IN ? 0 : Math.max(0, far);
}

/** Distance of the ends of two bones that meet at an angle, in radians. */
function reachOf(one: number, other: number, angle: number): number {
  return Math.sqrt(one ** 2 + other ** 2 - 2 * one * other * Math.cos(Math.min(Math.PI, angle)));
}
