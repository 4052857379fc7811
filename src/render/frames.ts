import { type Box, LYING_UNTIL_YEARS, type Point } from './drawing.js';

/** Predicted dimensions by name, mm. */
type Values = Readonly<Record<string, number>>;

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

/**
 * The part of a view that a picture shows, mm from the origin of the view. It depends on predicted dimensions only, so
 * a page can place a picture before anybody has made it. It contains the body with a margin.
 */
export function frameOf(
  view: ViewName,
  { ageYears, valuesMm }: { readonly ageYears: number; readonly valuesMm: Values },
): Box {
  const sizes = sizesOf(valuesMm);
  const upright = FRAMES[view](sizes);
  const lying = lyingIn(view, ageYears);
  return (lying === undefined ? upright : LYING[lying](upright, sizes)).map(
    Math.round,
  ) as unknown as Box;
}

/** Frames of lying people, from those of upright people. The arms of babies lie apart from the body. */
const LYING: Readonly<Record<Lying, (upright: Box, of: Sizes) => Box>> = {
  fromAbove: ([left, right, bottom, top], { stature }) => [
    Math.min(left, -LYING_HALF * stature),
    Math.max(right, LYING_HALF * stature),
    bottom,
    top,
  ],
  fromSide: ([left, right, bottom, top], { stature }) => [
    -top,
    -bottom,
    -MARGIN * stature,
    right - left,
  ],
};
const LYING_HALF = 0.27;

/** Sizes that determine the frames, mm. Dimensions that a person lacks are shares of stature. */
function sizesOf(values: Values) {
  const { Stature: stature = 1700 } = values;
  const of = (name: string, share: number): number => values[name] ?? share * stature;
  const breadth = values.WholeBodyBreadthMax ?? 1.12 * of('ShoulderBreadthBideltoid', 0.26);
  const depth = Math.max(of('WaistDepthStanding', 0.14), of('TrunkDepthAtButtocks', 0.14));
  const seat = of('PoplitealHeight', 0.25);
  return {
    stature,
    /** Half of the breadth with hanging arms, which wide bodies spread. */
    half: Math.max(0.17 * stature, 0.65 * breadth),
    behind: Math.max(0.09 * stature + 0.1 * depth, 0.8 * of('HeadLength', 0.11)),
    ahead: 0.1 * stature + 0.35 * depth,
    sittingTop: seat + of('SittingHeight', 0.52) + 0.02 * stature,
    sittingReach: seat + of('VerticalGripReachSitting', 0.76) + 0.06 * stature,
    standingReach: of('VerticalGripReachStanding', 1.2) + 0.06 * stature,
    knee: of('ButtockKneeLength', 0.34),
    head: of('HeadLength', 0.11),
    hand: of('HandLength', 0.11),
    foot: of('FootLength', 0.15),
  };
}

type Sizes = ReturnType<typeof sizesOf>;
const MARGIN = 0.015;

type Sides = (of: Sizes) => readonly [left: number, right: number];
const standing =
  (sides: Sides) =>
  (of: Sizes): Box => [...sides(of), -MARGIN * of.stature, (1 + MARGIN) * of.stature];
const sitting =
  (sides: Sides) =>
  (of: Sizes): Box => [...sides(of), -MARGIN * of.stature, of.sittingTop];

const FRONT: Sides = ({ half }) => [-half, half];
const SIDE: Sides = ({ behind, ahead }) => [-behind, ahead];
const COUNTER: Sides = ({ behind, stature }) => [-behind, 0.7 * stature];
/** From the plane of the back. */
const TABLE: Sides = ({ stature, knee }) => [-0.06 * stature, 0.28 * stature + knee];
const FIST = ({ hand }: Sizes): Box => [-0.6 * hand, 0.8 * hand, -0.6 * hand, 0.95 * hand];

/** The frame of each view of bodies and their parts. */
const FRAMES = {
  standingFront: standing(FRONT),
  standingSide: standing(SIDE),
  standingThreeQuarter: standing(FRONT),
  relaxedFront: standing(FRONT),
  relaxedSide: standing(({ behind, ahead, stature }) => [-behind, ahead + 0.04 * stature]),
  standingSpan: standing(({ stature }) => [-0.56 * stature, 0.56 * stature]),
  standingAkimbo: standing(({ stature, half }) => [-0.15 * stature - half, 0.15 * stature + half]),
  standingReach: standing(({ behind, stature }) => [-behind, 0.5 * stature]),
  standingOverhead: ({ behind, ahead, stature, standingReach }) => [
    -Math.max(behind, 0.25 * stature),
    Math.max(ahead, 0.25 * stature),
    -MARGIN * stature,
    standingReach,
  ],
  standingHighCounter: standing(COUNTER),
  standingLowCounter: standing(COUNTER),
  sittingSide: sitting(({ stature, knee }) => [-0.06 * stature, 0.12 * stature + knee]),
  sittingFront: sitting(FRONT),
  sittingTable: sitting(TABLE),
  sittingHighTable: sitting(TABLE),
  sittingLegStraight: sitting(({ behind, stature }) => [-behind, 0.75 * stature]),
  sittingOverhead: ({ half, stature, sittingReach }) => [
    -half,
    half,
    -MARGIN * stature,
    sittingReach,
  ],
  headFront: ({ head }) => [-0.75 * head, 0.75 * head, -1.5 * head, 0.05 * head],
  headSide: ({ head }) => [-0.12 * head, 1.22 * head, -1.5 * head, 0.05 * head],
  handPalm: ({ hand }) => [-0.6 * hand, 0.6 * hand, -0.25 * hand, 1.05 * hand],
  handFist: FIST,
  handGrip: FIST,
  footSide: ({ foot }) => [-0.08 * foot, 1.08 * foot, -0.02 * foot, 0.66 * foot],
  footTop: ({ foot }) => [-0.08 * foot, 1.08 * foot, -0.32 * foot, 0.32 * foot],
} as const satisfies Readonly<Record<string, (of: Sizes) => Box>>;

/** Name of a view. */
export type ViewName = keyof typeof FRAMES;
/** Names of the views of bodies and their parts. */
export const VIEW_NAMES = Object.keys(FRAMES) as readonly ViewName[];

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

/** The views of a whole body by posture and side. */
export const WHOLE_VIEWS = {
  standing: { front: 'standingFront', side: 'standingSide' },
  relaxed: { front: 'relaxedFront', side: 'relaxedSide' },
  sitting: { front: 'sittingFront', side: 'sittingSide' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ViewName>>>>;
