import { circle, limb, mirrored, moved, type Point, points, symmetric } from './geometry.js';
import { FACE_SIDE, HEAD_FRONT, TORSO_SIDE } from './standing.js';
import { body, detail, landmarks, type Mark, prop, type View } from './view.js';

/*
 * The bodies of `standing.ts` seated. The seat is as high as the median crease behind the knee
 * (415 mm), so that everything above it is 390 mm lower than in the standing body (subischial leg
 * length 805 mm minus 415 mm).
 */

const DOWN = -390;
/** The back and the buttocks touch one vertical plane. */
const BACK = -17;

/** From the nape over the face to the belly of a seated body. */
export const HEAD_AND_TRUNK = moved(TORSO_SIDE.front.slice(0, -1), BACK, DOWN);
/** Its back, upwards. */
export const BACK_UPWARDS = moved(TORSO_SIDE.back, BACK, DOWN);
/** Its belly, down to the groin. */
export const BELLY = points('103 690, 100 652, 99 622');
/** From the groin over knee and foot to the underside of the buttocks. */
export const THIGH_AND_LEG = points(
  '120 596, 165 590, 250 580, 350 560, 410 541, 440 524, 457 494, 450 450, 438 380, 426 280, 414 170, 408 120, 428 84, 485 55, 537 33, 578 23, 590 10, 582 0, 495 1, 435 4, 355 0, 335 10, 334 40, 350 90, 352 150, 338 230, 331 300, 336 370, 347 402, 330 413, 280 416, 150 415, 0 415, -100 415',
);
/** Its buttocks, upwards. */
export const BUTTOCKS = points('-136 440, -150 505, -145 570, -132 620, -121 665');
/** The seated body without its arm, from the side. */
export const BODY_SITTING = [
  ...HEAD_AND_TRUNK,
  ...BELLY,
  ...THIGH_AND_LEG,
  ...BUTTOCKS,
  ...BACK_UPWARDS,
];

const STRAIGHT_LEG = points(
  '120 596, 165 590, 300 578, 420 556, 470 545, 520 530, 620 520, 760 500, 850 492, 880 510, 895 570, 905 625, 925 650, 936 640, 933 560, 932 470, 926 428, 905 417, 870 420, 800 424, 700 416, 600 420, 500 424, 400 415, 200 415, 0 415, -100 415',
);
const BODY_LONG_SITTING = [
  ...HEAD_AND_TRUNK,
  ...BELLY,
  ...STRAIGHT_LEG,
  ...BUTTOCKS,
  ...BACK_UPWARDS,
];

/** Upper arm hanging, elbow at 90 degrees, hand flat. */
export const ARM_BENT: readonly (readonly Point[])[] = [
  limb('-42 955 50, -42 900 55, -42 800 48, -42 706 42'),
  circle(-42, 701, 43),
  limb('-42 701 43, 30 702 43, 120 703 34, 188 704 26'),
  limb('182 704 26, 240 706 26, 290 706 20, 340 705 13, 362 705 9'),
  limb('210 718 12, 250 729 10, 278 731 8'),
];
const ARM_DOWN_TO_LAP = [
  limb('-42 955 50, -42 900 55, -40 800 48, -32 706 42'),
  circle(-32, 701, 42),
  limb('-32 700 42, 40 680 42, 120 650 33, 180 628 25, 230 616 30, 270 605 22, 300 594 12'),
];

/** Ear and eye of a seated body. */
export const FACE_SITTING = FACE_SIDE.map((line) =>
  moved(points(line), BACK, DOWN)
    .map(({ x, y }) => `${x} ${y}`)
    .join(', '),
);

const SEAT = prop(
  '-170 415, 318 415, 318 395, -170 395, -170 415',
  '-60 395, -60 0',
  '210 395, 210 0',
);
const FLOOR = prop('-230 0, 660 0');

export const sittingSide = {
  title: 'sitting, elbow at a right angle, from the side',
  extent: [-170, 600, 0, 1305],
  marks: [FLOOR, SEAT, body(BODY_SITTING), detail(...FACE_SITTING), body(...ARM_BENT)],
  landmarks: landmarks({
    floor: [400, 0],
    seat: [0, 415],
    topOfHead: [-60, 1305],
    eye: [16, 1189],
    nape: [-124, 1122],
    c7: [-129, 1058],
    midShoulder: [-50, 1025],
    acromion: [-42, 999],
    suprasternale: [-2, 996],
    backPlane: [-150, 652],
    abdomen: [100, 652],
    navel: [100, 650],
    sacrum: [-139, 595],
    buttock: [-150, 505],
    elbowBack: [-85, 704],
    elbowUnderside: [-42, 658],
    stylion: [187, 704],
    fingertip: [374, 704],
    groin: [70, 600],
    kneecapTop: [440, 528],
    kneeFront: [457, 494],
    kneeTop: [425, 533],
    kneeBack: [347, 402],
    popliteal: [347, 415],
    thighTop: [165, 590],
    thighUnderside: [165, 415],
    toeTip: [590, 8],
    seatFront: [297, 415],
    malleolus: [388, 69],
  }),
} satisfies View;

function tableAt(height: number): Mark {
  const under = height - 25;
  return prop(`640 ${height}, 98 ${height}, 98 ${under}, 640 ${under}`, `600 ${under}, 600 0`);
}

export const sittingTable = {
  title: 'sitting at a table as high as the elbow, from the side',
  extent: [-170, 640, 0, 1305],
  marks: [
    FLOOR,
    SEAT,
    body(BODY_SITTING),
    detail(...FACE_SITTING),
    body(...ARM_BENT),
    tableAt(658),
  ],
  landmarks: landmarks({
    eye: [16, 1189],
    tableTop: [300, 658],
    tableEdge: [98, 645],
    kneeFront: [457, 494],
  }),
} satisfies View;

export const sittingHighTable = {
  title: 'sitting at the highest usable table, from the side',
  extent: [-170, 640, 0, 1305],
  marks: [
    FLOOR,
    SEAT,
    body(BODY_SITTING),
    detail(...FACE_SITTING),
    body(...ARM_DOWN_TO_LAP),
    tableAt(708),
  ],
  landmarks: landmarks({ floor: [500, 0], tableTop: [500, 708] }),
} satisfies View;

export const sittingLegStraight = {
  title: 'sitting with the leg stretched forward, from the side',
  extent: [-170, 950, 340, 1305],
  marks: [
    prop('-170 415, 960 415, 960 395, -170 395, -170 415'),
    body(BODY_LONG_SITTING),
    detail(...FACE_SITTING),
    body(...ARM_DOWN_TO_LAP),
  ],
  landmarks: landmarks({ buttock: [-150, 505], sole: [933, 505] }),
} satisfies View;

/** The left leg of a seated body from the front: thigh, lower leg, foot. */
export const LEG_SITTING_FRONT = [
  limb('100 500 78, 96 460 66'),
  limb('96 470 58, 92 400 50, 90 340 56, 88 250 50, 90 150 36, 92 69 28'),
  points('66 75, 118 75, 140 22, 142 4, 92 0, 50 4, 54 24'),
];
/** Head and neck of a seated body from the front. */
export const HEAD_SITTING_FRONT = moved(HEAD_FRONT, 0, DOWN);
/** Neck, trunk and thighs of a seated body from the front. */
export const TRUNK_FRONT = symmetric(
  '0 1110, 50 1105, 57 1080, 64 1056, 105 1031, 160 1014, 194 999, 203 960, 186 920, 168 895, 163 845, 157 790, 154 720, 164 650, 182 575, 198 490, 190 435, 150 418, 0 416',
);
/** The left upper arm of a seated body from the front. */
export const UPPER_ARM_FRONT = limb('178 962 46, 192 900 49, 212 800 47, 228 712 42');
/** The left forearm of a seated body from the front; the hand lies in the lap. */
export const FOREARM_FRONT = limb(
  '229 720 42, 222 660 42, 196 612 36, 166 586 28, 138 570 31, 112 556 24',
);
const ARM_UP_FRONT = limb(
  '166 960 50, 196 1040 54, 200 1150 47, 196 1290 41, 192 1410 41, 188 1510 33, 186 1578 27',
);

function sittingFrontMarks(leftArm: readonly Point[]): readonly Mark[] {
  return [
    prop('-330 0, 330 0'),
    prop('-240 415, 240 415, 240 395, -240 395, -240 415', '-215 395, -215 0', '215 395, 215 0'),
    body(HEAD_SITTING_FRONT, TRUNK_FRONT, mirrored(UPPER_ARM_FRONT), leftArm),
    body(...LEG_SITTING_FRONT),
    body(...LEG_SITTING_FRONT.map(mirrored)),
  ];
}

export const sittingFront = {
  title: 'sitting, from the front',
  extent: [-270, 270, 0, 1305],
  marks: [
    ...sittingFrontMarks(UPPER_ARM_FRONT),
    body(FOREARM_FRONT),
    body(mirrored(FOREARM_FRONT)),
  ],
  landmarks: landmarks({ hipRight: [-198, 490], hipLeft: [198, 490] }),
} satisfies View;

export const sittingOverhead = {
  title: 'sitting, one arm overhead holding a rod, from the front',
  extent: [-270, 270, 0, 1730],
  marks: [
    ...sittingFrontMarks(ARM_UP_FRONT),
    body(mirrored(FOREARM_FRONT)),
    body(limb('186 1585 27, 186 1615 40, 186 1672 44, 186 1694 36')),
    prop('126 1665, 262 1665'),
  ],
  landmarks: landmarks({ seat: [186, 415], gripCentre: [186, 1665] }),
} satisfies View;
