import { points, symmetric } from './geometry.js';
import { body, detail, landmarks, type View } from './view.js';

/*
 * Heads of the median person of `standing.ts`, held in the Frankfort plane. y = 0 is the top of the
 * head. In profile, x = 0 is the back of the head; from the front, x = 0 is the middle.
 */

const PROFILE = points(
  '-20 -300, 8 -262, 28 -220, 26 -180, 14 -145, 2 -110, 1 -80, 8 -48, 28 -20, 60 -4, 95 0, 132 -7, 162 -27, 182 -58, 193 -90, 193 -107, 206 -132, 218 -151, 203 -159, 205 -172, 199 -184, 202 -194, 191 -204, 192 -218, 178 -230, 150 -227, 126 -236, 120 -262, 134 -300, 60 -312',
);
const EAR_SIDE =
  '101 -134, 110 -112, 100 -101, 84 -103, 76 -118, 82 -140, 92 -158, 100 -161, 104 -150, 101 -134';

export const headSide = {
  title: 'head, from the side',
  extent: [-20, 218, -312, 0],
  marks: [
    body(PROFILE),
    detail(
      EAR_SIDE,
      '102 -130, 96 -118, 88 -112',
      '168 -115, 176 -110, 186 -112, 185 -120, 176 -120, 168 -115',
      '160 -100, 172 -94, 186 -97',
      '199 -184, 188 -185, 176 -188',
      '203 -159, 194 -158, 192 -150, 198 -145',
      '110 -165, 112 -190, 126 -212, 150 -227',
    ),
  ],
  landmarks: landmarks({
    topOfHead: [95, 0],
    backOfHead: [0, -95],
    glabella: [193, -92],
    aboveBrows: [190, -80],
    backOfHeadGirth: [1, -86],
    sellion: [194, -107],
    subnasale: [201, -156],
    noseTip: [218, -151],
    stomion: [199, -184],
    chin: [192, -218],
    eye: [171, -115],
    tragion: [102, -130],
    earTop: [93, -101],
    earLobe: [98, -161],
    earFront: [108, -120],
    earBack: [75, -122],
    neckFront: [120, -255],
    neckBack: [12, -255],
  }),
} satisfies View;

const FACE = symmetric(
  '0 0, 38 -6, 64 -30, 75 -75, 72 -115, 69 -150, 62 -182, 44 -212, 22 -226, 0 -229',
);
const EAR_RIGHT = points('-70 -105, -82 -100, -88 -112, -84 -135, -78 -156, -71 -160, -67 -140');
const EAR_LEFT = points('70 -105, 82 -100, 88 -112, 84 -135, 78 -156, 71 -160, 67 -140');
const NECK = symmetric('0 -190, 55 -195, 57 -250, 64 -280, 92 -305, 60 -318, 0 -322');

function eye(side: 1 | -1): string {
  return points('45.5 -115, 38 -109, 28 -108, 17 -116, 28 -121, 38 -120, 45.5 -115')
    .map(({ x, y }) => `${side * x} ${y}`)
    .join(', ');
}

export const headFront = {
  title: 'head, from the front',
  extent: [-92, 92, -318, 0],
  marks: [
    body(NECK),
    body(EAR_RIGHT),
    body(EAR_LEFT),
    body(FACE),
    detail(
      eye(1),
      eye(-1),
      '16 -98, 32 -92, 50 -97',
      '-16 -98, -32 -92, -50 -97',
      '-6 -112, -9 -130, -17 -148, -16 -156, -8 -155, 0 -159, 8 -155, 16 -156, 17 -148',
      '-24.5 -184, -10 -179, 0 -182, 10 -179, 24.5 -184, 0 -185, -24.5 -184',
      '-24.5 -184, -12 -192, 0 -194, 12 -192, 24.5 -184',
      '-66 -70, -56 -52, -30 -44, 0 -43, 30 -44, 56 -52, 66 -70',
    ),
  ],
  landmarks: landmarks({
    hairline: [0, -44],
    menton: [0, -229],
    eyeRight: [-45.5, -115],
    eyeLeft: [45.5, -115],
    templeRight: [-53.5, -88],
    templeLeft: [53.5, -88],
    headRight: [-75.5, -75],
    headLeft: [75.5, -75],
    cheekRight: [-69, -140],
    cheekLeft: [69, -140],
    tragionRight: [-69.5, -130],
    tragionLeft: [69.5, -130],
    nostrilRight: [-17.5, -151],
    nostrilLeft: [17.5, -151],
    mouthRight: [-24.5, -184],
    mouthLeft: [24.5, -184],
    jawRight: [-56.5, -193],
    jawLeft: [56.5, -193],
    neckRight: [-56, -250],
    neckLeft: [56, -250],
  }),
} satisfies View;
