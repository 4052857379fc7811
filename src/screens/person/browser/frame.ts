import type { Vector } from '../../../body/vectors.js';
import { spread } from '../../../site/pictures/spread.js';
import type { Eye } from './eye.js';

/** The part of space that a picture shows, mm. */
export interface Frame {
  readonly centre: Vector;
  readonly halfHeight: number;
  readonly halfBreadth: number;
  /** Maximum distance by which a part of the person is nearer to the eye than the centre. */
  readonly reach: number;
}

/** A frame before there is a person. */
export const FIRST_FRAME: Frame = {
  centre: [0, 850, 0],
  halfHeight: 900,
  halfBreadth: 500,
  reach: 200,
};

/** Vertical angle of view of a picture, from its lower to its upper edge. */
export const FIELD_DEGREES = 28;
/** Size and line distance of the grid on the floor, mm. */
export const GRID_MM = { size: 2400, step: 100 } as const;
/** Size of a seat, mm. */
export const SEAT_MM = { width: 460, depth: 420, thick: 40 } as const;

/** Free space between the body and its labels, and between two labels, px. */
const [BESIDE_PX, GAP_PX] = [8, 2];
const STEPS_PER_MM = 10;

/** Decodes the vertices of a body from the service, in mm. */
export function positionsOf(text: string): Float32Array<ArrayBuffer> {
  const steps = new Int16Array(bytesOf(text).buffer);
  return Float32Array.from(steps, (step) => step / STEPS_PER_MM);
}

/** The bytes of a base64 text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** The frame around the vertices of a body. */
export function frameOf(positions: Float32Array): Frame {
  let [right, top, front, back] = [0, 0, -Infinity, Infinity];
  for (let at = 0; at < positions.length; at += 3) {
    const [x, y, z] = positions.subarray(at, at + 3) as unknown as Vector;
    right = Math.max(right, x);
    top = Math.max(top, y);
    front = Math.max(front, z);
    back = Math.min(back, z);
  }
  return {
    centre: [0, top / 2, (front + back) / 2],
    halfHeight: top / 2,
    halfBreadth: Math.max(front, -back, right, 380),
    reach: (front - back) / 2,
  };
}

/** The middle of a seat. */
export function seatPlace(seatMm: number): Vector {
  return [0, seatMm - SEAT_MM.thick / 2, SEAT_MM.depth / 2 - 200];
}

/** Position of the eye at which the frame fits a picture. `aspect` is the picture's width divided by its height. */
export function eyePlace(
  { centre, halfHeight, halfBreadth, reach }: Frame,
  eye: Eye,
  aspect: number,
): Vector {
  const slope = Math.tan(radians(FIELD_DEGREES / 2));
  const whole = Math.max((halfHeight * 1.1) / slope, (halfBreadth * 1.15) / (slope * aspect));
  // Feet that are stretched towards the eye look larger.
  const far = (whole + reach) / eye.zoom;
  const [yaw, pitch] = [radians(eye.yawDegrees), radians(eye.pitchDegrees)];
  return [
    centre[0] + far * Math.cos(pitch) * Math.sin(yaw),
    centre[1] + far * Math.sin(pitch),
    centre[2] + far * Math.cos(pitch) * Math.cos(yaw),
  ];
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/**
 * Moves the labels of a picture beside the body, at the heights of their points. A line leads from each label to its
 * point.
 *
 * @param pointOf returns the point of a dimension in the picture, in px from the left and the top
 * @param body the left and the right end of the body in the picture, px
 */
export function moveLabels(
  labels: HTMLElement | null,
  pointOf: (measurement: string) => { readonly x: number; readonly y: number } | undefined,
  body: readonly [left: number, right: number],
  picture: { readonly width: number; readonly height: number },
): void {
  const all = [...(labels?.querySelectorAll<HTMLElement>('[data-measurement]') ?? [])];
  const boxes = all.flatMap((label) => {
    const point = pointOf(label.dataset.measurement ?? '');
    return point === undefined
      ? []
      : [{ label, point, isLeft: point.x < 0.75 * body[0] + 0.25 * body[1] }];
  });
  // Labels on the left are beside all lines there.
  const leftmost = Math.min(body[0], ...boxes.map(({ point }) => point.x));
  for (const side of [true, false]) {
    const column = boxes.filter(({ isLeft }) => isLeft === side);
    column.sort((one, other) => other.point.y - one.point.y);
    const apart = Math.max(...column.map(({ label }) => label.offsetHeight)) + GAP_PX;
    const wanted = column.map(({ point }) => point.y);
    const heights = spread(wanted, apart, picture.height - apart / 2);
    // Labels near the top stay in the picture.
    for (let i = heights.length - 1, top = apart / 2; i >= 0; i--, top += apart) {
      heights[i] = Math.max(heights[i] ?? 0, top);
    }
    for (const [index, { label, point }] of column.entries()) {
      const half = label.offsetWidth / 2;
      const beside = side
        ? leftmost - BESIDE_PX - half
        : Math.max(point.x, body[1] + BESIDE_PX + half);
      const x = Math.max(half, Math.min(picture.width - half, beside));
      label.style.left = `${x}px`;
      label.style.top = `${heights[index]}px`;
      label.dataset.side = side ? 'left' : 'right';
      label.style.setProperty('--lead', `${Math.max(0, Math.abs(x - point.x) - half)}px`);
    }
  }
}
