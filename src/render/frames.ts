import { type Box, type Lying, lyingIn, type ViewName } from './drawing.js';

/** Predicted dimensions by name, mm. */
type Values = Readonly<Record<string, number>>;

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

const FRAMES: Readonly<Record<ViewName, (of: Sizes) => Box>> = {
  standingFront: standing(FRONT),
  standingSide: standing(SIDE),
  relaxedFront: standing(FRONT),
  relaxedSide: standing(({ behind, ahead, stature }) => [-behind, ahead + 0.04 * stature]),
  standingThreeQuarter: standing(FRONT),
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
};
