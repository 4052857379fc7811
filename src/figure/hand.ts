import { circle, limb, points } from './geometry.js';
import { body, detail, landmarks, type View } from './view.js';

/*
 * Hands of the median person of `standing.ts`: the right palm with y = 0 at the wrist (stylion), and
 * fist and grip at the same scale.
 */

const PALM = points(
  '-26 -45, -27 0, -34 25, -41 60, -41.5 88, -36 98, -20 104, 0 108, 20 106, 36 102, 41.5 90, 44 72, 52 58, 40 22, 28 0, 26 -45, 0 -50',
);
const FINGERS = [
  limb('30 96 11, 31 125 10, 34 150 9, 36 166 7.5'),
  limb('9 98 11, 10 130 10, 11 158 9, 12 178 8'),
  limb('-12 96 10.5, -14 125 9.8, -16 150 8.5, -17 169 7.5'),
  limb('-31 86 9.5, -36 112 8.8, -40 130 7.6, -42 142 6.8'),
];
const THUMB = limb('32 30 17, 52 66 15, 68 96 12, 82 118 9');

export const handPalm = {
  title: 'right hand, palm side',
  extent: [-48, 92, -45, 187],
  marks: [
    body(PALM, ...FINGERS, THUMB),
    detail(
      '-26 2, 0 -1, 27 2',
      '-1 107, 9 105, 19 107',
      '21 103, 30 101, 40 103',
      '-23 102, -12 100, -2 102',
      '-41 90, -32 87, -23 91',
      '38 84, 20 72, 8 45, 10 12',
      '-40 70, -15 66, 15 74, 34 88',
    ),
  ],
  landmarks: landmarks({
    stylion: [0, 0],
    wristUlnar: [-27.5, 2],
    wristRadial: [27.5, 2],
    metacarpalUlnar: [-41.5, 86],
    metacarpalRadial: [41.5, 90],
    thumbWeb: [44, 74],
    thumbTip: [88, 125],
    indexBase: [30, 102],
    indexTip: [36, 174],
    indexPipUlnar: [21.5, 133],
    indexPipRadial: [41.5, 133],
    indexDistalUlnar: [27.5, 160],
    indexDistalRadial: [42.5, 160],
    middleBase: [9, 106],
    middleTip: [12, 186],
    middlePipUlnar: [0, 141],
    middlePipRadial: [20, 141],
    middleDistalUlnar: [4, 172],
    middleDistalRadial: [20, 172],
    ringBase: [-12, 101],
    ringTip: [-17, 177],
    ringPipUlnar: [-24.5, 134],
    ringPipRadial: [-5.5, 134],
    ringDistalUlnar: [-24, 163],
    ringDistalRadial: [-10, 163],
    littleBase: [-31, 88],
    littleTip: [-42, 149],
    littlePipUlnar: [-45, 112],
    littlePipRadial: [-28, 112],
    littleDistalUlnar: [-48, 138],
    littleDistalRadial: [-35, 138],
  }),
} satisfies View;

export const handFist = {
  undivided: true,
  title: 'clenched fist, palm side',
  extent: [-48, 52, -45, 95],
  marks: [
    body(
      points(
        '-26 -45, -27 0, -34 18, -42 40, -43 70, -36 88, -18 92, 0 94, 18 93, 36 88, 43 70, 44 40, 36 18, 28 0, 26 -45, 0 -50',
      ),
    ),
    body(limb('-32 82 10, -33 50 10')),
    body(limb('-11 85 11, -12 47 11')),
    body(limb('11 86 11, 11 46 11')),
    body(limb('32 82 10, 33 50 10')),
    body(limb('38 18 14, 26 36 13, 4 46 11, -12 48 9')),
  ],
  landmarks: landmarks({ fistUlnar: [-43, 52], fistRadial: [43, 52] }),
} satisfies View;

export const handGrip = {
  title: 'thumb and middle finger closed round a cylinder, from the thumb side',
  extent: [-110, 60, -62, 56],
  marks: [
    body(points('-110 -30, -60 -34, -30 -42, -24 -20, -26 10, -28 30, -50 36, -110 28')),
    body(limb('-34 10 14, -28 26 13, -12 36 10, 8 36 9.5, 24 26 9, 33 8 8, 34 2 7.5')),
    body(limb('-40 -24 17, -24 -32 14, -6 -36 12, 14 -34 10.5, 27 -24 9.5, 33 -8 8')),
    { kind: 'prop', d: circlePath() },
  ],
  landmarks: landmarks({ cylinderBack: [-25, 0], cylinderFront: [25, 0] }),
} satisfies View;

function circlePath(): string {
  return `${body(circle(0, 0, 25)).d}`;
}
