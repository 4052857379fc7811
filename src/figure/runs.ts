import type { MeasurementName } from '../core/measurements.js';
import { footSide, footTop } from './foot.js';
import { handFist, handGrip, handPalm } from './hand.js';
import { headFront, headSide } from './head.js';
import {
  sittingFront,
  sittingHighTable,
  sittingLegStraight,
  sittingOverhead,
  sittingSide,
  sittingTable,
} from './sitting.js';
import {
  standingAkimbo,
  standingFront,
  standingHighCounter,
  standingLowCounter,
  standingOverhead,
  standingReach,
  standingSide,
  standingSpan,
} from './standing.js';

/** All drawings of bodies and their parts. */
export const VIEWS = {
  standingFront,
  standingSide,
  standingSpan,
  standingAkimbo,
  standingReach,
  standingOverhead,
  standingHighCounter,
  standingLowCounter,
  sittingSide,
  sittingFront,
  sittingTable,
  sittingHighTable,
  sittingLegStraight,
  sittingOverhead,
  headFront,
  headSide,
  handPalm,
  handFist,
  handGrip,
  footSide,
  footTop,
};

/** Name of a drawing. */
export type ViewName = keyof typeof VIEWS;

/** How a measurement leads from its first landmark to its second. */
export type Along = 'vertical' | 'horizontal' | 'straight' | 'around' | 'surface';

/** The line of a measurement, from one landmark of a view to another. */
export interface Run {
  readonly view: ViewName;
  readonly along: Along;
  readonly from: string;
  readonly to: string;
  /** Landmarks on the way of a surface length. */
  readonly via: readonly string[];
  /**
   * Where the line is drawn: its x if it is vertical, its y if it is horizontal. Without a value it
   * is drawn at the second landmark.
   */
  readonly at: number | undefined;
}

type LandmarkOf<V extends ViewName> = keyof (typeof VIEWS)[V]['landmarks'] & string;

function run<V extends ViewName>(
  view: V,
  along: Along,
  from: LandmarkOf<V>,
  to: LandmarkOf<V>,
  options: { at?: number; via?: readonly LandmarkOf<V>[] } = {},
): Run {
  return { view, along, from, to, via: options.via ?? [], at: options.at };
}

/** Positions beside the body where lines of heights are drawn. */
const LEFT = { at: -340 };
const BEHIND = { at: -215 };
const BEHIND_SEAT = { at: -225 };

const height = (to: LandmarkOf<'standingFront'>) =>
  run('standingFront', 'vertical', 'floor', to, LEFT);
const seated = (to: LandmarkOf<'sittingSide'>) =>
  run('sittingSide', 'vertical', 'seat', to, BEHIND_SEAT);
const across = (
  part: 'chest' | 'hip' | 'deltoid' | 'acromion' | 'nipple' | 'elbowOuter',
  at?: number,
) =>
  run('standingFront', 'horizontal', `${part}Right`, `${part}Left`, at === undefined ? {} : { at });
const girth = (from: LandmarkOf<'standingFront'>, to: LandmarkOf<'standingFront'>) =>
  run('standingFront', 'around', from, to);
const behindHead = (to: LandmarkOf<'headSide'>) => run('headSide', 'horizontal', 'backOfHead', to);
const belowCrown = (to: LandmarkOf<'headSide'>) =>
  run('headSide', 'vertical', 'topOfHead', to, { at: 245 });
const face = (from: LandmarkOf<'headFront'>, to: LandmarkOf<'headFront'>) =>
  run('headFront', 'horizontal', from, to);
const hand = (
  from: LandmarkOf<'handPalm'>,
  to: LandmarkOf<'handPalm'>,
  along: Along = 'straight',
) => run('handPalm', along, from, to);
const depth = (from: LandmarkOf<'standingSide'>, to: LandmarkOf<'standingSide'>) =>
  run('standingSide', 'horizontal', from, to);
const forward = (from: LandmarkOf<'standingReach'>, to: LandmarkOf<'standingReach'>, at = 1270) =>
  run('standingReach', 'horizontal', from, to, { at });

/** The line of each measurement; `measurements.ts` defines them in words. */
export const RUNS: Readonly<Record<MeasurementName, Run>> = {
  AbdominalDepth: run('sittingSide', 'horizontal', 'backPlane', 'abdomen'),
  ArmRestHeight: seated('elbowUnderside'),
  BackOfHeadToChin: behindHead('chin'),
  BackOfHeadToEye: behindHead('eye'),
  BackOfHeadToLip: behindHead('stomion'),
  BackOfHeadToNoseTip: behindHead('noseTip'),
  BackOfHeadToSelion: behindHead('sellion'),
  BackOfHeadToTragion: behindHead('tragion'),
  Biocular: face('eyeRight', 'eyeLeft'),
  BitragionWidth: face('tragionRight', 'tragionLeft'),
  ButtockKneeLength: run('sittingSide', 'horizontal', 'buttock', 'kneeFront'),
  ButtockPoplitealLength: run('sittingSide', 'horizontal', 'buttock', 'kneeBack', { at: 460 }),
  ChestBreadth: across('chest'),
  ChestDepth: depth('chestBack', 'chestFront'),
  CrotchHeight: run('standingFront', 'vertical', 'floor', 'crotch'),
  DorsomLength: run('standingSide', 'surface', 'c7', 'waistBack', {
    via: ['scapula', 'backBetween'],
  }),
  EarLength: run('headSide', 'straight', 'earTop', 'earLobe'),
  ElbowFingertipLength: run('sittingSide', 'horizontal', 'elbowBack', 'fingertip'),
  ElbowHeight: height('radiale'),
  ElbowSpan: run('standingAkimbo', 'horizontal', 'elbowRight', 'elbowLeft'),
  EyeBodyCentreDistance: run('standingSide', 'horizontal', 'midDepth', 'eye'),
  EyeHeight: height('eye'),
  EyeScalpDistance: belowCrown('eye'),
  EyeToSeat: seated('eye'),
  EyeToTableDistance: run('sittingTable', 'vertical', 'tableTop', 'eye', { at: 300 }),
  FingertipHeight: height('fingertip'),
  FootBreadth: run('footTop', 'vertical', 'ballLateral', 'ballMedial', { at: 175 }),
  FootLength: run('footTop', 'horizontal', 'heel', 'longestToe', { at: 70 }),
  ForearmLength: run('standingFront', 'straight', 'radiale', 'stylion'),
  ForeheadWidth: face('templeRight', 'templeLeft'),
  GripWidth: run('handGrip', 'horizontal', 'cylinderBack', 'cylinderFront'),
  HairLine: run('headFront', 'vertical', 'menton', 'hairline', { at: 110 }),
  HandBreadth: hand('metacarpalUlnar', 'metacarpalRadial'),
  HandLength: run('handPalm', 'vertical', 'stylion', 'middleTip', { at: -70 }),
  HeadBreadth: face('headRight', 'headLeft'),
  HeadGirth: run('headSide', 'around', 'backOfHeadGirth', 'aboveBrows'),
  HeadLength: run('headSide', 'horizontal', 'backOfHead', 'glabella'),
  HeadToGlabella: belowCrown('glabella'),
  HeadToNoseTip: belowCrown('noseTip'),
  HeadToTragion: belowCrown('tragion'),
  HighCounterHeight: run('standingHighCounter', 'vertical', 'floor', 'counterTop'),
  HipBreadth: across('hip'),
  HipHeight: height('trochanter'),
  IndexFingerLength: hand('indexBase', 'indexTip'),
  IndexFingerWidthPip: hand('indexPipUlnar', 'indexPipRadial'),
  IndexFingerWidthTip: hand('indexDistalUlnar', 'indexDistalRadial'),
  KneeHeight: run('sittingSide', 'vertical', 'floor', 'kneeTop', { at: 520 }),
  KnuckleHeight: height('knuckle'),
  LegLength: run('standingFront', 'vertical', 'floor', 'sittingLevel'),
  LegRoom: run('sittingTable', 'horizontal', 'tableEdge', 'kneeFront', { at: 600 }),
  LipLength: face('mouthRight', 'mouthLeft'),
  LittleFingerLength: hand('littleBase', 'littleTip'),
  LittleFingerWidthPip: hand('littlePipUlnar', 'littlePipRadial'),
  LittleFingerWidthTip: hand('littleDistalUlnar', 'littleDistalRadial'),
  LowCounterHeight: run('standingLowCounter', 'vertical', 'floor', 'counterTop'),
  MaximumSeatLength: run('sittingSide', 'horizontal', 'buttock', 'seatFront', { at: 460 }),
  MaximumTableHeight: run('sittingHighTable', 'vertical', 'floor', 'tableTop'),
  MiddleFingerLength: hand('middleBase', 'middleTip'),
  MiddleFingerWidthPip: hand('middlePipUlnar', 'middlePipRadial'),
  MiddleFingerWidthTip: hand('middleDistalUlnar', 'middleDistalRadial'),
  NeckCircumference: run('headFront', 'around', 'neckRight', 'neckLeft'),
  NoseLength: run('headSide', 'straight', 'sellion', 'subnasale'),
  PalmLength: hand('stylion', 'middleBase'),
  PoplitealHeight: run('sittingSide', 'vertical', 'floor', 'popliteal', { at: 310 }),
  RingFingerLength: hand('ringBase', 'ringTip'),
  RingFingerWidthPip: hand('ringPipUlnar', 'ringPipRadial'),
  RingFingerWidthTip: hand('ringDistalUlnar', 'ringDistalRadial'),
  SeatHeight: run('sittingSide', 'vertical', 'floor', 'seat', BEHIND_SEAT),
  ShoulderBreadthBiacromial: across('acromion'),
  ShoulderBreadthBideltoid: across('deltoid'),
  ShoulderElbowLength: run('sittingSide', 'vertical', 'elbowUnderside', 'acromion'),
  ShoulderGripLength: forward('acromion', 'gripCentre'),
  ShoulderHeight: height('acromionRight'),
  SittingDistance: run('sittingSide', 'horizontal', 'buttock', 'toeTip', { at: -60 }),
  SittingElbowHeight: seated('elbowUnderside'),
  SittingEyeHeight: seated('eye'),
  SittingHeight: seated('topOfHead'),
  SittingHipBreadth: run('sittingFront', 'horizontal', 'hipRight', 'hipLeft'),
  SittingShoulderHeight: seated('acromion'),
  Span: run('standingSpan', 'horizontal', 'fingertipRight', 'fingertipLeft'),
  StandingHipBreadth: across('hip'),
  Stature: height('topOfHead'),
  ThighLength: run('standingFront', 'vertical', 'tibiale', 'trochanter'),
  ThighThickness: run('sittingSide', 'vertical', 'thighUnderside', 'thighTop'),
  ThumbTipToCrotch: hand('thumbWeb', 'thumbTip'),
  TopOfHeadToStomion: belowCrown('stomion'),
  TrunkLength: seated('suprasternale'),
  UpperArmLength: run('standingFront', 'straight', 'acromionRight', 'radiale'),
  UpperLimbLength: forward('acromion', 'fingertip'),
  WorkReach: forward('wall', 'gripCentre'),
  WristWidth: hand('wristUlnar', 'wristRadial'),
  ShoulderToWristLength: run('standingFront', 'straight', 'acromionRight', 'stylion'),
  SittingUpperLegLength: run('sittingSide', 'horizontal', 'groin', 'kneecapTop', { at: 620 }),
  BackOfElbowToWristLength: run('sittingSide', 'horizontal', 'elbowBack', 'stylion'),
  ElbowToMiddleFingertipLength: run('sittingSide', 'horizontal', 'elbowBack', 'fingertip'),
  CreaseBehindKneeToAnkle: run('sittingSide', 'vertical', 'malleolus', 'popliteal', { at: 310 }),
  ButtockToSoleSitting: run('sittingLegStraight', 'horizontal', 'buttock', 'sole', { at: 340 }),
  OutsideLegLength: run('standingFront', 'vertical', 'floor', 'waistLeft', { at: 340 }),
  MidShoulderToWaistLength: run('standingFront', 'vertical', 'waistMidShoulderLine', 'midShoulder'),
  ShoulderToFingertipHorizontal: forward('acromion', 'fingertip'),
  UpperLegLengthSitting: run('sittingSide', 'horizontal', 'buttock', 'kneeFront'),
  WaistToCrotchLength: run('standingFront', 'vertical', 'crotch', 'navel'),
  FrontOfNeckToWaistLength: run('standingSide', 'surface', 'frontOfNeck', 'waistFront', {
    via: ['breastbone', 'chestFront', 'rib'],
  }),
  ThumbLength: hand('thumbWeb', 'thumbTip'),
  VerticalGripReachStanding: run('standingOverhead', 'vertical', 'floor', 'gripCentre', {
    at: 330,
  }),
  VerticalGripReachSitting: run('sittingOverhead', 'vertical', 'seat', 'gripCentre', { at: 330 }),
  HorizontalPinchGripReach: forward('wall', 'thumbTip'),
  EarBreadth: run('headSide', 'straight', 'earBack', 'earFront'),
  HandGripHeightStanding: height('gripCentre'),
  NapeHeightSitting: seated('nape'),
  SacralHeightSitting: seated('sacrum'),
  C7HeightStanding: run('standingSide', 'vertical', 'floor', 'c7', BEHIND),
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
  ThighDepthSitting: run('sittingSide', 'vertical', 'thighUnderside', 'thighTop'),
  ShoulderDepth: depth('armscyeBack', 'armscyeFront'),
  WholeBodyBreadthMax: across('elbowOuter'),
  WholeBodyDepthMax: run('standingSide', 'horizontal', 'mostRearward', 'mostForward', { at: 1770 }),
};
