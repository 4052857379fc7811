import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';

/**
 * A whole and a part of it, which must be smaller at the median in every country from an age on.
 */
export const PARTS: [whole: MeasurementName, part: MeasurementName, fromYears?: number][] = [
  ['Stature', 'C7HeightStanding'],
  ['C7HeightStanding', 'ShoulderHeight'],
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
  ArmRestHeight: 0.9,
  CreaseBehindKneeToAnkle: 1.1,
  EyeScalpDistance: 5.7,
  EyeToTableDistance: 1.9,
  GripWidth: 1.3,
  HeadToGlabella: 1.6,
  HeadToNoseTip: 1.6,
  HeadToTragion: 1.6,
  IndexFingerLength: 1.8,
  LegLength: 1.1,
  LittleFingerLength: 1.3,
  MiddleFingerLength: 1.3,
  RingFingerLength: 1.3,
  SacralHeightSitting: 1.7,
  SittingElbowHeight: 0.9,
  ThumbLength: 1.0,
  ThumbTipToCrotch: 1.0,
  TopOfHeadToStomion: 1.6,
  WaistHeightSitting: 1.7,
  WaistToCrotchLength: 3.4,
};
