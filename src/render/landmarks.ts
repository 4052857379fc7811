import { PLACES } from '../body/tape.js';
import {
  between,
  cross,
  dot,
  minus,
  across as perpendicular,
  sum,
  times,
  unit,
  type Vector,
} from '../body/vectors.js';
import type { MeasurementName } from '../core/measurements.js';
import type { Probe } from './probe.js';

/** Points on a body by name, mm. */
export type Places = Record<string, Vector>;

/** Values of a person's dimensions in mm, by name. */
export type Values = Readonly<Record<string, number>>;

const X: Vector = [1, 0, 0];
const Y: Vector = [0, 1, 0];
const Z: Vector = [0, 0, 1];
const TRUNK = /^(pelvis|spine_0[123])$/;
const HIPS = /^(pelvis|spine_0[123]|thigh_[lr])$/;
const HEAD = /^head$/;
const HEAD_AND_NECK = /^(head|neck_01|spine_03)$/;
const THIGH = /^(thigh_r|calf_r)$/;
const LEG = /^(thigh|calf|foot)_r$/;
const FOOT = /^(foot|ball)_r$/;
const ARM = /^(upperarm|lowerarm|clavicle)_r$/;
const SHOULDERS = /^(upperarm|clavicle)_[lr]$/;
const ARMS = /^(upperarm|lowerarm|hand)_[lr]$/;
const HAND = /^(hand|index_0.|middle_0.|ring_0.|pinky_0.)_r$/;
const HAND_AND_ARM = /^(hand|lowerarm)_r$/;

/**
 * A landmark of the right side of a body, mirrored from the left side. Both sides have the same pose, and the tape
 * measures the left.
 */
function right(p: Probe, name: string): Vector {
  const [x, y, z] = p.mark(`${name}_l`);
  return [-x, y, z];
}

const back = (direction: Vector): Vector => times(direction, -1);
const at = (y: number): Vector => [0, y, 0];

/**
 * Positions of creases and of the middle of a grip, which the mesh does not show. With these shares, the drawn lengths
 * of fingers, palm and grip are right on average. `test/render/biases.long.test.ts` measures them on 24 people of the
 * model.
 */
const HAND_SHARES = {
  /** Crease at the base of a finger, as a share of its first bone. */
  bases: { index: 0.1, middle: 0.14, ring: 0.17, pinky: -0.17 },
  /** Place of the web of the thumb, as a share of the first bone of the thumb. */
  web: 0.9,
  /** Middle of a gripped rod, as a share of the way from the wrist to the knuckle of the middle finger. */
  grip: 0.9,
  /** Middle of the grip of a hanging hand. */
  hangingGrip: 0.69,
  /** Point between the tips of thumb and forefinger where they pinch. */
  pinch: 0.5,
} as const;

/** Places of slices that the tape of the fit does not measure, as shares of stature. */
const SHARES = {
  armpit: 0.062,
  underBreast: 0.032,
  belowKnee: 0.03,
  thighFrom: 0.12,
  groin: 0.022,
  kneeCrease: 0.4,
  neckBase: 1.3,
} as const;

/** How far the elbow extends in front of and above its joint, as shares of stature. */
const ELBOW = { before: 0.018, above: 0.01 } as const;

/**
 * The height or depth of a mark that the skin of the mesh does not show, such as the end of a bone: the predicted one,
 * or that of the mesh.
 *
 * @param from where the dimension begins; a negative sign measures the other way
 */
const predictedFrom =
  (values: Values) =>
  (name: MeasurementName, from: number, otherwise: number, sign: 1 | -1 = 1): number => {
    const mm = values[name];
    return mm === undefined ? otherwise : from + sign * mm;
  };

/** The point of a line between two points that has a height. It lies between them. */
function atHeight(one: Vector, other: Vector, y: number): Vector {
  const share = (y - one[1]) / (other[1] - one[1]);
  return between(one, other, Math.min(Math.max(share, 0), 1));
}

/** Places that both standing and sitting bodies have, from head to hips. */
function upperBody(p: Probe, stature: number) {
  const nipples = between(p.mark('thelion_l'), p.mark('thelion_r'), 0.5);
  const acromion = right(p, 'acromion');
  const neckSide = neckBreadth(p);
  // The neck is wider at its base.
  const middle = (acromion[0] + SHARES.neckBase * neckSide[0][0]) / 2;
  const onShoulder = ([x]: Vector) => Math.abs(x - middle) < 0.006 * stature;
  const deltoid = ([, y]: Vector) => y > acromion[1] - PLACES.deltoid * stature;
  return {
    topOfHead: p.far(HEAD, Y),
    eye: p.mark('ectocanthus_r'),
    ...{ acromion, acromionRight: acromion, acromionLeft: p.mark('acromion_l') },
    midShoulder: p.far(/^(clavicle_r|spine_03|neck_01)$/, Y, onShoulder),
    deltoidRight: p.far(SHOULDERS, back(X), deltoid),
    deltoidLeft: p.far(SHOULDERS, X, deltoid),
    nippleRight: p.mark('thelion_r'),
    nippleLeft: p.mark('thelion_l'),
    chestMiddle: nipples,
    navel: p.mark('omphalion'),
    c7: p.mark('cervicale'),
    suprasternale: p.mark('suprasternale'),
  };
}

function neckBreadth(p: Probe) {
  const larynx = between(p.joint('head'), p.joint('neck_01'), PLACES.larynx);
  return p.across(HEAD_AND_NECK, larynx, Y, X);
}

/** Places of a body that stands with hanging arms. */
export function standingPlaces(p: Probe, values: Values): Places {
  const predicted = predictedFrom(values);
  const stature = p.far(HEAD, Y)[1];
  const upper = upperBody(p, stature);
  const { chestMiddle, navel, acromion, suprasternale, topOfHead, c7 } = upper;
  const crotch = p.mark('crotch');
  const [nippleY, navelY] = [chestMiddle[1], navel[1]];
  const least = crotch[1] - PLACES.belowCrotchMm;
  const most = crotch[1] + PLACES.buttocksUpTo * (navelY - crotch[1]);
  // At the buttocks, as the tape takes it.
  const atButtocks = at(p.heightOfBack(HIPS, least, most));
  const [buttock, abdomenAtButtocks] = p.across(HIPS, atButtocks, Y, Z);
  const [chestBack, chestFront] = p.across(TRUNK, at(nippleY), Y, Z);
  const [waistBack, waistFront] = p.across(HIPS, at(navelY), Y, Z);
  const armpitY = predicted('ArmpitHeightStanding', 0, acromion[1] - SHARES.armpit * stature);
  const [armpit, armpitLeft] = p.across(TRUNK, at(armpitY), Y, X);
  const trochanterY = predicted('HipHeight', 0, p.joint('thigh_r')[1]);
  const tibialeY = predicted('ThighLength', trochanterY, p.joint('calf_r')[1] - 0.01 * stature, -1);
  const underY = nippleY - SHARES.underBreast * stature;
  const [hip, knee, ankle] = [p.joint('thigh_r'), p.joint('calf_r'), p.joint('foot_r')];
  const thighAt = (y: number) => p.across(THIGH, at(y), Y, X);
  const [elbow, shoulder] = [p.joint('lowerarm_r'), acromion];
  const armAxis = unit(minus(elbow, shoulder));
  const upperArm = p.across(ARM, between(shoulder, elbow, PLACES.upperArm), armAxis, X);
  const [wrist, knuckle] = [p.joint('hand_r'), p.joint('middle_01_r')];
  const grip = between(wrist, knuckle, HAND_SHARES.hangingGrip);
  const fingertip = p.far(/^middle_0[23]_r$/, back(Y));
  const trunkBack = (y: number) => p.across(TRUNK, at(y), Y, Z)[0];
  const trunkFront = (y: number) =>
    p.far(
      TRUNK,
      Z,
      ([x, own]) => Math.abs(own - y) < 0.01 * stature && Math.abs(x) < 0.02 * stature,
    );
  const armscyeY = acromion[1] - 0.03 * stature;
  const [armscyeBack, armscyeFront] = p.across(SHOULDERS, at(armscyeY), Y, Z);
  const named = (one: string, other: string) => (name: string, ends: readonly [Vector, Vector]) =>
    ({ [name + one]: ends[0], [name + other]: ends[1] }) as Places;
  const [pairs, limb] = [named('Right', 'Left'), named('Outer', 'Inner')];
  return {
    ...upper,
    floor: [0, 0, 0],
    ...pairs('chest', p.across(TRUNK, at(nippleY), Y, X)),
    ...pairs('waist', p.across(HIPS, at(navelY), Y, X)),
    ...pairs('underBreast', p.across(TRUNK, at(underY), Y, X)),
    ...pairs('midHip', p.across(HIPS, at((navelY + buttock[1]) / 2), Y, X)),
    ...pairs('hip', p.across(HIPS, atButtocks, Y, X)),
    ...pairs('elbowOuter', [p.far(ARMS, back(X)), p.far(ARMS, X)]),
    ...limb('gluteal', thighAt(crotch[1] - PLACES.furrow * stature)),
    ...limb('midThigh', thighAt((hip[1] + knee[1]) / 2)),
    ...limb('knee', thighAt(knee[1])),
    ...limb('belowKnee', thighAt(knee[1] - SHARES.belowKnee * stature)),
    ...limb('calf', p.across(LEG, at(ankle[1] + PLACES.calf * (knee[1] - ankle[1])), Y, X)),
    ...limb('upperArm', upperArm),
    ...{ armpit, armpitLeft, chestBack, chestFront, waistBack, waistFront },
    waistMidShoulderLine: [upper.midShoulder[0], navelY, 0],
    trochanter: p.across(HIPS, at(trochanterY), Y, X)[0],
    crotch,
    sittingLevel: [0, topOfHead[1] - (values.SittingHeight ?? 0.52 * stature), 0],
    tibiale: thighAt(tibialeY)[0],
    radiale: right(p, 'radiale'),
    stylion: right(p, 'stylion'),
    gripCentre: atHeight(wrist, fingertip, predicted('HandGripHeightStanding', 0, grip[1])),
    knuckle: atHeight(wrist, fingertip, predicted('KnuckleHeight', 0, knuckle[1])),
    fingertip,
    indexTip: p.far(/^index_0[23]_r$/, back(Y)),
    scapula: trunkBack(c7[1] + 0.34 * (navelY - c7[1])),
    backBetween: trunkBack(c7[1] + 0.62 * (navelY - c7[1])),
    midDepth: [0, underY, (chestBack[2] + chestFront[2]) / 2],
    frontOfNeck: suprasternale,
    breastbone: trunkFront((suprasternale[1] + nippleY) / 2),
    rib: trunkFront((nippleY + navelY) / 2),
    ...{ buttock, abdomenAtButtocks, armscyeBack, armscyeFront },
    mostRearward: p.far(HIPS, back(Z)),
    mostForward: p.far(TRUNK, Z),
  };
}

/** Places of a body whose right arm is stretched forward. */
export function reachPlaces(p: Probe): Places {
  const knuckle = p.joint('middle_01_r');
  return {
    floor: [0, 0, 0],
    wall: [0, p.mark('acromion_r')[1], p.far(HIPS, back(Z))[2]],
    acromion: p.mark('acromion_r'),
    gripCentre: between(p.joint('hand_r'), knuckle, HAND_SHARES.grip),
    pinch: between(p.far(/^thumb_03_r$/, Z), p.far(/^index_03_r$/, Z), HAND_SHARES.pinch),
    fingertip: p.far(HAND, Z),
  };
}

/** Places of a body whose arms are held sideways, straight or folded. */
export function sidewaysPlaces(p: Probe): Places {
  return {
    fingertipRight: p.far(HAND, back(X)),
    fingertipLeft: p.far(/^(hand|middle_0.)_l$/, X),
    elbowRight: p.far(/^(upper|lower)arm_r$/, back(X)),
    elbowLeft: p.far(/^(upper|lower)arm_l$/, X),
  };
}

/** Places of a body whose left hand grips a rod overhead. The body stands, or sits on a seat at the given height. */
export function overheadPlaces(p: Probe, seat: number): Places {
  const grip = p.joint('middle_01_l');
  return { floor: [grip[0], 0, 0], seat: [grip[0], seat, 0], gripCentre: grip };
}

/** Places of a sitting body. */
export function sittingPlaces(p: Probe, values: Values, stature: number): Places {
  const predicted = predictedFrom(values);
  const upper = upperBody(p, stature);
  const { navel } = upper;
  const [hip, knee] = [p.joint('thigh_r'), p.joint('calf_r')];
  const popliteal = right(p, 'popliteal');
  // The underside. It is pressed flat a little above or below the hollow of the knee.
  const nearHip = ([, , z]: Vector) => z < hip[2] + 0.6 * (knee[2] - hip[2]);
  const seat = p.far(HIPS, back(Y), nearHip)[1];
  const low = ([, y]: Vector) => y < hip[1] + 0.06 * stature;
  const buttock = p.far(HIPS, back(Z), low);
  const belly = ([, y]: Vector) => Math.abs(y - navel[1]) < 0.06 * stature && y > seat;
  const abdomen = p.far(TRUNK, Z, belly);
  const thighZ = hip[2] + SHARES.thighFrom * stature;
  const front = p.far(/^thigh_r$/, Y, ([, , z]) => z >= thighZ);
  const section = p.across(/^thigh_r$/, [0, 0, thighZ], Z, Y)[1];
  const thighTop = front[1] > section[1] ? front : section;
  const malleolus = p.mark('malleolus_r');
  const kneeTop = p.far(LEG, Y, ([, , z]) => z > knee[2] - 0.02 * stature);
  const kneeFront = p.far(LEG, Z, ([, y]) => y > knee[1] - 0.05 * stature);
  // The crease of the knee lies between the back of the calf below it and the underside of the thigh.
  const calfBack = p.across(/^calf_r$/, at(popliteal[1] - 0.02 * stature), Y, Z)[0];
  const crease = between(calfBack, popliteal, SHARES.kneeCrease);
  const backZ = predicted('ButtockPoplitealLength', buttock[2], crease[2]);
  const kneeBack: Vector = [crease[0], crease[1], backZ];
  const nearSeat = ([, y, z]: Vector) =>
    y < hip[1] + 0.05 * stature && z < hip[2] + 0.5 * (knee[2] - hip[2]);
  const onBack = (y: number) => p.across(HEAD_AND_NECK, at(y), Y, Z)[0];
  // The tip of the elbow. The flesh of the forearm in front of it may hang lower.
  const joint = p.joint('lowerarm_r');
  const elbow = p.far(
    ARM,
    back(Y),
    ([, y, z]) => y > seat && z < joint[2] + ELBOW.before * stature,
  );
  const stylion = p.mark('stylion_r');
  const elbowBack = p.far(ARM, back(Z), ([, y]) => y < joint[1] + ELBOW.above * stature);
  const tableY = predicted('SittingElbowHeight', seat, elbow[1]);
  const wristZ = predicted('BackOfElbowToWristLength', elbowBack[2], stylion[2]);
  const sacralY = predicted('SacralHeightSitting', seat, hip[1] + 0.06 * stature);
  const hipZ = hip[2] + SHARES.groin * stature;
  const groinZ = predicted('SittingUpperLegLength', kneeTop[2], hipZ, -1);
  const malleolusY = predicted('CreaseBehindKneeToAnkle', popliteal[1], malleolus[1], -1);
  return {
    ...upper,
    floor: [0, 0, hip[2]],
    seat: [0, seat, hip[2]],
    // Midway between C7 and the level of the ear.
    nape: onBack((p.mark('cervicale')[1] + p.mark('tragion_r')[1]) / 2),
    backPlane: p.across(TRUNK, at(abdomen[1]), Y, Z)[0],
    abdomen,
    sacrum: p.across(HIPS, at(sacralY), Y, Z)[0],
    buttock,
    elbowBack,
    elbowUnderside: elbow,
    navel: [navel[0], predicted('WaistHeightSitting', seat, navel[1]), navel[2]],
    stylion: [stylion[0], stylion[1], wristZ],
    fingertip: p.far(HAND, Z),
    groin: [hip[0], thighTop[1], groinZ],
    ...{ kneecapTop: kneeTop, kneeFront, kneeTop, kneeBack, popliteal, thighTop },
    thighUnderside: [thighTop[0], seat, thighTop[2]],
    toeTip: p.far(FOOT, Z),
    seatFront: [0, seat, buttock[2] + (values.MaximumSeatLength ?? 0.25 * stature)],
    malleolus: [malleolus[0], malleolusY, malleolus[2]],
    hipRight: p.far(HIPS, back(X), nearSeat),
    hipLeft: p.far(HIPS, X, nearSeat),
    tableTop: [0, tableY, abdomen[2] + 0.1 * stature],
    tableEdge: [0, kneeTop[1], kneeFront[2] - (values.LegRoom ?? kneeFront[2] - abdomen[2])],
  };
}

/** Places of a body that sits with the legs stretched forward. */
export function legsAheadPlaces(p: Probe): Places {
  const hip = p.joint('thigh_r');
  return {
    buttock: p.far(HIPS, back(Z), ([, y]) => y < hip[1] + 60),
    sole: p.far(FOOT, Z),
    seat: [0, p.far(HIPS, back(Y))[1], hip[2]],
  };
}

/** Landmarks of both sides of the face, by the names of their places. */
const OF_FACE = {
  ...{ eye: 'ectocanthus', temple: 'frontotemporale', cheek: 'zygion' },
  ...{ jaw: 'gonion', nostril: 'alare', mouth: 'cheilion' },
} as const;

/** Places of the head. */
export function headPlaces(p: Probe, values: Values, stature: number): Places {
  const predicted = predictedFrom(values);
  const [menton, trichion] = [p.mark('menton'), p.mark('trichion')];
  const hairlineY = predicted('HairLine', menton[1], trichion[1]);
  const brows = sum(p.mark('glabella'), at(0.004 * stature));
  const [backOfHeadGirth, aboveBrows] = p.across(HEAD, brows, Y, Z);
  const [backOfHead, headFront] = p.across(HEAD, p.mark('glabella'), Y, Z);
  // The vertex lies where the brow ends. The glabella is the foremost point of the brow.
  const onBrow = ([x, y]: Vector) => Math.abs(x) < 0.002 * stature && y >= headFront[1];
  // No part of the ear lies in front of its foremost point.
  const ear = (side: 'r' | 'l'): Vector => {
    const [x, y] = p.mark(`tragion_${side}`);
    return [x, y, p.mark(`preaurale_${side}`)[2]];
  };
  const widest = sum(p.mark('glabella'), at(PLACES.headBreadth * stature));
  const [headRight, headLeft] = p.across(HEAD, widest, Y, X);
  const [neckRight, neckLeft] = neckBreadth(p);
  return {
    topOfHead: p.far(HEAD, Y),
    ...{ backOfHead, headFront, aboveBrows, backOfHeadGirth },
    ...{ headRight, headLeft, neckRight, neckLeft },
    glabella: p.far(HEAD, Z, onBrow),
    sellion: p.mark('sellion'),
    subnasale: p.mark('subnasale'),
    noseTip: p.mark('pronasale'),
    stomion: p.mark('stomion'),
    chin: p.mark('pogonion'),
    menton,
    hairline: p.across(HEAD, at(hairlineY), Y, Z)[1],
    eye: p.mark('ectocanthus_r'),
    tragion: ear('r'),
    earTop: p.mark('superaurale_r'),
    earLobe: p.mark('subaurale_r'),
    earFront: p.mark('preaurale_r'),
    earBack: p.mark('postaurale_r'),
    ...Object.fromEntries(
      Object.entries(OF_FACE).flatMap(([place, mark]) => [
        [`${place}Right`, p.mark(`${mark}_r`)],
        [`${place}Left`, p.mark(`${mark}_l`)],
      ]),
    ),
    tragionRight: ear('r'),
    tragionLeft: ear('l'),
  };
}

/** The directions of the right hand: to its fingertips, to the thumb's side, and out of the palm. */
export interface HandAxes {
  readonly along: Vector;
  readonly thumb: Vector;
  readonly palm: Vector;
}

export function handAxes(p: Probe): HandAxes {
  const along = unit(minus(p.mark('dactylion_r'), p.joint('hand_r')));
  const thumb = perpendicular(minus(p.joint('index_01_r'), p.joint('pinky_01_r')), along);
  // The direction out of the palm. If the fingers of a right hand point up, its thumb is to the right.
  const palm = cross(thumb, along);
  return { along, thumb, palm };
}

/** Places of the flat right hand. */
export function handPlaces(p: Probe, { along, thumb }: HandAxes): Places {
  const [wrist, knuckle] = [p.joint('hand_r'), p.joint('middle_01_r')];
  const places: Places = { stylion: wrist };
  // A caliper takes breadths along one direction.
  const pair = (name: string, bones: RegExp, at: Vector, normal: Vector, aside: Vector): void => {
    const [ulnar, radial] = p.across(bones, at, normal, aside);
    places[`${name}Ulnar`] = ulnar;
    places[`${name}Radial`] = sum(ulnar, times(aside, dot(minus(radial, ulnar), aside)));
  };
  pair('wrist', HAND_AND_ARM, wrist, along, thumb);
  // As the tape takes it.
  const axis = unit(minus(knuckle, wrist));
  const aside = unit(minus(p.joint('index_01_r'), p.joint('pinky_01_r')));
  pair('metacarpal', HAND, between(wrist, knuckle, PLACES.knuckles), axis, aside);
  for (const [name, bone] of [
    ['index', 'index'],
    ['middle', 'middle'],
    ['ring', 'ring'],
    ['little', 'pinky'],
  ] as const) {
    const finger = new RegExp(`^${bone}_0._r$`);
    const joints = [1, 2, 3].map((k) => p.joint(`${bone}_0${k}_r`));
    const way = unit(minus(joints[2], joints[0]));
    const tip = bone === 'middle' ? p.mark('dactylion_r') : p.far(finger, way);
    places[`${name}Base`] = between(joints[0], joints[1], HAND_SHARES.bases[bone]);
    places[`${name}Tip`] = tip;
    const aside = perpendicular(thumb, way);
    pair(`${name}Pip`, finger, joints[1], way, aside);
    pair(`${name}Distal`, finger, between(joints[2], tip, 0.3), way, aside);
  }
  const thumbWay = unit(minus(p.joint('thumb_03_r'), p.joint('thumb_02_r')));
  places.thumbWeb = between(p.joint('thumb_01_r'), p.joint('thumb_02_r'), HAND_SHARES.web);
  places.thumbTip = p.far(/^thumb_03_r$/, thumbWay);
  return places;
}

/** Places of the right fist. */
export function fistPlaces(p: Probe, { thumb }: HandAxes, values: Values): Places {
  const knuckles = between(p.joint('middle_01_r'), p.joint('middle_02_r'), 0.5);
  const centre = between(knuckles, p.joint('middle_03_r'), 0.5);
  const half = (values.GripWidth ?? 45) / 2;
  const aside = unit(minus(p.joint('middle_01_r'), p.joint('hand_r')));
  return {
    wrist: p.joint('hand_r'),
    fistUlnar: p.far(HAND, back(thumb)),
    fistRadial: p.far(HAND, thumb),
    cylinderBack: sum(centre, times(aside, -half)),
    cylinderFront: sum(centre, times(aside, half)),
    cylinder: centre,
  };
}

/** The horizontal direction of the right foot, and the direction to its inner side. */
export function footAxes(p: Probe): { readonly ahead: Vector; readonly inward: Vector } {
  const [x, , z] = minus(p.mark('acropodion_r'), p.mark('pternion_r'));
  const ahead = unit([x, 0, z]);
  return { ahead, inward: [ahead[2], 0, -ahead[0]] };
}

/** Places of the right foot. */
export function footPlaces(p: Probe, values: Values): Places {
  const predicted = predictedFrom(values);
  const { ahead, inward } = footAxes(p);
  const [heel, toe] = [p.mark('pternion_r'), p.mark('acropodion_r')];
  const bone = p.mark('malleolus_r');
  const ankle: Vector = [bone[0], predicted('FootHeight', 0, bone[1]), bone[2]];
  const ankleY = p.joint('foot_r')[1];
  const isBelow = ([, y]: Vector) => y < ankleY;
  const upright = (share: number) => p.across(FOOT, between(heel, toe, share), ahead, Y);
  const [ballSole, ballTop] = upright(0.7);
  const [instepSole, instepTop] = upright(0.5);
  return {
    floor: [ankle[0], 0, ankle[2]],
    lateralMalleolus: ankle,
    ...{ heel, longestToe: toe, ballSole, ballTop, instepSole, instepTop },
    ballMedial: p.far(FOOT, inward, isBelow),
    ballLateral: p.far(FOOT, back(inward), isBelow),
  };
}
