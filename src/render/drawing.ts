import type { RegionId } from '../core/body-regions.js';

/** Names of the drawings of bodies and their parts. */
export const VIEW_NAMES = [
  'standingFront',
  'standingSide',
  'standingThreeQuarter',
  'standingTop',
  'standingSpan',
  'standingAkimbo',
  'standingReach',
  'standingOverhead',
  'standingHighCounter',
  'standingLowCounter',
  'sittingSide',
  'sittingFront',
  'sittingTable',
  'sittingHighTable',
  'sittingLegStraight',
  'sittingOverhead',
  'headFront',
  'headSide',
  'handPalm',
  'handFist',
  'handGrip',
  'footSide',
  'footTop',
] as const;
/** Name of a drawing. */
export type ViewName = (typeof VIEW_NAMES)[number];

/** A point in a drawing: mm to the right and mm up from its origin. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A person's body seen from one side in one posture, true to scale, in mm. */
export interface Drawing {
  readonly view: ViewName;
  /** What the drawing shows, in words. */
  readonly title: string;
  /** Left, right, bottom and top of the body. */
  readonly extent: readonly [left: number, right: number, bottom: number, top: number];
  /** The visible part, if the outline reaches farther. For example, a head is cut at the neck. */
  readonly shown: readonly [left: number, right: number, bottom: number, top: number];
  /**
   * SVG paths with y downwards: the outline, the lines inside it (`creases`), and seat, floor, table or wall (`props`).
   */
  readonly outline: string;
  readonly creases: string;
  readonly props: string;
  /** Areas in shade of a whole body, as SVG paths. Each lies inside the area before it. */
  readonly shade?: readonly string[];
  readonly landmarks: Readonly<Record<string, Point>>;
  /** Areas of the regions of a whole body, as SVG paths. */
  readonly regions?: readonly { readonly region: RegionId; readonly d: string }[];
}

/** The drawings of a whole body by posture and side. */
export const WHOLE_VIEWS = {
  standing: { front: 'standingFront', side: 'standingSide' },
  sitting: { front: 'sittingFront', side: 'sittingSide' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ViewName>>>>;

/** A drawn person. */
export interface DrawnPerson {
  readonly drawings: readonly Drawing[];
  /** The dimensions of the drawn body as measured on it, mm. */
  readonly achievedMm: Readonly<Record<string, number>>;
  /** Age of the body. Present only if no body can have the age of the person. */
  readonly bodyAgeYears?: number;
  /** Whether the body is only the nearest one that can be drawn. */
  readonly isNearest: boolean;
}
