import type { RegionId } from '../core/body-regions.js';

/** Names of the views of bodies and their parts. */
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
/** Name of a view. */
export type ViewName = (typeof VIEW_NAMES)[number];

/** A point in a view: mm to the right and mm up from its origin. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in a view, mm. */
export type Box = readonly [left: number, right: number, bottom: number, top: number];

/** A person's body seen from one side in one posture, true to scale, in mm. */
export interface Drawing {
  readonly view: ViewName;
  /** What the view shows, in words. */
  readonly title: string;
  /** The box around the body. */
  readonly extent: Box;
  /** The visible part, if the body reaches farther. For example, a head is cut at the neck. */
  readonly shown: Box;
  /** SVG path with y downwards of seat, floor, table or wall. */
  readonly props: string;
  readonly landmarks: Readonly<Record<string, Point>>;
}

/** A region of a body in a view, as an SVG path with y downwards. */
export interface RegionPath {
  readonly region: RegionId;
  readonly d: string;
}

/** The views of a whole body by posture and side. */
export const WHOLE_VIEWS = {
  standing: { front: 'standingFront', side: 'standingSide' },
  sitting: { front: 'sittingFront', side: 'sittingSide' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ViewName>>>>;
