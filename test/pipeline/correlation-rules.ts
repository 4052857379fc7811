import type { MeasurementName } from '../../src/core/measurements.js';

/**
 * Expected correlations of adults of 40 years, from anatomy or from the definitions: pair, smallest and largest value.
 * They hold for both genders.
 */
export const EXPECTED_RHO: readonly (readonly [
  MeasurementName,
  MeasurementName,
  number,
  number,
])[] = [
  // The lengths of the fingers of one hand correlate, and so do their widths. Length hardly correlates with width.
  ['IndexFingerLength', 'MiddleFingerLength', 0.7, 0.95],
  ['RingFingerLength', 'LittleFingerLength', 0.7, 0.95],
  ['IndexFingerWidthPip', 'MiddleFingerWidthPip', 0.7, 0.95],
  ['LittleFingerWidthTip', 'LittleFingerWidthPip', 0.7, 0.95],
  ['MiddleFingerLength', 'HandLength', 0.6, 0.95],
  ['RingFingerLength', 'RingFingerWidthPip', 0.1, 0.6],
  // Head: distances from one plane correlate. Breadth hardly correlates with length.
  ['BackOfHeadToLip', 'BackOfHeadToNoseTip', 0.7, 0.97],
  ['BackOfHeadToEye', 'BackOfHeadToSelion', 0.7, 0.97],
  ['HeadToNoseTip', 'TopOfHeadToStomion', 0.8, 0.98],
  ['FaceBreadth', 'BitragionWidth', 0.7, 0.95],
  ['HeadLength', 'HeadGirth', 0.7, 0.95],
  ['HeadLength', 'HeadBreadth', 0, 0.4],
  ['EyeScalpDistance', 'SittingEyeHeight', 0, 0.45],
  // Parts of stature correlate through stature. The correlation of a difference falls with the part that is subtracted.
  ['LegLength', 'SittingHeight', 0.2, 0.65],
  ['LegLength', 'CrotchHeight', 0.85, 0.99],
  ['EyeHeight', 'Stature', 0.95, 0.995],
  ['SittingShoulderHeight', 'SittingHeight', 0.75, 0.97],
  ['EyeToTableDistance', 'SittingElbowHeight', -0.6, -0.2],
  ['LegRoom', 'AbdominalDepth', -0.9, -0.4],
  ['EyeBodyCentreDistance', 'ChestDepth', -0.99, -0.7],
  ['WaistToCrotchLength', 'WaistHeightStanding', 0.2, 0.7],
  ['MidHipCircumference', 'HipCircumferenceMax', 0.9, 0.995],
  // Girths correlate with each other, and little with lengths.
  ['UpperArmCircumferenceMidpoint', 'HipCircumferenceMax', 0.7, 0.97],
  ['WaistCircumferenceAbdominal', 'WaistDepthStanding', 0.85, 0.99],
  ['WaistCircumferenceAbdominal', 'Stature', -0.1, 0.35],
  ['SeatHeight', 'PoplitealHeight', 0.99, 0.995],
];

/**
 * Largest allowed change of a correlation between neighbouring matrices. It comes from Snyder's small samples. The
 * largest change is that of EyeToTableDistance with girths in boys of 14 to 17, because its parts change most.
 */
export const LARGEST_STEP = 0.5;
