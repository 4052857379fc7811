import type { ViewName } from '../../../render/drawing.js';

/** A drawing of a body in a scene. */
export interface Placed {
  readonly view: ViewName;
  /** Position of the drawing's origin in mm. The y axis points up. */
  readonly x: number;
  readonly y: number;
  /** Whether the body lies on its back, with the head to the left, seen from above. */
  readonly isLying?: boolean;
}

/** A dimension line of a size, with a handle at its end. */
export interface DimensionLine {
  readonly size: string;
  readonly axis: 'x' | 'y';
  /** Start of the line on its axis, mm. */
  readonly from: number;
  /** Position of the line: x for a vertical line, y for a horizontal one. */
  readonly at: number;
}

/** A product with people in mm, y upwards. */
export interface Scene {
  readonly box: readonly [left: number, right: number, bottom: number, top: number];
  readonly bodies: readonly Placed[];
  /** Lines of the product as points. A `dashed` line is another setting of the same part. */
  readonly lines: readonly { readonly points: readonly Dot[]; readonly dashed?: boolean }[];
  readonly dimensions: readonly DimensionLine[];
}

export type Dot = readonly [x: number, y: number];

/** Sizes of the body that a scene needs, mm. */
export interface BodySizes {
  /** Size relative to the average body. */
  readonly scale: number;
  readonly statureMm: number;
  /** Height of the seat. */
  readonly seatMm: number;
  /** Position of the plane of the back of a sitting person. `abdomenMm` is the front of the abdomen. */
  readonly backMm: number;
  readonly abdomenMm: number;
}

/** Draws a product with its sizes in mm and the sizes of the body. */
type Draw = (mm: (size: string) => number, body: BodySizes) => Scene;

export const solid = (...points: readonly Dot[]) => ({ points });
export const dashed = (...points: readonly Dot[]) => ({ points, dashed: true });
export const box = (left: number, right: number, bottom: number, top: number) =>
  solid([left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]);
export const vertical = (size: string, at: number, from = 0): DimensionLine => ({
  size,
  axis: 'y',
  from,
  at,
});
export const across = (size: string, from: number, at: number): DimensionLine => ({
  size,
  axis: 'x',
  from,
  at,
});

/** Sizes of an average adult, for a scene without a person: rounded medians of men and women. */
export const AVERAGE = { statureMm: 1695, seatMm: 415, backMm: -150, abdomenMm: 98 } as const;
/** Middle of the seat drawing from the front. It is beside the side view. */
export const FRONT_X = 1150;

/** Scenes by product. A product without a scene has only its rulers. */
export type Scenes = Readonly<Record<string, Draw>>;

/** An arc as points, from the left over the top; a whole circle if `halves` is 2. */
export const arc = (x: number, y: number, radiusMm: number, halves: 1 | 2 = 2) =>
  solid(
    ...Array.from({ length: 24 * halves + 1 }, (_, i): Dot => {
      const turn = Math.PI - (i * Math.PI) / 24;
      return [x + radiusMm * Math.cos(turn), y + radiusMm * Math.sin(turn)];
    }),
  );
