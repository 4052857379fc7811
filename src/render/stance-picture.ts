import type { Foot, Hand, Stance } from '../body/stance.js';
import type { Vector } from '../body/vectors.js';
import { type BodyViewer, isNearest, type PersonToDraw } from './body-viewer.js';
import { type Camera, cameraOf } from './camera.js';
import type { Box } from './drawing.js';
import {
  arePlaces,
  areWithin,
  isDrawable,
  type PicturePlaces,
  personOf,
  personText,
  suitColour,
  wholePixels,
} from './picture.js';
import type { Pixels } from './render-surface.js';

/** A picture of a person in a stance. Its text is the address of the picture. */
export interface StancePicture {
  readonly person: PersonToDraw;
  readonly stance: Stance & { readonly eye: Vector };
  /**
   * From where the person is seen: from above, or from the side, turned to the left about the vertical by some degrees
   * and raised by some degrees. The unturned person looks to the right.
   */
  readonly seen: 'above' | readonly [turnDegrees: number, raiseDegrees: number];
  /** The part of the view, mm from the origin of the stance. */
  readonly frame: Box;
  readonly suit: string;
  /** Height in device pixels. */
  readonly heightPx: number;
  /** Whether a visitor described the person, so that no cache may keep the picture for others. */
  readonly isOwn?: boolean;
}

const TIPS = ['fingertip', 'pinch', 'grip'] as const;
const START = 'stance';

/** The canonical text of a picture. It needs no escapes in a URL. Places and angles are whole mm and degrees. */
export function stanceText(picture: StancePicture): string {
  const { person, stance, seen, frame, suit, heightPx, isOwn } = picture;
  const { pose, trunkDegrees, eye, hands, feet } = stance;
  const numbers = (values: readonly number[]) => values.map((one) => Math.round(one) + 0).join('.');
  const parts = [
    pose,
    numbers([trunkDegrees, ...eye]),
    ...[0, 1].map((i) => {
      const hand = hands[i];
      return hand === undefined ? '' : numbers([...hand.at, TIPS.indexOf(hand.by)]);
    }),
    ...feet.map(({ at, pitchDegrees }) => numbers([...at, pitchDegrees])),
  ];
  return [
    ...[START, personText(person), parts.join('_'), seen === 'above' ? seen : numbers(seen)],
    ...[numbers(frame), suit.replace('#', ''), heightPx, ...(isOwn === true ? ['own'] : [])],
  ].join('~');
}

/** The picture of a canonical text; undefined if the text is not one that `stanceText` returns. */
export function stancePictureOf(text: string): StancePicture | undefined {
  const [start, ...parts] = text.split('~');
  const [stance = '', seen = '', frame = '', suit = '', height, own] = parts.slice(4);
  if (start !== START || !/^[\da-f]{6}$/.test(suit)) return undefined;
  const numbers = (values: string): number[] => values.split('.').map(Number);
  const [pose, trunk = '', left = '', right = '', ...feet] = stance.split('_');
  const [trunkDegrees = 0, eyeX = 0, eyeY = 0, eyeZ = 0] = numbers(trunk);
  const handOf = (values: string): Hand | undefined => {
    const [x = 0, y = 0, z = 0, tip = 0] = numbers(values);
    return values === '' ? undefined : { at: [x, y, z], by: TIPS[tip] ?? 'grip' };
  };
  const picture: StancePicture = {
    person: personOf(parts.slice(0, 4)),
    stance: {
      pose: pose === 'sitting' ? 'sitting' : 'standing',
      trunkDegrees,
      eye: [eyeX, eyeY, eyeZ],
      hands: [handOf(left), handOf(right)],
      feet: feet.map((values): Foot => {
        const [x = 0, y = 0, z = 0, pitchDegrees = 0] = numbers(values);
        return { at: [x, y, z], pitchDegrees };
      }),
    },
    seen: seen === 'above' ? seen : (numbers(seen) as [number, number]),
    frame: numbers(frame) as unknown as Box,
    ...{ suit: `#${suit}`, heightPx: Number(height), isOwn: own === 'own' },
  };
  const isBounded = areBounded(picture) && isDrawable(picture, picture.frame);
  return isBounded && stanceText(picture) === text ? picture : undefined;
}

/** Whether the places and angles of a stance are in their ranges, and no more than a person has hands and feet. */
function areBounded({ stance, seen, frame }: StancePicture): boolean {
  const { trunkDegrees, eye, hands, feet } = stance;
  const limbs = [...hands.flatMap((hand) => hand ?? []), ...feet];
  const turns: readonly number[] = seen === 'above' ? [0, 0] : seen;
  const angles = [trunkDegrees, ...turns, ...feet.map(({ pitchDegrees }) => pitchDegrees)];
  return (
    feet.length <= 2 &&
    turns.length === 2 &&
    frame.length === 4 &&
    areWithin(angles, -360, 360) &&
    arePlaces([...eye, ...limbs.flatMap(({ at }) => at)])
  );
}

/** Renders a picture. */
export function renderStance(viewer: BodyViewer, picture: StancePicture): Pixels {
  const [whole, pixelMm] = wholePixels(picture.frame, picture.heightPx);
  return viewer.pixels(seenIn(viewer, picture), whole, pixelMm, suitColour(picture.suit));
}

/** What a page can say about a picture. */
export function stancePlaces(viewer: BodyViewer, picture: StancePicture): PicturePlaces {
  const seen = seenIn(viewer, picture);
  const silhouette = viewer.silhouette(seen);
  return { silhouette, regions: [], misses: [], isNearest: isNearest(seen.fitted) };
}

/** A picture as an SVG document in mm, with the silhouette in place of pixels. */
export function stanceSvg(viewer: BodyViewer, picture: StancePicture): string {
  const { frame, suit, heightPx } = picture;
  const [left, right, bottom, top] = frame;
  const widthPx = Math.round(((right - left) * heightPx) / (top - bottom));
  const { silhouette } = stancePlaces(viewer, picture);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="${left} ${-top} ${right - left} ${top - bottom}">`,
    `<path d="${silhouette}" fill="${suit}" fill-opacity=".35" stroke="#6b7075" stroke-width="2"/></svg>\n`,
  ].join('');
}

const seenIn = (viewer: BodyViewer, { person, stance, seen, frame }: StancePicture) =>
  viewer.inStance(person, stance, cameraFor(seen), frame);

/** The camera of a picture. Bodies have x to their left, y up and z forward. */
function cameraFor(seen: StancePicture['seen']): Camera {
  if (seen === 'above') return cameraOf([0, 0, 1], [1, 0, 0]);
  const [turn, raise] = seen.map((degrees) => (degrees * Math.PI) / 180) as [number, number];
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  return cameraOf([sin, 0, cos], [Math.sin(raise) * cos, Math.cos(raise), -Math.sin(raise) * sin]);
}
