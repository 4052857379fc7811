import type { MeasurementName } from '../../src/core/measurements.js';
import type { AllowanceKey } from './profile-rules.js';

/** A published row that no profile applies, and why. */
export interface UnusedAllowance extends AllowanceKey {
  readonly why: string;
}

const NO_HEADGEAR = 'no profile has headgear (the specification: clothing with boots)';

/** All rows of `data/raw/allowances` that `profile-rules.ts` does not use. */
// biome-ignore format: a row is a line
const UNUSED = [
  ['hat', 'Stature', NO_HEADGEAR],
  ['protective helmet', 'Stature', NO_HEADGEAR],
  ['protective helmet', 'HeadBreadth', NO_HEADGEAR],
  ['protective gloves', 'HandBreadth', 'no profile has gloves, and these are protective'],
  ['heavy outdoor clothing under the buttocks', 'SittingHeight', 'agrees with the 10 mm read for SittingShoulderHeight, which are used for all heights above the seat'],
  ['light indoor clothing', 'body mass', 'no dimension is a mass'],
  ['medium clothing', 'HipBreadth; SittingHipBreadth', 'there is no profile between light and winter, which have their own rows'],
  ['ordinary indoor clothing (no shoes)', 'all', 'says that nothing is to be added, so `light` changes only dimensions that a light row names'],
  ['shoes worn in a survey, height unknown', 'Stature', 'a correction of surveys for people in shoes; within the range of flat shoes that is used'],
  ['shoes, outdoor / semi-formal', 'all standing and sitting dimensions measured from the floor', 'men: the lower end of the range of flat shoes that is used; women: the middle of the heels that are used; names its dimensions: all from the floor'],
  ['shoe height', 'PoplitealHeight', 'the upper end of the range of flat shoes that is used'],
  ['heel of a child’s shoe, at most', 'the shoe', 'a check of the shoes of children'],
  ['sole under the heel, at least', 'the shoe', 'a check of the shoes of children'],
  ['fingertip instead of grip reach', 'VerticalGripReach*; forward reach', 'a definition'],
  ['thumb-tip (pinch) instead of grip reach', 'VerticalGripReach*; HorizontalPinchGripReach', 'a definition'],
  ['underside of flexed elbow instead of radiale', 'ElbowHeight', 'a definition'],
  ['clearance across the ears', 'HeadBreadth', 'a definition'],
  ['sitting slump', 'SittingShoulderHeight', 'an upper bound (up to 40); the share of the trunk below the shoulder gives 35'],
  ['soft seat upholstery', 'SittingEyeHeight; SittingShoulderHeight; reach above seat', 'no profile has a soft seat; no figure'],
  ['supine instead of standing', 'Stature', 'no profile is lying'],
  ['self-reported instead of measured', 'Stature', 'no survey in the model is self-reported'],
] as const;
export const UNUSED_ALLOWANCES: readonly UnusedAllowance[] = UNUSED.map(
  ([condition, dimensions, why]) => ({ condition, dimensions, why }),
);

/** Reasons why clothing does not change dimensions. Each such dimension stands under one reason. */
export const UNTOUCHED_BY_CLOTHING: readonly {
  readonly why: string;
  readonly names: readonly MeasurementName[];
}[] = [
  {
    why: 'Head and face: no profile has headgear',
    names: [
      ...(['BackOfHeadToChin', 'BackOfHeadToEye', 'BackOfHeadToLip'] as const),
      ...(['BackOfHeadToNoseTip', 'BackOfHeadToSelion', 'BackOfHeadToTragion'] as const),
      ...(['Biocular', 'BitragionWidth', 'EarBreadth', 'EarLength', 'FaceBreadth'] as const),
      ...(['ForeheadWidth', 'HairLine', 'HeadBreadth', 'HeadGirth', 'HeadLength'] as const),
      ...(['HeadToGlabella', 'HeadToNoseTip', 'HeadToTragion', 'JawWidth'] as const),
      ...(['LipLength', 'NoseBreadth', 'NoseLength', 'TopOfHeadToStomion'] as const),
    ],
  },
  {
    why: 'Hand, fingers and wrist: no profile has gloves',
    names: [
      ...(['HandBreadth', 'HandLength', 'PalmLength', 'HandCircumference'] as const),
      ...(['FistCircumference', 'GripWidth', 'ThumbLength', 'ThumbTipToCrotch'] as const),
      ...(['IndexFingerLength', 'IndexFingerWidthPip', 'IndexFingerWidthTip'] as const),
      ...(['MiddleFingerLength', 'MiddleFingerWidthPip', 'MiddleFingerWidthTip'] as const),
      ...(['RingFingerLength', 'RingFingerWidthPip', 'RingFingerWidthTip'] as const),
      ...(['LittleFingerLength', 'LittleFingerWidthPip', 'LittleFingerWidthTip'] as const),
      ...(['WristWidth', 'WristCircumference'] as const),
    ],
  },
  {
    why: 'Between landmarks of bone or skin, which clothing does not move',
    names: [
      ...(['ForearmLength', 'InterNippleDistance', 'ShoulderBreadthBiacromial'] as const),
      ...(['ShoulderToWristLength', 'SittingUpperLegLength', 'ThighLength'] as const),
      ...(['UpperArmLength', 'UpperLimbLength', 'ShoulderGripLength'] as const),
      ...(['ShoulderToFingertipHorizontal', 'EyeBodyCentreDistance'] as const),
    ],
  },
  {
    why: 'Both ends move by the same amount, so the difference stays',
    names: [
      ...(['CreaseBehindKneeToAnkle', 'EyeScalpDistance', 'EyeToTableDistance'] as const),
      'WaistToCrotchLength',
    ],
  },
  {
    why: 'Reaches: clothing shortens them (KAN-Praxis), but no figure was found',
    names: ['ElbowSpan', 'HorizontalPinchGripReach', 'Span', 'WorkReach'],
  },
  {
    why: 'Girths of limbs, neck and foot: no figure was found',
    names: [
      ...(['CalfCircumference', 'CircumferenceBelowKnee', 'FootCircumferenceBall'] as const),
      ...(['FootCircumferenceInstep', 'KneeCircumference', 'NeckCircumference'] as const),
      ...(['NeckCircumferenceAdamsApple', 'ThighCircumferenceBelowButtock'] as const),
      ...(['ThighCircumferenceMidpoint', 'UpperArmCircumferenceMidpoint'] as const),
    ],
  },
  {
    why: 'Surface lengths of the trunk, measured on the skin: no figure was found',
    names: ['DorsomLength', 'FrontOfNeckToWaistLength'],
  },
];
