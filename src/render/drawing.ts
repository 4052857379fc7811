import type { RegionId } from '../core/body-regions.js';

/** Names of the views of bodies and their parts. */
export const VIEW_NAMES = [
  'standingFront',
  'standingSide',
  'standingThreeQuarter',
  'relaxedFront',
  'relaxedSide',
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

/** Completed years of age under which people are measured lying on their back (`Stature` in the catalog). */
export const LYING_UNTIL_YEARS = 2;
const FROM_THE_SIDE =
  /^(standing(Side|Reach|HighCounter|LowCounter)|relaxedSide|sitting(Side|Table|HighTable|LegStraight))$/;

/** How a person lies in a picture. From above, the head is up; from the side, it is to the left. */
export type Lying = 'fromAbove' | 'fromSide';

/** How a view shows a person of an age lying; undefined if the person is upright, or the view shows a part alone. */
export function lyingIn(view: ViewName, ageYears: number): Lying | undefined {
  if (Math.floor(ageYears) >= LYING_UNTIL_YEARS || !/^(standing|relaxed|sitting)/.test(view))
    return undefined;
  return FROM_THE_SIDE.test(view) ? 'fromSide' : 'fromAbove';
}

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
  readonly lying?: Lying | undefined;
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
  relaxed: { front: 'relaxedFront', side: 'relaxedSide' },
  sitting: { front: 'sittingFront', side: 'sittingSide' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ViewName>>>>;
