import type { Dimension } from '../person-survey.js';

const ARM = 'ACR_RADL_LNTH + RADIALE_STYLION_LNTH';
const GRIP = 'WRIST_TO_CENTER_OF_GRIP_LNTH';

/** Lengths of the arm and the shoulders of ANSUR I, and the reaches that were measured on the same people, in mm. */
export const ANSUR1_REACH_DIMENSIONS: readonly Dimension[] = [
  ['ShoulderBreadthBiacromial', 'BIACROMIAL_BRTH'],
  ['SittingShoulderHeight', 'ACR_HT_SIT'],
  ['UpperLimbLength', `${ARM} + HAND_LNTH`],
  ['ShoulderGripLength', `${ARM} + ${GRIP}`],
  ['WorkReach', `WRST_LNTH_TO_WALL + ${GRIP}`],
  ['WorkReachExtended', `WRST_EXT_TO_WALL + ${GRIP}`],
  ['HorizontalPinchGripReach', 'THUMB_TIP_REACH'],
  ['VerticalGripReachSitting', `OVRHD_SIT_REACH - HAND_LNTH + ${GRIP}`],
  ['Span', 'SPAN'],
];
