import { limb, points } from './geometry.js';
import { body, detail, landmarks, prop, type View } from './view.js';

/* Right feet of the median person of `standing.ts`: x = 0 at the heel, toes to the right. */

export const footSide = {
  title: 'foot, from the side',
  undivided: true,
  extent: [-5, 262, 0, 190],
  marks: [
    prop('-40 0, 300 0'),
    body(
      points(
        '12 190, 8 150, 16 110, 8 75, 1 40, 4 12, 18 2, 70 3, 120 8, 165 3, 210 1, 246 1, 257 12, 250 27, 225 36, 190 52, 150 76, 112 104, 98 130, 96 160, 98 190, 55 200',
      ),
    ),
    detail('45 78, 50 84, 58 84, 63 76, 59 66, 50 64, 45 70', '226 20, 240 26, 250 22'),
  ],
  landmarks: landmarks({
    floor: [54, 0],
    lateralMalleolus: [54, 69],
    heel: [0, 30],
    toe: [257, 12],
    instepTop: [143, 81],
    instepSole: [115, 7],
    ballTop: [196, 49],
    ballSole: [182, 2],
  }),
} satisfies View;

export const footTop = {
  title: 'foot, from above',
  extent: [0, 257, -50, 50],
  marks: [
    body(
      points(
        '0 0, 6 22, 26 32, 60 31, 100 33, 140 43, 178 49, 205 47, 218 40, 222 20, 218 0, 208 -18, 192 -34, 170 -47, 130 -45, 90 -40, 50 -36, 20 -30, 4 -18',
      ),
      limb('205 31 17, 225 31 16.5, 244 30 13.5'),
    ),
    body(limb('208 7 10, 232 8 9.5, 244 8 8.5')),
    body(limb('202 -11 9.5, 224 -10 9, 236 -10 8')),
    body(limb('194 -27 9, 214 -26 8.5, 225 -26 7.5')),
    body(limb('182 -40 8.5, 202 -40 8, 210 -40 7')),
    body(
      points(
        '0 0, 6 22, 26 32, 60 31, 100 33, 140 43, 178 49, 200 44, 208 26, 210 6, 204 -14, 194 -30, 180 -44, 164 -47, 130 -45, 90 -40, 50 -36, 20 -30, 4 -18',
      ),
    ),
    detail('243 38, 251 31, 244 23'),
  ],
  landmarks: landmarks({
    heel: [0, 0],
    longestToe: [257, 30],
    ballMedial: [182, 49],
    ballLateral: [168, -48],
  }),
} satisfies View;
