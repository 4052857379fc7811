/** Similar dimensions, such as the fingers of a hand, of which only some were measured. */
export interface Family {
  readonly measured: readonly string[];
  readonly others: readonly string[];
  /** The measured pair whose correlation all members have with each other. */
  readonly within: readonly [string, string];
}

/**
 * Families of similar dimensions. No survey here measured all fingers; Snyder 1977 measured two of them.
 * The other fingers correlate with these two, and with each other, as these two do. Their correlation with
 * any other dimension is the mean of these two. Snyder's finger diameters are the smallest hole that the
 * finger passes, so the middle joint determines them.
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
  // No survey has both lengths of the thumb, so they correlate as two fingers do.
  {
    measured: ['ThumbLength'],
    others: ['ThumbTipToCrotch'],
    within: ['IndexFingerLength', 'MiddleFingerLength'],
  },
];

/**
 * Dimensions that a survey defines differently (see its `SOURCE.md`). Their correlations come from that
 * survey only if no other survey has the pair.
 */
export const DIFFERENT_DEFINITIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  ansur1: new Set([
    ...['ButtockToSoleSitting', 'FrontOfNeckToWaistLength', 'SittingUpperLegLength'],
    ...['ThighLength', 'WorkReach'],
  ]),
  // Substitutes for dimensions that ANSUR I measures directly.
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

/** The NHANES variable of a dimension: the dimension itself, or the most similar one in the survey. */
export const NHANES_VARIABLE: Readonly<Record<string, string>> = {
  AbdominalDepth: 'SagittalAbdominalDiameter',
  CalfCircumference: 'CalfCircumference',
  HipCircumferenceMax: 'HipCircumferenceMax',
  ShoulderElbowLength: 'AcromionOlecranonLength',
  ThighCircumferenceMidpoint: 'ThighCircumferenceMidpoint',
  UpperArmCircumferenceMidpoint: 'UpperArmCircumferenceMidpoint',
  WaistCircumferenceAbdominal: 'WaistCircumferenceIliac',
};

/** Dimensions that all military surveys measure at the same landmarks. They show how far surveys differ. */
export const COMPARED_NAMES: readonly string[] = [
  ...['ArmpitHeightStanding', 'ButtockKneeLength', 'ButtockPoplitealLength', 'C7HeightStanding'],
  ...['CalfCircumference', 'ChestCircumferenceNipple', 'ChestDepth', 'CrotchHeight'],
  ...['ElbowFingertipLength', 'FaceBreadth', 'FootBreadth', 'FootCircumferenceBall', 'FootLength'],
  ...['ForearmLength', 'HandBreadth', 'HandCircumference', 'HandLength', 'HeadBreadth'],
  ...['HeadGirth', 'HeadLength', 'HipBreadth', 'HipCircumferenceMax', 'HipHeight', 'KneeHeight'],
  ...['NeckCircumference', 'PoplitealHeight', 'ShoulderBreadthBiacromial'],
  ...['ShoulderBreadthBideltoid', 'ShoulderElbowLength', 'ShoulderHeight', 'SittingElbowHeight'],
  ...['SittingEyeHeight', 'SittingHeight', 'SittingHipBreadth', 'Span', 'Stature'],
  ...['ThighCircumferenceBelowButtock', 'ThighThickness', 'TrunkDepthAtButtocks'],
  ...['UpperArmLength', 'WaistCircumferenceAbdominal', 'WaistDepthStanding'],
  ...['WaistHeightStanding', 'WristCircumference'],
];
