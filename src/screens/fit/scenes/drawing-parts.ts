import type { MeasurementName } from '../../../core/measurements.js';
import type { ViewName } from '../../../render/frames.js';

export type Dot = readonly [x: number, y: number];
export type Box = readonly [left: number, right: number, bottom: number, top: number];

/** A drawing of a body in a part of a picture. */
export interface Placed {
  /** A view of `src/render`, whose origin is at `x` and `y`; or a person who sits or stands with hands in their places. */
  readonly body: ViewName | Held;
  readonly x: number;
  readonly y: number;
  /** Whether the body lies on its back, with the head to the left, seen from above. */
  readonly isLying?: boolean;
}

/** How a person sits or stands: the place (`Placed`) is where the back meets the seat, or the floor. */
export interface Held {
  readonly pose: 'sitting' | 'standing';
  /** Height of the seat above the floor, mm. */
  readonly seatMm?: number;
  readonly isFromFront?: boolean;
  /** How far the trunk leans forward, degrees. */
  readonly leanDegrees?: number;
  /** Where hands and feet are, from the place; each has its own side of the body. */
  readonly hands?: readonly Dot[];
  /** Whether the hands are closed around something at their places. Others touch it with a finger. */
  readonly hold?: boolean;
  readonly feet?: readonly Dot[];
}

/** How far riders, who lean, point their toes up, degrees. Other feet are flat on what is below them. */
export const RIDER_PITCH_DEGREES = -14;

/** A dimension line of a size, with a handle at its end. */
export interface DimensionLine {
  readonly size: string;
  readonly axis: 'x' | 'y';
  /** Start of the line on its axis, mm. */
  readonly from: number;
  /** Position of the line: x for a vertical line, y for a horizontal one. */
  readonly at: number;
  /** Where the thing is that the line measures, if it is not at the line. Thin lines lead there. */
  readonly thing?: number;
}

/** Something that is drawn, as points: a solid thing, or a line. */
export interface Shape {
  readonly points: readonly Dot[];
  /** `behind` and `hidden`: a solid and a line that the body hides. */
  readonly kind: 'solid' | 'behind' | 'line' | 'hidden';
  /** The size that it shows: a dashed line, which is there only together with the handle of the size. */
  readonly of?: string;
}

/** A person at a product from one side, in mm, y upwards. */
export interface Part {
  readonly placed: Placed;
  readonly shapes: readonly Shape[];
  readonly dimensions: readonly DimensionLine[];
}

/** A part that is moved to the right and up. */
export const movedBy = ([right, up]: Dot, { placed, shapes, dimensions }: Part): Part => ({
  placed: { ...placed, x: placed.x + right, y: placed.y + up },
  shapes: shapes.map((one) => ({
    ...one,
    points: one.points.map(([x, y]): Dot => [x + right, y + up]),
  })),
  dimensions: dimensions.map(({ thing, ...line }) => {
    const [along, beside] = line.axis === 'x' ? [right, up] : [up, right];
    return {
      ...{ ...line, from: line.from + along, at: line.at + beside },
      ...(thing === undefined ? {} : { thing: thing + beside }),
    };
  }),
});

/** Dimensions of the body that a scene needs, and their usual shares of stature. */
const NEEDED = {
  seatMm: ['PoplitealHeight', 0.245],
  abdomenMm: ['AbdominalDepth', 0.146],
  thighMm: ['ButtockPoplitealLength', 0.283],
  kneeMm: ['ButtockKneeLength', 0.35],
  tableMm: ['MaximumTableHeight', 0.42],
  elbowMm: ['ElbowHeight', 0.62],
  hipMm: ['HipHeight', 0.51],
  handMm: ['HandLength', 0.109],
  fingerMm: ['MiddleFingerLength', 0.047],
  handBreadthMm: ['HandBreadth', 0.048],
  backMm: ['DorsomLength', 0.26],
  neckMm: ['C7HeightStanding', 0.85],
  headMm: ['HeadLength', 0.112],
} as const satisfies Readonly<Record<string, readonly [MeasurementName, number]>>;

/** Sizes of the body that a scene needs, mm, and the size relative to the average body. */
export type BodySizes = Readonly<Record<keyof typeof NEEDED | 'scale' | 'statureMm', number>>;

/** Stature of the average adult: the rounded median of men and women, mm. */
const AVERAGE_STATURE_MM = 1695;

/** The sizes of a person with these predicted dimensions, mm; of the average adult without any. */
export function sizesOf(valuesMm: Readonly<Record<string, number>>): BodySizes {
  const { Stature: statureMm = AVERAGE_STATURE_MM } = valuesMm;
  const needed = Object.entries(NEEDED).map(([name, [measurement, share]]) => {
    return [name, valuesMm[measurement] ?? share * statureMm];
  });
  return { scale: statureMm / AVERAGE_STATURE_MM, statureMm, ...Object.fromEntries(needed) };
}

/** Draws a product with its sizes in mm and the sizes of the body, from each side that shows a size. */
export type Draw = (mm: (size: string) => number, body: BodySizes) => readonly Part[];

/** Scenes by product. A product without a scene has only its rulers. */
export type Scenes = Readonly<Record<string, Draw>>;

export const line = (...points: readonly Dot[]): Shape => ({ kind: 'line', points });
export const hidden = (...points: readonly Dot[]): Shape => ({ kind: 'hidden', points });
export const solid = (...points: readonly Dot[]): Shape => ({ kind: 'solid', points });
const corners = (left: number, right: number, bottom: number, top: number): readonly Dot[] => [
  [left, bottom],
  [right, bottom],
  [right, top],
  [left, top],
  [left, bottom],
];
export const slab = (...box: Box): Shape => ({ kind: 'solid', points: corners(...box) });
export const behind = (...box: Box): Shape => ({ kind: 'behind', points: corners(...box) });
export const floor = (left: number, right: number): Shape => line([left, 0], [right, 0]);
/** A dashed line where a size ends. */
export const mark = (of: string, ...points: readonly Dot[]): Shape => ({
  kind: 'line',
  points,
  of,
});
/** Dashed lines at the heights of sizes, between two places across. */
export const levels = (
  mm: (size: string) => number,
  left: number,
  right: number,
  ...ids: readonly string[]
) => ids.map((id) => mark(id, [left, mm(id)], [right, mm(id)]));
export const vertical = (size: string, at: number, from = 0): DimensionLine => ({
  ...{ size, axis: 'y', from, at },
});
export const across = (size: string, from: number, at: number, thing?: number): DimensionLine => ({
  ...{ size, axis: 'x', from, at },
  ...(thing === undefined ? {} : { thing }),
});

/** The setting of something adjustable that a person uses: the wanted one, or the nearest. */
export const setting = (low: number, high: number, wanted: number): number =>
  Math.max(low, Math.min(Math.max(low, high), wanted));

/** Half or whole of an ellipse as points, from the left over the top. */
export const arc = (x: number, y: number, rx: number, ry = rx, halves: 1 | 2 = 2): readonly Dot[] =>
  Array.from({ length: 24 * halves + 1 }, (_, i): Dot => {
    const turn = Math.PI - (i * Math.PI) / 24;
    return [x + rx * Math.cos(turn), y + ry * Math.sin(turn)];
  });

/** A chair from the side: its seat from the plane of the back, a back rest between the elbows and a foot. */
export const chairFromSide = (heightMm: number, depthMm: number, k: number): readonly Shape[] => {
  const [column, thick] = [0.45 * depthMm, 40 * k];
  return [
    slab(-90 * k, depthMm, heightMm - thick, heightMm),
    behind(-60 * k, -15 * k, heightMm, heightMm + 420 * k),
    slab(column - 25 * k, column + 25 * k, 35 * k, heightMm - thick),
    slab(column - 220 * k, column + 220 * k, 0, 35 * k),
  ];
};

/** The same thing on both sides. */
export const sides = (half: number, thick: number, low: number, high: number): readonly Shape[] => [
  slab(-half - thick, -half, low, high),
  slab(half, half + thick, low, high),
];

/** A person on a seat with a foot from the front with low sides beside it, and more things with their lines. */
export const frontOfSeat = (
  heightMm: number,
  widthMm: number,
  k: number,
  more: readonly Shape[] = [],
  lines: readonly DimensionLine[] = [],
): Part => ({
  placed: sitter(heightMm, { isFromFront: true }),
  shapes: [
    floor(-400 * k, 400 * k),
    behind(-widthMm / 2, widthMm / 2, heightMm - 40 * k, heightMm),
    behind(-25 * k, 25 * k, 0, heightMm - 40 * k),
    ...sides(widthMm / 2, 22 * k, heightMm - 40 * k, heightMm + 90 * k),
    ...more,
  ],
  dimensions: [across('width', -widthMm / 2, heightMm - 20 * k), ...lines],
});

/** A person on a seat, with hands on the thighs or in their places. */
export const sitter = (seatMm: number, held: Omit<Held, 'pose' | 'seatMm'> = {}): Placed => ({
  ...{ body: { pose: 'sitting', seatMm, ...held }, x: 0, y: seatMm },
});

export const viewed = (body: ViewName, x = 0, y = 0): Placed => ({ body, x, y });
