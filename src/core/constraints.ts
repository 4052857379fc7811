import type { MeasurementName } from './measurements.js';

/**
 * The reason why one dimension of a person is at least as large as another. `definition`: it follows from the
 * definitions of the two dimensions, so every person meets the constraint. `anatomy`: nearly all people meet it.
 */
export type ConstraintKind = 'definition' | 'anatomy';

/** A constraint on two dimensions of a person: `above` is at least `factor` × `below`. */
export interface Constraint {
  readonly above: MeasurementName;
  readonly below: MeasurementName;
  /** The factor is 2 if a girth goes around a breadth or depth, otherwise 1. */
  readonly factor: 1 | 2;
  /** Age in years from which the order holds. */
  readonly fromYears: number;
  readonly kind: ConstraintKind;
  /** Whether every person meets the constraint. Surveys contain people who break the other constraints. */
  readonly enforced: boolean;
  readonly why: string;
}

type Row = readonly [
  above: MeasurementName,
  below: MeasurementName,
  why: string,
  fromYears?: number,
];

const TOP = 'the top of the head is the highest point';
const HANGS = 'the arm hangs down from the shoulder';
const AROUND = 'a girth is at least twice the breadth or depth that it goes around';
const MAXIMUM = 'the maximum over the body is at least the dimension at one place';

/** Constraints that follow from the definitions of the two dimensions. */
const BY_DEFINITION: readonly Row[] = [
  ['Stature', 'EyeHeight', TOP],
  ['Stature', 'C7HeightStanding', TOP],
  ['Stature', 'SittingHeight', 'the seat is above the floor'],
  ['Stature', 'LegLength', 'the leg is stature less sitting height'],
  ['SittingHeight', 'SittingEyeHeight', TOP],
  ['SittingHeight', 'C7HeightSitting', TOP],
  ['SittingHeight', 'TrunkLength', TOP],
  ['SittingHeight', 'NapeHeightSitting', TOP],
  ['NapeHeightSitting', 'C7HeightSitting', 'midway from the seventh vertebra to the ear'],
  ['ShoulderHeight', 'ElbowHeight', HANGS],
  ['ElbowHeight', 'KnuckleHeight', HANGS],
  ['KnuckleHeight', 'FingertipHeight', HANGS],
  ['SittingShoulderHeight', 'SittingElbowHeight', HANGS],
  ['HighCounterHeight', 'LowCounterHeight', 'two heights from one elbow'],
  ['MaximumTableHeight', 'PoplitealHeight', 'the seat plus the elbow above it'],
  ['WaistHeightStanding', 'CrotchHeight', 'the trunk lies between them'],
  ['ButtockKneeLength', 'ButtockPoplitealLength', 'front and back of one knee'],
  ['ButtockPoplitealLength', 'MaximumSeatLength', 'the seat is 50 mm shorter'],
  ['SittingDistance', 'ButtockPoplitealLength', 'the foot is added'],
  ['PoplitealHeight', 'CreaseBehindKneeToAnkle', 'the ankle is above the floor'],
  ['UpperLimbLength', 'ShoulderGripLength', 'the fingers reach beyond the grip'],
  ['UpperLimbLength', 'UpperArmLength', 'a part of the arm'],
  ['Span', 'ElbowSpan', 'the forearms reach beyond the elbows'],
  ['ElbowFingertipLength', 'BackOfElbowToWristLength', 'the hand is added'],
  ['ElbowFingertipLength', 'HandLength', 'the forearm is added'],
  ['HandLength', 'PalmLength', 'the fingers are added'],
  ['HandLength', 'MiddleFingerLength', 'the palm is added'],
  ['HorizontalPinchGripReach', 'WorkReach', 'the tip of the thumb is beyond the grip'],
  ['TopOfHeadToStomion', 'HeadToNoseTip', 'the mouth is below the nose'],
  ['HeadToNoseTip', 'HeadToGlabella', 'the tip of the nose is below the brow'],
  ['WholeBodyBreadthMax', 'ShoulderBreadthBideltoid', MAXIMUM],
  ['WholeBodyDepthMax', 'ChestDepth', MAXIMUM],
  ['WholeBodyDepthMax', 'WaistDepthStanding', MAXIMUM],
  ['WholeBodyDepthMax', 'TrunkDepthAtButtocks', MAXIMUM],
  ['ShoulderBreadthBideltoid', 'ShoulderBreadthBiacromial', 'the deltoids lie outside the bones'],
];

/** Girths that are at least twice a breadth or depth. */
const AROUND_BY_DEFINITION: readonly Row[] = [
  ['HeadGirth', 'HeadLength', AROUND],
  ['HeadGirth', 'HeadBreadth', AROUND],
  ['ChestCircumferenceNipple', 'ChestBreadth', AROUND],
  ['ChestCircumferenceNipple', 'ChestDepth', AROUND],
  ['WaistCircumferenceAbdominal', 'WaistDepthStanding', AROUND],
  ['HipCircumferenceMax', 'HipBreadth', AROUND],
  ['HipCircumferenceMax', 'TrunkDepthAtButtocks', AROUND],
  ['HandCircumference', 'HandBreadth', AROUND],
  ['WristCircumference', 'WristWidth', AROUND],
  ['FootCircumferenceBall', 'FootBreadth', AROUND],
];

const LANDMARKS = 'the order of the landmarks on the body';
const FINGERS = 'the order of the fingers';
const TAPERS = 'the limb tapers';
const FACE = 'the order of the parts of the head';

/** Orders that nearly all people keep. */
const BY_ANATOMY: readonly Row[] = [
  ['EyeHeight', 'ShoulderHeight', LANDMARKS],
  ['C7HeightStanding', 'ShoulderHeight', LANDMARKS],
  ['MidShoulderHeightStanding', 'ShoulderHeight', LANDMARKS],
  ['ShoulderHeight', 'ArmpitHeightStanding', LANDMARKS],
  ['ArmpitHeightStanding', 'WaistHeightStanding', LANDMARKS],
  ['WaistHeightStanding', 'HipHeight', LANDMARKS],
  ['HipHeight', 'CrotchHeight', LANDMARKS],
  ['CrotchHeight', 'KneeHeight', LANDMARKS],
  ['KneeHeight', 'PoplitealHeight', 'the top and the underside of the knee'],
  ['PoplitealHeight', 'FootHeight', LANDMARKS],
  ['HandGripHeightStanding', 'KnuckleHeight', HANGS],
  ['KnuckleHeight', 'IndexFingerHeightStanding', HANGS],
  ['IndexFingerHeightStanding', 'FingertipHeight', 'the middle finger is the longest'],
  ['VerticalGripReachStanding', 'Stature', 'the arms of infants are short', 3],
  ['VerticalGripReachSitting', 'SittingHeight', 'the arms of infants are short', 3],
  ['SittingEyeHeight', 'NapeHeightSitting', LANDMARKS],
  ['C7HeightSitting', 'TrunkLength', 'the vertebra is above the notch of the breastbone'],
  ['MidShoulderHeightSitting', 'SittingShoulderHeight', LANDMARKS],
  ['TrunkLength', 'WaistHeightSitting', LANDMARKS],
  ['HipHeight', 'ThighLength', 'the shank is below the thigh'],
  ['ButtockToSoleSitting', 'ButtockKneeLength', 'the shank is added'],
  ['ButtockKneeLength', 'AbdominalDepth', 'the knees are in front of the belly'],
  ['ShoulderGripLength', 'ShoulderToWristLength', 'the grip is beyond the wrist'],
  ['ShoulderToWristLength', 'UpperArmLength', 'the forearm is added'],
  ['ShoulderElbowLength', 'UpperArmLength', 'the underside of the elbow is below the joint'],
  ['BackOfElbowToWristLength', 'ForearmLength', 'the back of the elbow is behind the joint'],
  ['ForearmLength', 'HandLength', 'the order of the parts of the arm'],
  ['WorkReach', 'ElbowFingertipLength', 'the upper arm is added'],
  ['PalmLength', 'HandBreadth', 'a palm is longer than broad'],
  ['HandBreadth', 'GripWidth', 'the closed hand is narrower'],
  ['FistCircumference', 'HandCircumference', 'the fist has the thumb around it'],
  ['HandCircumference', 'WristCircumference', 'the wrists of children are chubby', 12],
  ['UpperArmCircumferenceMidpoint', 'WristCircumference', TAPERS],
  ['MiddleFingerLength', 'IndexFingerLength', FINGERS],
  ['MiddleFingerLength', 'RingFingerLength', FINGERS],
  ['RingFingerLength', 'LittleFingerLength', FINGERS],
  ['IndexFingerLength', 'LittleFingerLength', FINGERS],
  ['HandLength', 'ThumbLength', FINGERS],
  ['IndexFingerWidthPip', 'IndexFingerWidthTip', TAPERS],
  ['MiddleFingerWidthPip', 'MiddleFingerWidthTip', TAPERS],
  ['RingFingerWidthPip', 'RingFingerWidthTip', TAPERS],
  ['LittleFingerWidthPip', 'LittleFingerWidthTip', TAPERS],
  ['HeadLength', 'HeadBreadth', FACE],
  ['FaceBreadth', 'JawWidth', FACE],
  ['FaceBreadth', 'Biocular', FACE],
  ['Biocular', 'NoseBreadth', FACE],
  ['HeadToTragion', 'HeadToGlabella', FACE],
  ['BackOfHeadToNoseTip', 'BackOfHeadToSelion', FACE],
  ['BackOfHeadToSelion', 'BackOfHeadToEye', FACE],
  ['BackOfHeadToEye', 'BackOfHeadToTragion', FACE],
  ['BackOfHeadToNoseTip', 'BackOfHeadToLip', FACE],
  ['HairLine', 'NoseLength', FACE],
  ['EarLength', 'EarBreadth', 'an ear is longer than broad'],
  ['HeadGirth', 'NeckCircumference', 'the neck is narrower than the head'],
  ['ShoulderBreadthBideltoid', 'ChestBreadth', 'the arms lie outside the chest'],
  ['ChestBreadth', 'InterNippleDistance', 'the nipples are in front of the chest'],
  ['SittingHipBreadth', 'HipBreadth', 'flesh spreads on the seat'],
  ['ChestCircumferenceNipple', 'FemaleChestCircumferenceBelowBreasts', 'the breasts are added'],
  ['HipCircumferenceMax', 'ThighCircumferenceBelowButtock', 'two legs and the trunk'],
  ['ThighCircumferenceBelowButtock', 'ThighCircumferenceMidpoint', TAPERS],
  ['ThighCircumferenceMidpoint', 'KneeCircumference', TAPERS],
  ['KneeCircumference', 'CircumferenceBelowKnee', TAPERS],
  ['FootLength', 'FootBreadth', 'a foot is longer than broad'],
  ['FootLength', 'FootHeight', 'a foot is longer than high'],
];

/** Constraints that more than one in 300 people of surveys break. */
const BROKEN_BY_SOME: readonly Row[] = [
  ['C7HeightStanding', 'MidShoulderHeightStanding', LANDMARKS],
  ['C7HeightSitting', 'MidShoulderHeightSitting', LANDMARKS],
  ['SittingElbowHeight', 'ThighThickness', 'the elbow hangs above the lap'],
  ['HeadBreadth', 'FaceBreadth', FACE],
];

const orders = (kind: ConstraintKind, factor: 1 | 2, rows: readonly Row[]): Constraint[] =>
  rows.map(([above, below, why, fromYears = 0]) => ({
    ...{ above, below, factor, fromYears, kind, why, enforced: rows !== BROKEN_BY_SOME },
  }));

/**
 * The constraints on the dimensions of one person, each with its reason. Some pairs have no constraint: the heights of
 * waist and elbow, because the waist is higher in 3 to 5 % of adults; the waist and the top of the sacrum above the seat,
 * because 4 to 7 % of soldiers break their order; the calf and the place below the knee; and the shoulders and the hips,
 * because no survey has enough heavy women.
 */
export const CONSTRAINTS: readonly Constraint[] = [
  ...orders('definition', 1, BY_DEFINITION),
  ...orders('definition', 2, AROUND_BY_DEFINITION),
  ...orders('anatomy', 1, BY_ANATOMY),
  ...orders('anatomy', 1, BROKEN_BY_SOME),
];

/** A constraint that follows from one definition, or from a chain of several. */
export interface DefiniteConstraint extends Pick<Constraint, 'above' | 'below'> {
  /** `above` is at least `factor` × `below`. */
  readonly factor: number;
  /** The reasons of the orders from which it follows. */
  readonly why: readonly string[];
}

/**
 * All constraints that follow from the definitions. If several chains lead from one dimension to another, the shortest
 * counts.
 */
export const DEFINITE_ORDERS: readonly DefiniteConstraint[] = (() => {
  const direct = CONSTRAINTS.filter(({ kind }) => kind === 'definition');
  const found = new Map<string, DefiniteConstraint>();
  let last: readonly DefiniteConstraint[] = direct.map(({ why, ...order }) => ({
    ...order,
    why: [why],
  }));
  while (last.length > 0) {
    const fresh = last.filter(({ above, below }) => !found.has(`${above}|${below}`));
    for (const constraint of fresh)
      found.set(`${constraint.above}|${constraint.below}`, constraint);
    last = fresh.flatMap((constraint) =>
      direct
        .filter(({ above }) => above === constraint.below)
        .map(({ below, factor, why }) => ({
          ...{ above: constraint.above, below, factor: constraint.factor * factor },
          why: constraint.why.includes(why) ? constraint.why : [...constraint.why, why],
        })),
    );
  }
  return [...found.values()];
})();

/**
 * A dimension that equals the largest of other dimensions plus a length. The length is in mm at the reference stature.
 */
export interface Largest {
  readonly measurement: MeasurementName;
  readonly of: readonly MeasurementName[];
  readonly plusMm: number;
}

/** The deepest place of the trunk. 25 mm are added because chest and buttock lie at different heights. */
export const DEEPEST: Largest = {
  measurement: 'WholeBodyDepthMax',
  of: ['ChestDepth', 'WaistDepthStanding', 'TrunkDepthAtButtocks'],
  plusMm: 25,
};
