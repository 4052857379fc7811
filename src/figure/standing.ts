import { circle, limb, mirrored, type Point, points, symmetric } from './geometry.js';
import { body, detail, landmarks, prop, type View } from './view.js';

/*
 * Bodies with the medians of this service at 30 years in the United States, as the mean of women and
 * men (artifacts 2022): stature, heights of acromion, elbow, navel and crotch, breadths, depths and
 * so on. The contours between the landmarks are not predicted and are drawn by eye.
 */

/** Head and neck from the front. */
export const HEAD_FRONT = symmetric(
  '0 1695, 40 1688, 65 1662, 75 1612, 70 1560, 60 1510, 40 1480, 20 1468, 0 1466',
);

/** Trunk and legs from the front, right half. */
const TRUNK_FRONT =
  '0 1500, 50 1495, 57 1470, 64 1446, 105 1421, 160 1404, 194 1389, 203 1350, 186 1310, 168 1285, 163 1235, 158 1180, 150 1110, 158 1040, 170 960, 182 885, 184 850';
const LEG_FRONT =
  '184 850, 182 780, 172 690, 158 600, 145 510, 142 461, 138 415, 143 345, 138 280, 122 170, 118 100, 120 69, 132 30, 150 12, 146 0, 66 0, 52 10, 58 35, 66 69, 64 110, 50 200, 36 290, 32 345, 38 400, 36 461, 30 510, 18 610, 8 700, 4 775, 0 804';

export const BODY_FRONT = symmetric(`${TRUNK_FRONT}, ${LEG_FRONT}`);

/** The left arm hanging, from the front. */
export const ARM_HANGING = limb(
  '178 1352 46, 192 1290 49, 208 1180 47, 230 1072 42, 241 1000 43, 254 900 34, 261 817 27',
);
/** Its hand. */
export const HAND_HANGING = limb('261 822 26, 266 765 35, 269 725 35, 271 690 28, 272 656 14');
/** Its thumb. */
export const THUMB_HANGING = limb('252 780 14, 240 745 12, 238 716 9');
const ARM_SIDEWAYS = limb(
  '170 1345 50, 240 1366 52, 340 1380 47, 433 1386 40, 520 1387 41, 610 1388 33, 686 1389 26',
);
const HAND_SIDEWAYS = limb('680 1389 26, 740 1389 38, 790 1389 40, 830 1389 31, 858 1389 14');
const THUMB_SIDEWAYS = limb('722 1412 14, 752 1437 12, 778 1446 9');
const ARM_UP = limb(
  '166 1350 50, 196 1430 54, 200 1540 47, 196 1680 41, 192 1800 41, 188 1900 33, 186 1968 27',
);
const FIST_UP = limb('186 1975 27, 186 2005 40, 186 2060 44, 186 2082 36');

const FLOOR_FRONT = prop('-420 0, 420 0');

function pairOf(...parts: readonly (readonly Point[])[]): readonly (readonly Point[])[] {
  return [...parts, ...parts.map(mirrored)];
}

/** Collar bones, navel and kneecaps. */
export const FRONT_LINES = [
  '-40 1372, -20 1380, 0 1376, 20 1380, 40 1372',
  '-5 1015, 0 1010, 5 1015',
  '62 452, 88 440, 114 452',
  '-62 452, -88 440, -114 452',
] as const;
const FRONT_DETAIL = detail(...FRONT_LINES);

export const standingFront = {
  title: 'standing, from the front',
  extent: [-290, 290, 0, 1695],
  marks: [
    FLOOR_FRONT,
    body(HEAD_FRONT, BODY_FRONT, ...pairOf(ARM_HANGING, HAND_HANGING, THUMB_HANGING)),
    FRONT_DETAIL,
  ],
  landmarks: landmarks({
    floor: [0, 0],
    topOfHead: [0, 1695],
    eye: [-47, 1580],
    neckLeft: [57, 1473],
    neckRight: [-57, 1473],
    acromionRight: [-194, 1389],
    acromionLeft: [194, 1389],
    midShoulder: [-125, 1416],
    deltoidRight: [-241, 1290],
    deltoidLeft: [241, 1290],
    armpit: [-166, 1285],
    armpitLeft: [166, 1285],
    chestRight: [-163, 1235],
    chestLeft: [163, 1235],
    nippleRight: [-107, 1235],
    nippleLeft: [107, 1235],
    underBreastRight: [-158, 1180],
    underBreastLeft: [158, 1180],
    waistMidShoulderLine: [-125, 1039],
    navel: [0, 1015],
    waistRight: [-161, 1015],
    waistLeft: [161, 1015],
    midHipRight: [-174, 940],
    midHipLeft: [174, 940],
    trochanter: [-184, 865],
    hipRight: [-183, 870],
    hipLeft: [183, 870],
    crotch: [0, 804],
    sittingLevel: [0, 809],
    tibiale: [-138, 446],
    upperArmOuter: [-255, 1215],
    upperArmInner: [-158, 1232],
    radiale: [-250, 1069],
    elbowOuterRight: [-274, 1062],
    elbowOuterLeft: [274, 1062],
    stylion: [-286, 817],
    gripCentre: [-266, 756],
    knuckle: [-268, 744],
    fingertip: [-272, 643],
    indexTip: [-262, 649],
    glutealOuter: [-182, 775],
    glutealInner: [-3, 775],
    midThighOuter: [-165, 640],
    midThighInner: [-14, 640],
    kneeOuter: [-142, 461],
    kneeInner: [-36, 461],
    belowKneeOuter: [-138, 410],
    belowKneeInner: [-38, 410],
    calfOuter: [-143, 340],
    calfInner: [-32, 340],
    lateralMalleolus: [-120, 69],
  }),
} satisfies View;

export const standingSpan = {
  title: 'standing, arms stretched sideways, from the front',
  extent: [-870, 870, 0, 1695],
  marks: [
    prop('-700 0, 700 0'),
    body(HEAD_FRONT, BODY_FRONT, ...pairOf(ARM_SIDEWAYS, HAND_SIDEWAYS, THUMB_SIDEWAYS)),
    FRONT_DETAIL,
  ],
  landmarks: landmarks({ fingertipRight: [-870, 1389], fingertipLeft: [870, 1389] }),
} satisfies View;

const FOREARM_FOLDED = limb(
  '428 1366 32, 380 1364 40, 300 1358 41, 240 1352 34, 186 1347 26, 130 1343 35, 80 1340 36, 42 1338 28, 14 1337 13',
);

export const standingAkimbo = {
  title: 'standing, elbows raised sideways and fingertips touching at the chest, from the front',
  extent: [-460, 460, 0, 1695],
  marks: [
    prop('-460 0, 460 0'),
    body(
      HEAD_FRONT,
      BODY_FRONT,
      ...pairOf(limb('166 1345 50, 240 1362 50, 340 1370 45, 420 1368 38')),
    ),
    body(FOREARM_FOLDED),
    body(mirrored(FOREARM_FOLDED)),
  ],
  landmarks: landmarks({ elbowRight: [-460, 1366], elbowLeft: [460, 1366] }),
} satisfies View;

export const standingOverhead = {
  title: 'standing, one arm overhead holding a rod, from the front',
  extent: [-290, 290, 0, 2110],
  marks: [
    FLOOR_FRONT,
    body(
      HEAD_FRONT,
      BODY_FRONT,
      ARM_UP,
      ...[ARM_HANGING, HAND_HANGING, THUMB_HANGING].map(mirrored),
    ),
    body(FIST_UP),
    prop('126 2047, 262 2047'),
    FRONT_DETAIL,
  ],
  landmarks: landmarks({ floor: [186, 0], gripCentre: [186, 2047] }),
} satisfies View;

/** Profile of head and trunk, from the nape over the face to the belly; x = 0 near mid-trunk. */
const PROFILE_TOP =
  '-112 1448, -106 1500, -116 1530, -130 1565, -138 1600, -134 1635, -113 1670, -78 1690, -43 1695, 2 1683, 34 1657, 50 1625, 55 1603, 53 1587, 66 1565, 80 1544, 64 1536, 66 1523, 61 1511, 64 1501, 54 1490, 56 1476, 42 1465, 12 1466, -12 1456, -8 1425, 15 1386, 70 1340, 115 1285, 132 1235, 129 1180, 122 1110, 125 1015';
const PROFILE_FRONT_OF_LEG =
  '120 950, 108 870, 102 800, 94 700, 76 580, 59 500, 55 461, 40 415, 24 340, 4 220, -8 130, 8 88, 50 58, 102 34, 142 24, 155 10, 148 0, 60 1, 0 4, -80 0, -100 10, -101 40, -84 90, -80 140, -88 210, -103 290, -105 340, -90 410, -70 455, -77 530, -98 650, -110 740, -114 785';
const PROFILE_BACK =
  '-140 825, -147 870, -137 930, -112 985, -102 1030, -106 1100, -122 1180, -133 1250, -130 1330, -120 1405';

/** Head, trunk and leg in profile, facing right. */
export const BODY_SIDE = points(`${PROFILE_TOP}, ${PROFILE_FRONT_OF_LEG}, ${PROFILE_BACK}`);
/** The part of the profile above the waist: down the front, then up the back. */
export const TORSO_SIDE = {
  front: points(PROFILE_TOP),
  back: points('-106 1100, -122 1180, -133 1250, -130 1330, -120 1405'),
};

/** Ear and eye in profile for a standing body; sitting bodies move them. */
export const FACE_SIDE = [
  '-36 1582, -52 1594, -62 1578, -52 1552, -44 1536, -36 1548',
  '30 1580, 38 1584, 46 1578',
] as const;

/** The arm hanging, with its hand, from the side. */
export const ARM_SIDE = limb(
  '-24 1345 50, -24 1290 55, -27 1180 48, -32 1072 43, -20 1000 43, 0 900 35, 13 817 27, 22 770 36, 27 735 40, 31 695 31, 34 657 14',
);
/** Its thumb. */
export const THUMB_SIDE = limb('38 775 13, 56 745 12, 64 716 8');

export const standingSide = {
  title: 'standing, from the side',
  extent: [-160, 165, 0, 1695],
  marks: [prop('-300 0, 320 0'), body(BODY_SIDE), detail(...FACE_SIDE), body(ARM_SIDE, THUMB_SIDE)],
  landmarks: landmarks({
    floor: [0, 0],
    topOfHead: [-43, 1695],
    eye: [33, 1580],
    c7: [-112, 1448],
    frontOfNeck: [15, 1386],
    breastbone: [104, 1300],
    chestBack: [-133, 1235],
    chestFront: [132, 1235],
    backBetween: [-122, 1180],
    scapula: [-132, 1300],
    waistBack: [-102, 1015],
    waistFront: [125, 1015],
    rib: [122, 1110],
    buttock: [-147, 870],
    abdomenAtButtocks: [106, 870],
    mostForward: [140, 1235],
    mostRearward: [-147, 870],
    midDepth: [-2, 1180],
    acromion: [-24, 1389],
    elbowUnderside: [-32, 1041],
    armscyeBack: [-103, 1337],
    armscyeFront: [55, 1337],
    stylion: [13, 813],
    popliteal: [-68, 455],
    lateralMalleolus: [-48, 109],
  }),
} satisfies View;

const ARM_BENT: readonly (readonly Point[])[] = [
  limb('-24 1345 50, -24 1290 55, -27 1180 48, -30 1115 42'),
  circle(-30, 1112, 43),
  limb('-30 1112 43, 42 1113 43, 132 1114 34, 200 1115 26'),
  limb('194 1115 26, 252 1117 26, 302 1117 20, 352 1116 13, 374 1116 9'),
  limb('222 1129 12, 262 1140 10, 290 1142 8'),
];
const ARM_LOWERED: readonly (readonly Point[])[] = [
  limb('-24 1345 50, -24 1290 55, -27 1180 48, -24 1085 42'),
  circle(-24, 1080, 42),
  limb('-24 1080 42, 40 1025 42, 108 955 33, 158 900 25'),
  limb('154 904 25, 192 862 28, 230 838 21, 275 826 13, 298 824 9'),
];

/** Standing at a counter whose top is at the given height in mm. */
function atCounter(top: number, arm: readonly (readonly Point[])[]) {
  const under = top - 30;
  return {
    extent: [-160, 620, 0, 1695],
    marks: [
      prop(
        '-300 0, 640 0',
        `620 ${top}, 165 ${top}, 165 ${under}, 620 ${under}`,
        `580 ${under}, 580 0`,
      ),
      body(BODY_SIDE),
      detail(...FACE_SIDE),
      body(...arm),
    ],
    landmarks: landmarks({ floor: [480, 0], counterTop: [480, top] }),
  } satisfies Omit<View, 'title'>;
}

export const standingHighCounter = {
  title: 'standing at a counter as high as the elbow, from the side',
  ...atCounter(1069, ARM_BENT),
} satisfies View;

export const standingLowCounter = {
  title: 'standing at a counter below the elbow, from the side',
  ...atCounter(814, ARM_LOWERED),
} satisfies View;

const ARM_FORWARD = limb(
  '-40 1352 54, 40 1366 52, 150 1380 46, 262 1386 40, 340 1387 42, 440 1388 34, 514 1389 26',
);
const HAND_FORWARD = limb('508 1389 26, 560 1392 32, 610 1393 26, 660 1391 18, 692 1389 10');
const THUMB_FORWARD = limb('540 1372 16, 580 1362 13, 612 1365 11, 630 1369 9');

export const standingReach = {
  title: 'standing with the back against a wall, arm stretched forward, from the side',
  extent: [-160, 700, 0, 1695],
  marks: [
    prop('-147 1760, -147 0, 700 0'),
    body(BODY_SIDE),
    detail(...FACE_SIDE),
    body(ARM_FORWARD, HAND_FORWARD, THUMB_FORWARD),
  ],
  landmarks: landmarks({
    wall: [-147, 1389],
    acromion: [-63, 1389],
    gripCentre: [584, 1389],
    thumbTip: [639, 1369],
    fingertip: [700, 1389],
  }),
} satisfies View;
