import type { Vector } from '../../../body/vectors.js';
import type { Eye } from './eye.js';
import { placeLabels } from './place-labels.js';

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

/** Free space between the body and its labels, px. */
const BESIDE_PX = 8;
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
 * Moves the labels of a picture beside the body, at the heights of their points. A line leads from a label on the right
 * to its point.
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
    if (point === undefined) return [];
    const { offsetWidth: width, offsetHeight: height } = label;
    const [left, right] = [body[0] - BESIDE_PX - width / 2, body[1] + BESIDE_PX + width / 2];
    const isLeft = point.x < body[0];
    const x = isLeft ? Math.min(point.x, left) : Math.max(point.x, right);
    return [{ label, x, y: point.y, width, height, leadTo: isLeft ? undefined : point.x }];
  });
  for (const [index, { x, y }] of placeLabels(boxes, picture).entries()) {
    const { label, width, leadTo = x } = boxes[index] as (typeof boxes)[number];
    label.style.left = `${x}px`;
    label.style.top = `${y}px`;
    label.style.setProperty('--lead', `${Math.max(0, x - width / 2 - leadTo)}px`);
  }
}
