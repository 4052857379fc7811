import type { BODY_MEASUREMENTS } from '../operations/fields.js';

// The measurements that tailors' programs and this service both have, by definition. docs/spreadsheets.md says what
// differs. Measurements from the natural waist are missing here, because this service measures at the navel.

type Names = Readonly<Record<string, (typeof BODY_MEASUREMENTS)[number]>>;

/** Names in files of Seamly2D (`.smis`) and Valentina (`.vit`). */
export const SEAMLY_NAMES: Names = {
  height: 'Stature',
  height_neck_back: 'C7HeightStanding',
  height_armpit: 'ArmpitHeightStanding',
  height_shoulder_tip: 'ShoulderHeight',
  width_shoulder: 'ShoulderBreadthBiacromial',
  width_bust: 'ChestBreadth',
  width_hip: 'HipBreadth',
  hand_palm_length: 'PalmLength',
  hand_length: 'HandLength',
  hand_palm_width: 'HandBreadth',
  hand_palm_circ: 'HandCircumference',
  foot_width: 'FootBreadth',
  foot_length: 'FootLength',
  foot_circ: 'FootCircumferenceBall',
  foot_instep_circ: 'FootCircumferenceInstep',
  head_circ: 'HeadGirth',
  head_depth: 'HeadLength',
  head_width: 'HeadBreadth',
  neck_mid_circ: 'NeckCircumference',
  highbust_circ: 'ChestCircumferenceArmpit',
  bust_circ: 'ChestCircumferenceNipple',
  lowbust_circ: 'FemaleChestCircumferenceBelowBreasts',
  hip_circ: 'HipCircumferenceMax',
  bustpoint_to_bustpoint: 'InterNippleDistance',
  arm_shoulder_tip_to_elbow_bent: 'ShoulderElbowLength',
  arm_elbow_to_wrist_bent: 'BackOfElbowToWristLength',
  arm_shoulder_tip_to_wrist: 'ShoulderToWristLength',
  arm_above_elbow_circ: 'UpperArmCircumferenceMidpoint',
  arm_wrist_circ: 'WristCircumference',
  leg_crotch_to_floor: 'CrotchHeight',
  leg_thigh_upper_circ: 'ThighCircumferenceBelowButtock',
  leg_thigh_mid_circ: 'ThighCircumferenceMidpoint',
  leg_knee_circ: 'KneeCircumference',
  leg_knee_small_circ: 'CircumferenceBelowKnee',
  leg_calf_circ: 'CalfCircumference',
};

/** Names in sets of measurements of FreeSewing. */
export const FREESEWING_NAMES: Names = {
  head: 'HeadGirth',
  neck: 'NeckCircumference',
  highBust: 'ChestCircumferenceArmpit',
  chest: 'ChestCircumferenceNipple',
  underbust: 'FemaleChestCircumferenceBelowBreasts',
  bustSpan: 'InterNippleDistance',
  seat: 'HipCircumferenceMax',
  biceps: 'UpperArmCircumferenceMidpoint',
  wrist: 'WristCircumference',
  shoulderToWrist: 'ShoulderToWristLength',
  inseam: 'CrotchHeight',
  upperLeg: 'ThighCircumferenceBelowButtock',
  knee: 'KneeCircumference',
};
