/** Dimensions that have a column in both ANSUR surveys, measured at the same landmarks. */
export const PAIRED = [
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
] as const;
