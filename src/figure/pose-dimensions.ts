import type { MeasurementName } from '../core/measurements.js';

/** Medians in mm of the average body of `standing.ts`, which the drawings show. */
const AVERAGE_MM = {
  Stature: 1699,
  EyeHeight: 1585,
  TopOfHeadToStomion: 182,
  ShoulderHeight: 1394,
  ElbowHeight: 1071,
  WaistHeightStanding: 1017,
  CrotchHeight: 805,
  FingertipHeight: 641,
  FootHeight: 68,
  HeadBreadth: 151,
  HeadLength: 195,
  NeckCircumference: 368,
  ShoulderBreadthBiacromial: 391,
  ShoulderBreadthBideltoid: 489,
  WholeBodyBreadthMax: 548,
  ChestBreadth: 323,
  ChestDepth: 261,
  WaistCircumferenceAbdominal: 932,
  WaistDepthStanding: 231,
  HipBreadth: 361,
  TrunkDepthAtButtocks: 251,
  UpperArmCircumferenceMidpoint: 331,
  WristWidth: 55,
  HandLength: 187,
  HandBreadth: 84,
  ThighCircumferenceMidpoint: 548,
  CalfCircumference: 392,
  FootLength: 259,
  FootBreadth: 97,
  KneeHeight: 537,
  PoplitealHeight: 410,
  ThighThickness: 174,
  ButtockKneeLength: 610,
  ButtockPoplitealLength: 497,
  SittingHeight: 890,
  SittingEyeHeight: 777,
  SittingShoulderHeight: 585,
  SittingElbowHeight: 242,
  WaistHeightSitting: 233,
  SittingHipBreadth: 401,
  AbdominalDepth: 249,
  ElbowFingertipLength: 462,
} satisfies Partial<Record<MeasurementName, number>>;

/** Name of a dimension that a posed body follows. */
export type PoseMeasurement = keyof typeof AVERAGE_MM;

/** The dimensions that `posedBody` follows, standing or sitting. */
export const POSE_MEASUREMENTS = Object.keys(AVERAGE_MM) as readonly PoseMeasurement[];

/** Dimensions of a person in mm, by name. */
export type DimensionsMm = Readonly<Partial<Record<PoseMeasurement, number>>>;

/** Dimensions of a person, complete, and their ratios to the average body. */
export interface Pose {
  /** A dimension in mm. */
  mm(name: PoseMeasurement): number;
  /** A dimension as a multiple of the one of the average body. */
  ratio(name: PoseMeasurement): number;
}

/**
 * Completes dimensions: one that is missing is the average body's in proportion to the stature, and a
 * missing stature is the average body's.
 *
 * @throws RangeError if a dimension is not a positive number
 */
export function poseOf(dimensionsMm: DimensionsMm): Pose {
  const size = (dimensionsMm.Stature ?? AVERAGE_MM.Stature) / AVERAGE_MM.Stature;
  const mm = (name: PoseMeasurement): number => {
    const valueMm = dimensionsMm[name] ?? AVERAGE_MM[name] * size;
    if (valueMm > 0 && Number.isFinite(valueMm)) return valueMm;
    throw new RangeError(`${name} must be a positive number of mm, but is ${valueMm}`);
  };
  return { mm, ratio: (name) => mm(name) / AVERAGE_MM[name] };
}
