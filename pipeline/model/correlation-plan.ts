import { PAIRED } from '../import/columns/paired.js';

/** Names of which each follows the others alike. */
export interface Family {
  readonly measured: readonly string[];
  readonly others: readonly string[];
  /** The measured pair whose correlation members have with each other. */
  readonly within: readonly [string, string];
}

/**
 * Fingers that no survey at hand measured follow the two that Snyder 1977 did: with those and with
 * each other they correlate as those two, with everything else as the mean of those two. Snyder's
 * finger diameters are the least hole the finger passes, which the middle joint decides.
 */
export const FAMILIES: readonly Family[] = [
  {
    measured: ['IndexFingerLength', 'MiddleFingerLength'],
    others: ['RingFingerLength', 'LittleFingerLength'],
    within: ['IndexFingerLength', 'MiddleFingerLength'],
  },
  {
    measured: ['IndexFingerWidthTip', 'MiddleFingerWidthTip'],
    others: [
      ...['RingFingerWidthTip', 'LittleFingerWidthTip', 'IndexFingerWidthPip'],
      ...['MiddleFingerWidthPip', 'RingFingerWidthPip', 'LittleFingerWidthPip'],
    ],
    within: ['IndexFingerWidthTip', 'MiddleFingerWidthTip'],
  },
  // Two lengths of one thumb: no survey has both, so they correlate as two fingers do.
  {
    measured: ['ThumbLength'],
    others: ['ThumbTipToCrotch'],
    within: ['IndexFingerLength', 'MiddleFingerLength'],
  },
];

/**
 * Names that a survey takes otherwise than the dimension is defined (`SOURCE.md` of each), whose
 * correlations it is not asked for.
 */
export const UNLIKE: Readonly<Record<string, ReadonlySet<string>>> = {
  ansur1: new Set([
    ...['ButtockToSoleSitting', 'FrontOfNeckToWaistLength', 'SittingUpperLegLength'],
    ...['ThighLength', 'WorkReach'],
  ]),
  // Stand-ins for what ANSUR I measures itself.
  ansur2: new Set([
    ...['ChestBreadth', 'MidShoulderHeightSitting', 'MidShoulderHeightStanding'],
    ...['MidShoulderToWaistLength', 'VerticalGripReachStanding', 'WaistHeightSitting'],
  ]),
  usaf1967: new Set([
    ...['BackOfElbowToWristLength', 'BackOfHeadToChin', 'FrontOfNeckToWaistLength'],
    ...['ThighCircumferenceMidpoint', 'SittingUpperLegLength', 'WristCircumference'],
    ...['ChestBreadth'],
  ]),
};

/** NHANES’ variable of a dimension: its own name, or the nearest thing the survey takes. */
export const NHANES_VARIABLE: Readonly<Record<string, string>> = {
  AbdominalDepth: 'SagittalAbdominalDiameter',
  CalfCircumference: 'CalfCircumference',
  HipCircumferenceMax: 'HipCircumferenceMax',
  ShoulderElbowLength: 'AcromionOlecranonLength',
  ThighCircumferenceMidpoint: 'ThighCircumferenceMidpoint',
  UpperArmCircumferenceMidpoint: 'UpperArmCircumferenceMidpoint',
  WaistCircumferenceAbdominal: 'WaistCircumferenceIliac',
};

/** Dimensions that all the soldiers’ surveys take alike: what says how far surveys differ. */
export const COMPARED_NAMES: readonly string[] = PAIRED;
