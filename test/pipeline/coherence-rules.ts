import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';

/** A whole and its part. From an age on, the median of the part must be smaller in every country. */
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

/** Dimensions of the skeleton. They do not shrink before adulthood. */
export const SKELETAL = MEASUREMENTS.filter(({ kind }) =>
  ['height', 'length', 'reach', 'finger'].includes(kind),
).map(({ name }) => name);

/**
 * Largest allowed fall in percent from one age knot to the next before 20. Only LowCounterHeight falls, because it is
 * elbow height minus a share of stature.
 */
export const FALL_PERCENT = 0.5;
