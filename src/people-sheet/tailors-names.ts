import type { BODY_MEASUREMENTS } from '../operations/fields.js';

type Name = (typeof BODY_MEASUREMENTS)[number];

/**
 * The measurements that tailors' programs and this service both have, by definition: here, in Seamly2D and Valentina, and
 * in FreeSewing. docs/spreadsheets.md says what differs. Measurements from the natural waist are missing, because this
 * service measures at the navel.
 */
const NAMES: readonly (readonly [here: Name, seamly: string, freeSewing?: string])[] = [
  ['Stature', 'height'],
  ['C7HeightStanding', 'height_neck_back'],
  ['ArmpitHeightStanding', 'height_armpit'],
  ['ShoulderHeight', 'height_shoulder_tip'],
  ['ShoulderBreadthBiacromial', 'width_shoulder'],
  ['ChestBreadth', 'width_bust'],
  ['HipBreadth', 'width_hip'],
  ['PalmLength', 'hand_palm_length'],
  ['HandLength', 'hand_length'],
  ['HandBreadth', 'hand_palm_width'],
  ['HandCircumference', 'hand_palm_circ'],
  ['FootBreadth', 'foot_width'],
  ['FootLength', 'foot_length'],
  ['FootCircumferenceBall', 'foot_circ'],
  ['FootCircumferenceInstep', 'foot_instep_circ'],
  ['HeadGirth', 'head_circ', 'head'],
  ['HeadLength', 'head_depth'],
  ['HeadBreadth', 'head_width'],
  ['NeckCircumference', 'neck_mid_circ', 'neck'],
  ['ChestCircumferenceArmpit', 'highbust_circ', 'highBust'],
  ['ChestCircumferenceNipple', 'bust_circ', 'chest'],
  ['FemaleChestCircumferenceBelowBreasts', 'lowbust_circ', 'underbust'],
  ['HipCircumferenceMax', 'hip_circ', 'seat'],
  ['InterNippleDistance', 'bustpoint_to_bustpoint', 'bustSpan'],
  ['ShoulderElbowLength', 'arm_shoulder_tip_to_elbow_bent'],
  ['BackOfElbowToWristLength', 'arm_elbow_to_wrist_bent'],
  ['ShoulderToWristLength', 'arm_shoulder_tip_to_wrist', 'shoulderToWrist'],
  ['UpperArmCircumferenceMidpoint', 'arm_above_elbow_circ', 'biceps'],
  ['WristCircumference', 'arm_wrist_circ', 'wrist'],
  ['CrotchHeight', 'leg_crotch_to_floor', 'inseam'],
  ['ThighCircumferenceBelowButtock', 'leg_thigh_upper_circ', 'upperLeg'],
  ['ThighCircumferenceMidpoint', 'leg_thigh_mid_circ'],
  ['KneeCircumference', 'leg_knee_circ', 'knee'],
  ['CircumferenceBelowKnee', 'leg_knee_small_circ'],
  ['CalfCircumference', 'leg_calf_circ'],
];

const namesIn = (column: 1 | 2): Readonly<Record<string, Name>> =>
  Object.fromEntries(
    NAMES.flatMap((row) => {
      const name = row[column];
      return name === undefined ? [] : [[name, row[0]] as const];
    }),
  );

/** Measurements of names in files of Seamly2D (`.smis`) and Valentina (`.vit`). */
export const SEAMLY_NAMES = namesIn(1);

/** Measurements of names in sets of FreeSewing. */
export const FREESEWING_NAMES = namesIn(2);
