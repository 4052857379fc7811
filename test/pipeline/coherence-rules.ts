import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';

/**
 * A whole and a part of it, which must be smaller at the median in every country from an age on.
 * Below 3 months the extrapolated shoulder of boys stands up to 8 mm above their C7.
 */
export const PARTS: [whole: MeasurementName, part: MeasurementName, fromYears?: number][] = [
  ['Stature', 'C7HeightStanding'],
  ['C7HeightStanding', 'ShoulderHeight', 0.25],
  ['ShoulderHeight', 'ArmpitHeightStanding'],
  ['WaistHeightStanding', 'CrotchHeight'],
  ['HipHeight', 'KneeHeight'],
  ['KneeHeight', 'PoplitealHeight'],
  ['PoplitealHeight', 'FootHeight'],
  ['SittingHeight', 'C7HeightSitting'],
  ['SittingHeight', 'TrunkLength'],
  ['ButtockKneeLength', 'ButtockPoplitealLength'],
  ['UpperLimbLength', 'UpperArmLength'],
  ['UpperLimbLength', 'ShoulderGripLength'],
  ['ElbowFingertipLength', 'ForearmLength'],
  ['ForearmLength', 'HandLength'],
  ['HandLength', 'ThumbLength'],
  ['MiddleFingerLength', 'RingFingerLength'],
  ['RingFingerLength', 'LittleFingerLength'],
  ['IndexFingerWidthPip', 'IndexFingerWidthTip'],
  ['FootLength', 'FootBreadth'],
  ['HeadGirth', 'HeadLength'],
  ['HeadLength', 'HeadBreadth'],
  ['TopOfHeadToStomion', 'HeadToNoseTip'],
  ['HeadToNoseTip', 'HeadToGlabella'],
  ['ShoulderBreadthBideltoid', 'ShoulderBreadthBiacromial'],
  ['HipCircumferenceMax', 'ThighCircumferenceBelowButtock'],
  ['ThighCircumferenceBelowButtock', 'ThighCircumferenceMidpoint'],
];

/** Dimensions of the skeleton by kind, which growth to adulthood does not make smaller. */
export const SKELETAL = MEASUREMENTS.filter(({ kind }) =>
  ['height', 'length', 'reach', 'finger'].includes(kind),
).map(({ name }) => name);

/** Largest fall in percent from one birthday to the next, from noise of the joins, as built. */
export const FALL_PERCENT = 0.8;
/**
 * Dimensions that fall further on the way to 20, by at most so many percent: faults of the first
 * model (docs/model.md, "Known faults"), listed so that they cannot grow unseen. Differences of
 * heights and the joins of the children's survey with the adult model at 15 to 20 make nearly all.
 */
export const KNOWN_FALLS: Partial<Record<MeasurementName, number>> = {
  ArmRestHeight: 5.0,
  CreaseBehindKneeToAnkle: 1.1,
  CrotchHeight: 1.1,
  ElbowHeight: 1.5,
  EyeScalpDistance: 5.7,
  EyeToTableDistance: 1.0,
  FingertipHeight: 3.3,
  FootHeight: 5.1,
  GripWidth: 1.3,
  HandGripHeightStanding: 2.7,
  HeadToGlabella: 1.6,
  HeadToNoseTip: 1.6,
  HeadToTragion: 1.6,
  HighCounterHeight: 1.5,
  HipHeight: 1.0,
  HorizontalPinchGripReach: 2.6,
  IndexFingerHeightStanding: 3.2,
  IndexFingerLength: 1.9,
  KneeHeight: 1.0,
  KnuckleHeight: 2.8,
  LegLength: 1.1,
  LittleFingerLength: 1.3,
  LowCounterHeight: 2.1,
  MidShoulderHeightSitting: 0.9,
  MiddleFingerLength: 1.3,
  PalmLength: 1.9,
  PoplitealHeight: 1.0,
  RingFingerLength: 1.3,
  SacralHeightSitting: 4.9,
  SeatHeight: 1.0,
  SittingElbowHeight: 5.0,
  SittingShoulderHeight: 0.9,
  ThighLength: 1.6,
  ThumbLength: 1.1,
  ThumbTipToCrotch: 1.1,
  TopOfHeadToStomion: 1.6,
  UpperArmLength: 0.9,
  VerticalGripReachSitting: 2.4,
  VerticalGripReachStanding: 1.5,
  WaistHeightSitting: 4.9,
  WaistToCrotchLength: 5.4,
  WorkReach: 2.6,
};
