import { MEASUREMENTS, type Measurement, type MeasurementName } from './measurements.js';

/** Names of the measurements of each region. Their order is the one in which people look for them. */
const NAMES = {
  'whole-body': `Stature SittingHeight EyeHeight SittingEyeHeight EyeToSeat EyeBodyCentreDistance
    WholeBodyBreadthMax WholeBodyDepthMax`,
  head: `HeadLength HeadBreadth HeadGirth BitragionWidth EyeScalpDistance HeadToGlabella HeadToNoseTip HeadToTragion
    TopOfHeadToStomion BackOfHeadToChin BackOfHeadToEye BackOfHeadToLip BackOfHeadToNoseTip BackOfHeadToSelion
    BackOfHeadToTragion HairLine FaceBreadth ForeheadWidth JawWidth Biocular NoseLength NoseBreadth LipLength
    EarLength EarBreadth`,
  trunk: `NeckCircumference NeckCircumferenceAdamsApple C7HeightStanding C7HeightSitting NapeHeightSitting ShoulderHeight
    SittingShoulderHeight MidShoulderHeightStanding MidShoulderHeightSitting ShoulderBreadthBiacromial
    ShoulderBreadthBideltoid ShoulderDepth ArmpitHeightStanding ChestBreadth ChestDepth ChestCircumferenceArmpit
    ChestCircumferenceNipple FemaleChestCircumferenceBelowBreasts InterNippleDistance TrunkLength DorsomLength
    FrontOfNeckToWaistLength MidShoulderToWaistLength WaistToCrotchLength WaistHeightStanding WaistHeightSitting
    WaistDepthStanding WaistCircumferenceAbdominal AbdominalDepth SacralHeightSitting MidHipCircumference HipBreadth
    StandingHipBreadth SittingHipBreadth HipCircumferenceMax TrunkDepthAtButtocks`,
  arm: `Span ElbowSpan WorkReach HorizontalPinchGripReach ShoulderToFingertipHorizontal VerticalGripReachStanding
    VerticalGripReachSitting UpperLimbLength ShoulderGripLength ShoulderToWristLength UpperArmLength ShoulderElbowLength
    ForearmLength BackOfElbowToWristLength ElbowFingertipLength ElbowToMiddleFingertipLength ElbowHeight
    SittingElbowHeight UpperArmCircumferenceMidpoint`,
  hand: `HandLength HandBreadth PalmLength HandCircumference FistCircumference GripWidth WristWidth WristCircumference
    ThumbLength ThumbTipToCrotch IndexFingerLength IndexFingerWidthPip IndexFingerWidthTip MiddleFingerLength
    MiddleFingerWidthPip MiddleFingerWidthTip RingFingerLength RingFingerWidthPip RingFingerWidthTip LittleFingerLength
    LittleFingerWidthPip LittleFingerWidthTip KnuckleHeight HandGripHeightStanding FingertipHeight
    IndexFingerHeightStanding`,
  leg: `LegLength OutsideLegLength CrotchHeight HipHeight ThighLength KneeHeight PoplitealHeight ButtockKneeLength
    UpperLegLengthSitting SittingUpperLegLength ButtockPoplitealLength ButtockToSoleSitting CreaseBehindKneeToAnkle
    ThighThickness ThighDepthSitting ThighCircumferenceBelowButtock ThighCircumferenceMidpoint KneeCircumference
    CircumferenceBelowKnee CalfCircumference`,
  foot: 'FootLength FootBreadth FootHeight FootCircumferenceBall FootCircumferenceInstep',
  workspace: `SeatHeight MaximumSeatLength ArmRestHeight MaximumTableHeight EyeToTableDistance LegRoom SittingDistance
    HighCounterHeight LowCounterHeight`,
} as const;

/** Id of a body region. */
export type RegionId = keyof typeof NAMES;

/** A part of the body, or the workspace around it, with its measurements. */
export interface BodyRegion {
  readonly id: RegionId;
  readonly title: string;
  readonly measurements: readonly Measurement[];
}

const TITLES: Readonly<Record<RegionId, string>> = {
  'whole-body': 'Whole body',
  head: 'Head and face',
  trunk: 'Neck, shoulders and trunk',
  arm: 'Arm and reach',
  hand: 'Hand and fingers',
  leg: 'Leg',
  foot: 'Foot',
  workspace: 'Seat, table and counter',
};

const BY_NAME = new Map<string, Measurement>(MEASUREMENTS.map((one) => [one.name, one]));

/** The regions from the whole body downwards. Each measurement belongs to exactly one region. */
export const BODY_REGIONS: readonly BodyRegion[] = (Object.keys(NAMES) as RegionId[]).map((id) => ({
  id,
  title: TITLES[id],
  measurements: NAMES[id].split(/\s+/).map((name) => {
    const found = BY_NAME.get(name);
    if (found === undefined) throw new Error(`no measurement is called ${name}`);
    return found;
  }),
}));

const REGION_OF = new Map(
  BODY_REGIONS.flatMap((region) => region.measurements.map(({ name }) => [name, region] as const)),
);

/** The region a measurement is taken in. */
export function regionOf(name: MeasurementName): BodyRegion {
  const found = REGION_OF.get(name);
  if (found === undefined) throw new Error(`${name} is in no body region`);
  return found;
}
