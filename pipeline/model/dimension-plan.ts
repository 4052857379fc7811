import type { MeasurementName } from '../../src/core/measurements.js';
import {
  alias,
  ansur1,
  ansur2,
  type DimensionPlan,
  headboard,
  like,
  plan,
  published,
  ratio,
  snyder,
  snyderRedefined,
} from './plan.js';

const HSIAO = 'Hsiao 2015, ratio to hand length';
const FAA_HSIAO = 'FAA Tech Ops 2006-08 (caliper) for the index finger, Hsiao 2015 between fingers';

/** The plan of each of the 148 names. */
export const DIMENSION_PLAN: Readonly<Record<MeasurementName, DimensionPlan>> = {
  AbdominalDepth: plan(ansur2, { childhood: like('WaistCircumferenceAbdominal') }),
  ArmRestHeight: plan(alias('SittingElbowHeight'), { ageMinYears: 2 }),
  BackOfHeadToChin: plan(headboard('chin_back_of_head', 'HeadLength'), {
    childhood: like('HeadLength'),
  }),
  BackOfHeadToEye: plan(
    published(
      [173.6, 6.3],
      [167.0, 6.1],
      'HeadLength',
      'ANSUR 1988 headboard ectoorbitale + 13.5 mm (USAF 1967 canthus offset)',
    ),
    { childhood: like('BackOfHeadToSelion') },
  ),
  BackOfHeadToLip: plan(headboard('stomion_back_of_head', 'HeadLength'), {
    childhood: like('HeadLength'),
  }),
  BackOfHeadToNoseTip: plan(headboard('pronasale_back_of_head', 'HeadLength'), {
    childhood: like('BackOfHeadToSelion'),
  }),
  BackOfHeadToSelion: plan(headboard('sellion_back_of_head', 'HeadLength'), { childhood: snyder }),
  BackOfHeadToTragion: plan(headboard('tragion_back_of_head', 'HeadLength'), { childhood: snyder }),
  Biocular: plan(
    published([90.1, 4.1], [86.6, 3.9], 'FaceBreadth', '3D Facial Norms, age 30 (Weinberg 2016)'),
    { childhood: like('FaceBreadth') },
  ),
  BitragionWidth: plan(headboard('bitragion_breadth', 'FaceBreadth'), { childhood: snyder }),
  ButtockKneeLength: plan(ansur2, { childhood: snyder }),
  ButtockPoplitealLength: plan(ansur2, { childhood: like('ButtockKneeLength') }),
  ChestBreadth: plan(ansur1, { childhood: snyderRedefined }),
  ChestDepth: plan(ansur2, { childhood: like('ChestCircumferenceNipple') }),
  CrotchHeight: plan(ansur2, { childhood: like('LegLength') }),
  DorsomLength: plan(ansur2, { childhood: like('TrunkLength'), trunkShare: 0.85 }),
  EarLength: plan(ansur2, { childhood: like('HeadLength') }),
  ElbowFingertipLength: plan(ansur2, { childhood: snyder }),
  ElbowHeight: plan(ansur2, {
    childhood: like('ShoulderHeight - UpperArmLength'),
    trunkShare: 0.85,
  }),
  ElbowSpan: plan(
    ratio('Span', [0.5285, 0.5285], [0.0466, 0.05], 'Bodyspace UK table (recalled)'),
    { childhood: like('2 UpperArmLength + ShoulderBreadthBiacromial'), ageMinYears: 2 },
  ),
  EyeBodyCentreDistance: plan(ansur2, { identity: '0.87 HeadLength - 0.5 ChestDepth' }),
  EyeHeight: plan(ansur2, { identity: 'SittingEyeHeight + LegLength' }),
  EyeScalpDistance: plan(ansur2, { identity: 'SittingHeight - SittingEyeHeight' }),
  EyeToSeat: plan(alias('SittingEyeHeight')),
  EyeToTableDistance: plan(ansur2, {
    identity: 'SittingEyeHeight - SittingElbowHeight',
    ageMinYears: 2,
  }),
  FingertipHeight: plan(ansur2, {
    childhood: like('ShoulderHeight - UpperLimbLength'),
    trunkShare: 0.85,
  }),
  FootBreadth: plan(ansur2, { childhood: snyder }),
  FootLength: plan(ansur2, { childhood: snyder }),
  ForearmLength: plan(ansur2, { childhood: snyder }),
  ForeheadWidth: plan(headboard('minimum_frontal_breadth', 'HeadBreadth'), {
    childhood: snyderRedefined,
  }),
  GripWidth: plan(
    ratio(
      'HandLength',
      [0.265, 0.268],
      [0.0801, 0.0804],
      'between Mexico 2024 and Bodyspace (recalled)',
    ),
    { childhood: like('MiddleFingerLength'), ageMinYears: 2 },
  ),
  HairLine: plan(headboard('menton_crinion_length', 'HeadToTragion'), {
    childhood: snyderRedefined,
  }),
  HandBreadth: plan(ansur2, { childhood: snyder }),
  HandLength: plan(ansur2, { childhood: snyder }),
  HeadBreadth: plan(ansur2, { childhood: snyder }),
  HeadGirth: plan(ansur2, { childhood: snyder }),
  HeadLength: plan(ansur2, { childhood: snyder }),
  HeadToGlabella: plan(headboard('glabella_top_of_head', 'HeadToTragion'), {
    childhood: like('HeadToTragion'),
  }),
  HeadToNoseTip: plan(
    published(
      [151.9, 8.4],
      [143.0, 8.0],
      'HeadToTragion',
      'ANSUR 1988 headboard pronasale to top of head; women inferred from alare and subnasale',
    ),
    { childhood: like('HeadToTragion') },
  ),
  HeadToTragion: plan(ansur2, { childhood: snyder }),
  HighCounterHeight: plan(alias('ElbowHeight'), { ageMinYears: 2 }),
  HipBreadth: plan(ansur2, { childhood: snyder }),
  HipHeight: plan(ansur2, { childhood: snyder }),
  IndexFingerLength: plan(
    ratio('HandLength', [0.3776, 0.3876], [0.0616, 0.0627], 'FAA Tech Ops 2006-08'),
    { childhood: snyder },
  ),
  IndexFingerWidthPip: plan(
    ratio('HandBreadth', [0.2386, 0.2338], [0.0616, 0.0656], 'FAA Tech Ops 2006-08 (caliper)'),
    { childhood: like('IndexFingerWidthTip') },
  ),
  IndexFingerWidthTip: plan(
    ratio('HandBreadth', [0.1788, 0.1863], [0.0633, 0.0616], 'Snyder 1977, ages 16 and over'),
    { childhood: snyder },
  ),
  KneeHeight: plan(ansur2, { childhood: snyder }),
  KnuckleHeight: plan(ansur2, {
    childhood: like('ShoulderHeight - UpperArmLength - ForearmLength - 0.48 HandLength'),
    trunkShare: 0.85,
  }),
  LegLength: plan(ansur2, { identity: 'Stature - SittingHeight' }),
  LegRoom: plan(ansur2, { identity: 'ButtockKneeLength - AbdominalDepth', ageMinYears: 2 }),
  LipLength: plan(
    published([51.6, 3.9], [49.2, 3.6], 'FaceBreadth', '3D Facial Norms, age 30 (Weinberg 2016)'),
    { childhood: snyder },
  ),
  LittleFingerLength: plan(ratio('HandLength', [0.33, 0.3306], [0.0658, 0.0718], HSIAO), {
    childhood: like('MiddleFingerLength'),
  }),
  LittleFingerWidthPip: plan(ratio('HandBreadth', [0.2081, 0.1997], [0.0707, 0.0641], FAA_HSIAO), {
    childhood: like('IndexFingerWidthTip'),
  }),
  LittleFingerWidthTip: plan(ratio('HandBreadth', [0.1559, 0.1591], [0.0652, 0.0645], FAA_HSIAO), {
    childhood: like('IndexFingerWidthTip'),
  }),
  LowCounterHeight: plan(alias('ElbowHeight'), { identity: 'ElbowHeight - 255', ageMinYears: 2 }),
  MaximumSeatLength: plan(alias('ButtockPoplitealLength'), {
    identity: 'ButtockPoplitealLength - 50',
    ageMinYears: 2,
  }),
  MaximumTableHeight: plan(ansur2, {
    identity: 'PoplitealHeight + SittingElbowHeight + 50',
    ageMinYears: 2,
  }),
  MiddleFingerLength: plan(ratio('HandLength', [0.4241, 0.4302], [0.0549, 0.0565], HSIAO), {
    childhood: snyder,
  }),
  MiddleFingerWidthPip: plan(ratio('HandBreadth', [0.2355, 0.2315], [0.0721, 0.0663], FAA_HSIAO), {
    childhood: like('MiddleFingerWidthTip'),
  }),
  MiddleFingerWidthTip: plan(
    ratio('HandBreadth', [0.1836, 0.1895], [0.0679, 0.0676], 'Snyder 1977, ages 16 and over'),
    { childhood: snyder },
  ),
  NeckCircumference: plan(ansur2, { childhood: snyder }),
  NoseLength: plan(headboard('subnasale_sellion_length', 'HeadToTragion'), { childhood: snyder }),
  PalmLength: plan(
    ratio(
      'HandLength',
      [0.576, 0.569],
      [0.0532, 0.0543],
      'Hsiao 2015; ANSUR II reads 7 mm long against it, USAF 1967 and Mexico 2024',
    ),
    { childhood: like('HandLength - MiddleFingerLength') },
  ),
  PoplitealHeight: plan(ansur2, { childhood: like('KneeHeight') }),
  RingFingerLength: plan(ratio('HandLength', [0.4028, 0.405], [0.0565, 0.0614], HSIAO), {
    childhood: like('MiddleFingerLength'),
  }),
  RingFingerWidthPip: plan(ratio('HandBreadth', [0.2281, 0.2212], [0.0697, 0.0636], FAA_HSIAO), {
    childhood: like('MiddleFingerWidthTip'),
  }),
  RingFingerWidthTip: plan(ratio('HandBreadth', [0.1709, 0.1762], [0.0662, 0.0652], FAA_HSIAO), {
    childhood: like('MiddleFingerWidthTip'),
  }),
  SeatHeight: plan(alias('PoplitealHeight'), { ageMinYears: 2 }),
  ShoulderBreadthBiacromial: plan(ansur2, { childhood: snyder }),
  ShoulderBreadthBideltoid: plan(ansur2, { childhood: snyder }),
  ShoulderElbowLength: plan(ansur2, { childhood: snyder }),
  ShoulderGripLength: plan(ansur2, {
    childhood: like('UpperArmLength + ForearmLength + 0.36 HandLength'),
  }),
  ShoulderHeight: plan(ansur2, { childhood: like('ArmpitHeightStanding'), trunkShare: 0.85 }),
  SittingDistance: plan(ansur2, {
    identity: 'ButtockPoplitealLength + 0.95 FootLength',
    ageMinYears: 2,
  }),
  SittingElbowHeight: plan(ansur2, {
    childhood: like('SittingShoulderHeight - ShoulderElbowLength'),
    trunkShare: 0.85,
  }),
  SittingEyeHeight: plan(ansur2, { childhood: snyder, trunkShare: 1 }),
  SittingHeight: plan(ansur2, { childhood: snyder, trunkShare: 1 }),
  SittingHipBreadth: plan(ansur2, { childhood: snyder }),
  SittingShoulderHeight: plan(ansur2, { identity: 'ShoulderHeight - LegLength' }),
  Span: plan(ansur2, {
    childhood: like('2 UpperLimbLength + ShoulderBreadthBiacromial'),
    ageMinYears: 2,
  }),
  StandingHipBreadth: plan(alias('HipBreadth')),
  Stature: plan(ansur2, { trunkShare: 1 }),
  ThighLength: plan(ansur2, { childhood: snyder }),
  ThighThickness: plan(ansur2, { childhood: snyder }),
  ThumbTipToCrotch: plan(ratio('HandLength', [0.318, 0.318], [0.065, 0.0642], 'Buryanov 2010'), {
    childhood: like('ThumbLength'),
  }),
  TopOfHeadToStomion: plan(headboard('stomion_top_of_head', 'HeadToTragion'), {
    childhood: like('HeadToTragion'),
  }),
  TrunkLength: plan(ansur2, { childhood: snyder, trunkShare: 0.85 }),
  UpperArmLength: plan(ansur2, { childhood: snyder }),
  UpperLimbLength: plan(ansur2, { identity: 'UpperArmLength + ForearmLength + HandLength' }),
  WorkReach: plan(ansur2, { childhood: snyderRedefined, ageMinYears: 2 }),
  WristWidth: plan(ratio('WristCircumference', [0.325, 0.325], [0.0594, 0.0596], 'Nag 2003'), {
    childhood: like('WristCircumference'),
  }),
  ShoulderToWristLength: plan(ansur2, { childhood: like('UpperArmLength + ForearmLength') }),
  SittingUpperLegLength: plan(ansur2, { childhood: like('ButtockKneeLength') }),
  BackOfElbowToWristLength: plan(ansur2, { identity: 'ElbowFingertipLength - HandLength' }),
  ElbowToMiddleFingertipLength: plan(alias('ElbowFingertipLength')),
  CreaseBehindKneeToAnkle: plan(ansur2, { identity: 'PoplitealHeight - FootHeight' }),
  ButtockToSoleSitting: plan(ansur2, { childhood: like('ButtockKneeLength + KneeHeight') }),
  OutsideLegLength: plan(alias('WaistHeightStanding')),
  MidShoulderToWaistLength: plan(ansur1, { childhood: like('TrunkLength'), trunkShare: 0.85 }),
  ShoulderToFingertipHorizontal: plan(alias('UpperLimbLength')),
  UpperLegLengthSitting: plan(alias('ButtockKneeLength')),
  WaistToCrotchLength: plan(ansur2, { identity: 'WaistHeightStanding - CrotchHeight' }),
  FrontOfNeckToWaistLength: plan(ansur2, { childhood: like('TrunkLength'), trunkShare: 0.85 }),
  ThumbLength: plan(ratio('HandLength', [0.3583, 0.3547], [0.0606, 0.0623], HSIAO), {
    childhood: snyder,
  }),
  VerticalGripReachStanding: plan(ansur1, { childhood: snyder, trunkShare: 0.85, ageMinYears: 2 }),
  VerticalGripReachSitting: plan(ansur2, {
    childhood: like('VerticalGripReachStanding - LegLength'),
    trunkShare: 0.85,
    ageMinYears: 2,
  }),
  HorizontalPinchGripReach: plan(ansur2, { childhood: like('WorkReach'), ageMinYears: 2 }),
  EarBreadth: plan(ansur2, { childhood: like('HeadLength') }),
  HandGripHeightStanding: plan(ansur2, {
    childhood: like('ShoulderHeight - ShoulderGripLength'),
    trunkShare: 0.85,
    ageMinYears: 2,
  }),
  NapeHeightSitting: plan(ansur2, {
    childhood: like('0.5 C7HeightSitting + 0.5 SittingHeight - 0.5 HeadToTragion'),
    trunkShare: 0.85,
  }),
  SacralHeightSitting: plan(ansur2, { childhood: like('WaistHeightStanding - LegLength') }),
  C7HeightStanding: plan(ansur2, { childhood: like('TrunkLength + LegLength'), trunkShare: 0.85 }),
  C7HeightSitting: plan(ansur2, { identity: 'C7HeightStanding - LegLength' }),
  ArmpitHeightStanding: plan(ansur2, { childhood: snyder, trunkShare: 0.85 }),
  JawWidth: plan(headboard('bigonial_breadth', 'FaceBreadth'), { childhood: like('FaceBreadth') }),
  MidShoulderHeightStanding: plan(ansur2, { identity: 'MidShoulderHeightSitting + LegLength' }),
  MidShoulderHeightSitting: plan(ansur1, {
    childhood: like('SittingShoulderHeight'),
    trunkShare: 0.85,
  }),
  IndexFingerHeightStanding: plan(ansur2, {
    childhood: like('ShoulderHeight - UpperArmLength - ForearmLength - 0.935 HandLength'),
    trunkShare: 0.85,
  }),
  WristCircumference: plan(ansur2, { childhood: snyder }),
  HandCircumference: plan(ansur2, { childhood: like('HandBreadth') }),
  FistCircumference: plan(
    ratio('HandBreadth', [3.233, 3.26], [0.0582, 0.0608], 'Snyder 1977, ages 16 and over'),
    { childhood: snyder },
  ),
  WaistHeightStanding: plan(ansur2, { childhood: snyder, trunkShare: 0.35 }),
  WaistHeightSitting: plan(ansur1, {
    childhood: like('WaistHeightStanding - LegLength'),
    trunkShare: 0.35,
  }),
  WaistDepthStanding: plan(ansur2, { childhood: like('WaistCircumferenceAbdominal') }),
  FaceBreadth: plan(ansur2, { childhood: snyder }),
  NoseBreadth: plan(headboard('nose_breadth', 'FaceBreadth'), { childhood: like('FaceBreadth') }),
  InterNippleDistance: plan(ansur1, { childhood: like('ChestBreadth') }),
  ThighCircumferenceMidpoint: plan(ansur2, { childhood: like('ThighCircumferenceBelowButtock') }),
  UpperArmCircumferenceMidpoint: plan(
    ratio(
      'BicepsCircumferenceFlexed',
      [0.94, 0.94],
      [0.0966, 0.1006],
      'USAF 1967 relaxed over flexed',
    ),
    { childhood: snyder },
  ),
  NeckCircumferenceAdamsApple: plan(alias('NeckCircumference')),
  HipCircumferenceMax: plan(ansur2, { childhood: snyder }),
  MidHipCircumference: plan(ansur2, {
    identity: '0.5 WaistCircumferenceAbdominal + 0.5 HipCircumferenceMax',
  }),
  ChestCircumferenceArmpit: plan(ansur1, { childhood: like('ChestCircumferenceNipple') }),
  ChestCircumferenceNipple: plan(ansur2, { childhood: snyder }),
  CalfCircumference: plan(ansur2, { childhood: snyder }),
  KneeCircumference: plan(ansur1, { childhood: like('CalfCircumference') }),
  WaistCircumferenceAbdominal: plan(ansur2, { childhood: snyder }),
  FemaleChestCircumferenceBelowBreasts: plan(ansur1, {
    childhood: like('ChestCircumferenceNipple'),
  }),
  FootHeight: plan(ansur2, { childhood: snyderRedefined }),
  FootCircumferenceBall: plan(ansur2, { childhood: like('FootBreadth') }),
  FootCircumferenceInstep: plan(
    ratio(
      'FootCircumferenceBall',
      [1.034, 1.034],
      [0.0514, 0.0517],
      'USAF 1967 men; women by the same ratio',
    ),
    { childhood: like('FootBreadth') },
  ),
  ThighCircumferenceBelowButtock: plan(ansur2, { childhood: snyder }),
  CircumferenceBelowKnee: plan(
    ratio('CalfCircumference', [0.94, 0.94], [0.0757, 0.0764], 'assumption; no source found'),
    { childhood: like('CalfCircumference') },
  ),
  TrunkDepthAtButtocks: plan(ansur2, { childhood: like('HipCircumferenceMax') }),
  ThighDepthSitting: plan(alias('ThighThickness')),
  ShoulderDepth: plan(ansur1, { childhood: like('ChestCircumferenceNipple') }),
  WholeBodyBreadthMax: plan(ansur2, { childhood: like('ShoulderBreadthBideltoid') }),
  WholeBodyDepthMax: plan(ansur2, { childhood: like('ChestCircumferenceNipple') }),
};
