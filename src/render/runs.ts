import type { MeasurementName } from '../core/measurements.js';
import type { ViewName } from './frames.js';

/** The direction of a measurement from its first landmark to its second. */
export type Along = 'vertical' | 'horizontal' | 'straight' | 'around' | 'surface';

/** The line of a measurement, from one landmark of a view to another. */
export interface Run {
  readonly view: ViewName;
  readonly along: Along;
  readonly from: string;
  readonly to: string;
  /** Landmarks on the way of a surface length. */
  readonly via: readonly string[];
  /** The position of a vertical or horizontal line. By default, it passes through the second landmark. */
  readonly at?: Side | BesideLandmark;
}

/** Outside the body. */
export type Side = 'left' | 'right' | 'above' | 'below';

/** A position beside a landmark. The distance is a share of the size of the drawing. */
export interface BesideLandmark {
  readonly near: string;
  readonly by: number;
}

function run(
  view: ViewName,
  along: Along,
  from: string,
  to: string,
  { via = [], at }: { at?: Run['at']; via?: readonly string[] } = {},
): Run {
  return { view, along, from, to, via, ...(at === undefined ? {} : { at }) };
}

/** Behind the body, for the lines of heights. */
const LEFT = { at: 'left' } as const;
const beside = (near: string, by: number) => ({ at: { near, by } }) as const;

const height = (to: string) => run('standingFront', 'vertical', 'floor', to, LEFT);
const seated = (to: string) => run('sittingSide', 'vertical', 'seat', to, LEFT);
const sittingDepth = (from: string, to: string, place: { at?: Run['at'] } = {}) =>
  run('sittingSide', 'horizontal', from, to, place);
const sittingHeight = (from: string, to: string, place: { at?: Run['at'] } = {}) =>
  run('sittingSide', 'vertical', from, to, place);
const across = (part: 'chest' | 'hip' | 'deltoid' | 'acromion' | 'nipple' | 'elbowOuter') =>
  run('standingFront', 'horizontal', `${part}Right`, `${part}Left`);
const girth = (from: string, to: string) => run('standingFront', 'around', from, to);
const behindHead = (to: string) => run('headSide', 'horizontal', 'backOfHead', to);
const belowCrown = (to: string) => run('headSide', 'vertical', 'topOfHead', to, { at: 'right' });
const face = (from: string, to: string) => run('headFront', 'horizontal', from, to);
const hand = (from: string, to: string, along: Along = 'straight') =>
  run('handPalm', along, from, to);
const depth = (from: string, to: string) => run('standingSide', 'horizontal', from, to);
const forward = (from: string, to: string) =>
  run('standingReach', 'horizontal', from, to, beside('acromion', -0.07));

/** The line of each measurement. `src/core/measurements.ts` defines the measurements in words. */
export const RUNS: Readonly<Record<MeasurementName, Run>> = {
  AbdominalDepth: sittingDepth('backPlane', 'abdomen'),
  ArmRestHeight: seated('elbowUnderside'),
  BackOfHeadToChin: behindHead('chin'),
  BackOfHeadToEye: behindHead('eye'),
  BackOfHeadToLip: behindHead('stomion'),
  BackOfHeadToNoseTip: behindHead('noseTip'),
  BackOfHeadToSelion: behindHead('sellion'),
  BackOfHeadToTragion: behindHead('tragion'),
  Biocular: face('eyeRight', 'eyeLeft'),
  BitragionWidth: face('tragionRight', 'tragionLeft'),
  ButtockKneeLength: sittingDepth('buttock', 'kneeFront'),
  ButtockPoplitealLength: sittingDepth('buttock', 'kneeBack', beside('seat', 0.03)),
  ChestBreadth: across('chest'),
  ChestDepth: depth('chestBack', 'chestFront'),
  CrotchHeight: run('standingFront', 'vertical', 'floor', 'crotch'),
  DorsomLength: run('standingSide', 'surface', 'c7', 'waistBack', {
    via: ['scapula', 'backBetween'],
  }),
  EarLength: run('headSide', 'straight', 'earTop', 'earLobe'),
  ElbowFingertipLength: sittingDepth('elbowBack', 'fingertip'),
  ElbowHeight: height('radiale'),
  ElbowSpan: run('standingAkimbo', 'horizontal', 'elbowRight', 'elbowLeft'),
  EyeBodyCentreDistance: run('standingSide', 'horizontal', 'midDepth', 'eye'),
  EyeHeight: height('eye'),
  EyeScalpDistance: belowCrown('eye'),
  EyeToSeat: seated('eye'),
  EyeToTableDistance: run('sittingTable', 'vertical', 'tableTop', 'eye', beside('tableTop', 0)),
  FingertipHeight: height('fingertip'),
  FootBreadth: run('footTop', 'vertical', 'ballLateral', 'ballMedial'),
  FootLength: run('footTop', 'horizontal', 'heel', 'longestToe', { at: 'above' }),
  ForearmLength: run('standingFront', 'straight', 'radiale', 'stylion'),
  ForeheadWidth: face('templeRight', 'templeLeft'),
  GripWidth: run('handGrip', 'horizontal', 'cylinderBack', 'cylinderFront'),
  HairLine: run('headFront', 'vertical', 'menton', 'hairline', { at: 'right' }),
  HandBreadth: hand('metacarpalUlnar', 'metacarpalRadial'),
  HandLength: run('handPalm', 'vertical', 'stylion', 'middleTip', { at: 'left' }),
  HeadBreadth: face('headRight', 'headLeft'),
  HeadGirth: run('headSide', 'around', 'backOfHeadGirth', 'aboveBrows'),
  HeadLength: run('headSide', 'horizontal', 'backOfHead', 'headFront'),
  HeadToGlabella: belowCrown('glabella'),
  HeadToNoseTip: belowCrown('noseTip'),
  HeadToTragion: belowCrown('tragion'),
  HighCounterHeight: run('standingHighCounter', 'vertical', 'floor', 'counterTop'),
  HipBreadth: across('hip'),
  HipHeight: height('trochanter'),
  IndexFingerLength: hand('indexBase', 'indexTip'),
  IndexFingerWidthPip: hand('indexPipUlnar', 'indexPipRadial'),
  IndexFingerWidthTip: hand('indexDistalUlnar', 'indexDistalRadial'),
  KneeHeight: sittingHeight('floor', 'kneeTop', beside('kneeFront', 0.04)),
  KnuckleHeight: height('knuckle'),
  LegLength: run('standingFront', 'vertical', 'floor', 'sittingLevel'),
  LegRoom: run('sittingTable', 'horizontal', 'tableEdge', 'kneeFront', beside('kneeTop', 0.05)),
  LipLength: face('mouthRight', 'mouthLeft'),
  LittleFingerLength: hand('littleBase', 'littleTip'),
  LittleFingerWidthPip: hand('littlePipUlnar', 'littlePipRadial'),
  LittleFingerWidthTip: hand('littleDistalUlnar', 'littleDistalRadial'),
  LowCounterHeight: run('standingLowCounter', 'vertical', 'floor', 'counterTop'),
  MaximumSeatLength: sittingDepth('buttock', 'seatFront', beside('seat', 0.03)),
  MaximumTableHeight: run('sittingHighTable', 'vertical', 'floor', 'tableTop'),
  MiddleFingerLength: hand('middleBase', 'middleTip'),
  MiddleFingerWidthPip: hand('middlePipUlnar', 'middlePipRadial'),
  MiddleFingerWidthTip: hand('middleDistalUlnar', 'middleDistalRadial'),
  NeckCircumference: run('headFront', 'around', 'neckRight', 'neckLeft'),
  NoseLength: run('headSide', 'straight', 'sellion', 'subnasale'),
  PalmLength: hand('stylion', 'middleBase'),
  PoplitealHeight: sittingHeight('floor', 'popliteal', beside('popliteal', -0.03)),
  RingFingerLength: hand('ringBase', 'ringTip'),
  RingFingerWidthPip: hand('ringPipUlnar', 'ringPipRadial'),
  RingFingerWidthTip: hand('ringDistalUlnar', 'ringDistalRadial'),
  SeatHeight: sittingHeight('floor', 'seat', LEFT),
  ShoulderBreadthBiacromial: across('acromion'),
  ShoulderBreadthBideltoid: across('deltoid'),
  ShoulderElbowLength: sittingHeight('elbowUnderside', 'acromion'),
  ShoulderGripLength: forward('acromion', 'gripCentre'),
  ShoulderHeight: height('acromionRight'),
  SittingDistance: sittingDepth('buttock', 'toeTip', { at: 'below' }),
  SittingElbowHeight: seated('elbowUnderside'),
  SittingEyeHeight: seated('eye'),
  SittingHeight: seated('topOfHead'),
  SittingHipBreadth: run('sittingFront', 'horizontal', 'hipRight', 'hipLeft'),
  SittingShoulderHeight: seated('acromion'),
  Span: run('standingSpan', 'horizontal', 'fingertipRight', 'fingertipLeft'),
  StandingHipBreadth: across('hip'),
  Stature: height('topOfHead'),
  ThighLength: run('standingFront', 'vertical', 'tibiale', 'trochanter'),
  ThighThickness: sittingHeight('thighUnderside', 'thighTop'),
  ThumbTipToCrotch: hand('thumbWeb', 'thumbTip'),
  TopOfHeadToStomion: belowCrown('stomion'),
  TrunkLength: seated('suprasternale'),
  UpperArmLength: run('standingFront', 'straight', 'acromionRight', 'radiale'),
  UpperLimbLength: forward('acromion', 'fingertip'),
  WorkReach: forward('wall', 'gripCentre'),
  WristWidth: hand('wristUlnar', 'wristRadial'),
  ShoulderToWristLength: run('standingFront', 'straight', 'acromionRight', 'stylion'),
  SittingUpperLegLength: sittingDepth('groin', 'kneecapTop', beside('thighTop', 0.02)),
  BackOfElbowToWristLength: sittingDepth('elbowBack', 'stylion'),
  ElbowToMiddleFingertipLength: sittingDepth('elbowBack', 'fingertip'),
  CreaseBehindKneeToAnkle: sittingHeight('malleolus', 'popliteal', beside('popliteal', -0.03)),
  ButtockToSoleSitting: run(
    'sittingLegStraight',
    'horizontal',
    'buttock',
    'sole',
    beside('seat', -0.06),
  ),
  OutsideLegLength: run('standingFront', 'vertical', 'floor', 'waistLeft', { at: 'right' }),
  MidShoulderToWaistLength: run('standingFront', 'vertical', 'waistMidShoulderLine', 'midShoulder'),
  ShoulderToFingertipHorizontal: forward('acromion', 'fingertip'),
  UpperLegLengthSitting: sittingDepth('buttock', 'kneeFront'),
  WaistToCrotchLength: run('standingFront', 'vertical', 'crotch', 'navel'),
  FrontOfNeckToWaistLength: run('standingSide', 'surface', 'frontOfNeck', 'waistFront', {
    via: ['breastbone', 'chestFront', 'rib'],
  }),
  ThumbLength: hand('thumbWeb', 'thumbTip'),
  VerticalGripReachStanding: run('standingOverhead', 'vertical', 'floor', 'gripCentre', {
    at: 'right',
  }),
  VerticalGripReachSitting: run('sittingOverhead', 'vertical', 'seat', 'gripCentre', {
    at: 'right',
  }),
  HorizontalPinchGripReach: forward('wall', 'pinch'),
  EarBreadth: run('headSide', 'straight', 'earBack', 'earFront'),
  HandGripHeightStanding: height('gripCentre'),
  NapeHeightSitting: seated('nape'),
  SacralHeightSitting: seated('sacrum'),
  C7HeightStanding: run('standingSide', 'vertical', 'floor', 'c7', LEFT),
  C7HeightSitting: seated('c7'),
  ArmpitHeightStanding: height('armpit'),
  JawWidth: face('jawRight', 'jawLeft'),
  MidShoulderHeightStanding: height('midShoulder'),
  MidShoulderHeightSitting: seated('midShoulder'),
  IndexFingerHeightStanding: height('indexTip'),
  WristCircumference: hand('wristUlnar', 'wristRadial', 'around'),
  HandCircumference: hand('metacarpalUlnar', 'metacarpalRadial', 'around'),
  FistCircumference: run('handFist', 'around', 'fistUlnar', 'fistRadial'),
  WaistHeightStanding: height('navel'),
  WaistHeightSitting: seated('navel'),
  WaistDepthStanding: depth('waistBack', 'waistFront'),
  FaceBreadth: face('cheekRight', 'cheekLeft'),
  NoseBreadth: face('nostrilRight', 'nostrilLeft'),
  InterNippleDistance: across('nipple'),
  ThighCircumferenceMidpoint: girth('midThighOuter', 'midThighInner'),
  UpperArmCircumferenceMidpoint: girth('upperArmOuter', 'upperArmInner'),
  NeckCircumferenceAdamsApple: run('headFront', 'around', 'neckRight', 'neckLeft'),
  HipCircumferenceMax: girth('hipRight', 'hipLeft'),
  MidHipCircumference: girth('midHipRight', 'midHipLeft'),
  ChestCircumferenceArmpit: girth('armpit', 'armpitLeft'),
  ChestCircumferenceNipple: girth('chestRight', 'chestLeft'),
  CalfCircumference: girth('calfOuter', 'calfInner'),
  KneeCircumference: girth('kneeOuter', 'kneeInner'),
  WaistCircumferenceAbdominal: girth('waistRight', 'waistLeft'),
  FemaleChestCircumferenceBelowBreasts: girth('underBreastRight', 'underBreastLeft'),
  FootHeight: run('footSide', 'vertical', 'floor', 'lateralMalleolus'),
  FootCircumferenceBall: run('footSide', 'around', 'ballSole', 'ballTop'),
  FootCircumferenceInstep: run('footSide', 'around', 'instepSole', 'instepTop'),
  ThighCircumferenceBelowButtock: girth('glutealOuter', 'glutealInner'),
  CircumferenceBelowKnee: girth('belowKneeOuter', 'belowKneeInner'),
  TrunkDepthAtButtocks: depth('buttock', 'abdomenAtButtocks'),
  ThighDepthSitting: sittingHeight('thighUnderside', 'thighTop'),
  ShoulderDepth: depth('armscyeBack', 'armscyeFront'),
  WholeBodyBreadthMax: across('elbowOuter'),
  WholeBodyDepthMax: run('standingSide', 'horizontal', 'mostRearward', 'mostForward', {
    at: 'above',
  }),
};
