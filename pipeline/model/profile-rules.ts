import type { MeasurementName } from '../../src/core/measurements.js';
import type { ClothingId, PostureId } from '../../src/core/profiles.js';

/** A published allowance, by its row in `data/raw/allowances`. */
export interface AllowanceKey {
  readonly condition: string;
  readonly dimensions: string;
}

/** Adds an allowance to dimensions under a profile. */
export interface Rule<Id extends string> {
  readonly profiles: readonly Id[];
  readonly allowance: AllowanceKey;
  readonly names: readonly MeasurementName[];
  /** Factor on the published figure where a dimension takes another share of it; 1 where not said. */
  readonly factor?: number;
}

const row = (condition: string, dimensions: string): AllowanceKey => ({ condition, dimensions });

/** Heights taken from the floor, standing and sitting. */
const FROM_FLOOR: readonly MeasurementName[] = [
  ...(['Stature', 'EyeHeight', 'ShoulderHeight', 'C7HeightStanding'] as const),
  ...(['MidShoulderHeightStanding', 'ArmpitHeightStanding', 'ElbowHeight'] as const),
  ...(['HighCounterHeight', 'LowCounterHeight', 'WaistHeightStanding'] as const),
  ...(['OutsideLegLength', 'HipHeight', 'CrotchHeight', 'KnuckleHeight'] as const),
  ...(['HandGripHeightStanding', 'FingertipHeight', 'IndexFingerHeightStanding'] as const),
  ...(['VerticalGripReachStanding', 'KneeHeight', 'PoplitealHeight', 'SeatHeight'] as const),
  ...(['MaximumTableHeight', 'FootHeight', 'ButtockToSoleSitting'] as const),
];

/** Heights above the seat that clothing under the buttocks raises. */
const FROM_SEAT: readonly MeasurementName[] = [
  ...(['SittingHeight', 'SittingEyeHeight', 'EyeToSeat', 'SittingElbowHeight'] as const),
  ...(['ArmRestHeight', 'C7HeightSitting', 'NapeHeightSitting'] as const),
  ...(['MidShoulderHeightSitting', 'WaistHeightSitting', 'SacralHeightSitting'] as const),
  ...(['VerticalGripReachSitting', 'MaximumTableHeight'] as const),
];

/** Standing heights that slumping lowers: all that hang on the trunk. */
const ON_TRUNK_STANDING: readonly MeasurementName[] = FROM_FLOOR.filter(
  (name) =>
    !['HipHeight', 'CrotchHeight', 'KneeHeight', 'PoplitealHeight', 'SeatHeight'].includes(name) &&
    !['MaximumTableHeight', 'FootHeight', 'ButtockToSoleSitting'].includes(name) &&
    !['WaistHeightStanding', 'OutsideLegLength'].includes(name),
);

/** Seated heights that slumping lowers. */
const ON_TRUNK_SITTING: readonly MeasurementName[] = [
  ...(['SittingHeight', 'SittingEyeHeight', 'EyeToSeat', 'SittingShoulderHeight'] as const),
  ...(['C7HeightSitting', 'NapeHeightSitting', 'MidShoulderHeightSitting', 'TrunkLength'] as const),
  ...(['VerticalGripReachSitting', 'SittingElbowHeight', 'ArmRestHeight'] as const),
  'MaximumTableHeight',
];

const CLEARANCE_BREADTHS = ['ChestBreadth', 'WholeBodyBreadthMax'] as const;
const HIPS = ['HipBreadth', 'StandingHipBreadth', 'SittingHipBreadth'] as const;
const TRUNK_DEPTHS = ['ChestDepth', 'AbdominalDepth', 'WaistDepthStanding'] as const;
const DEPTHS = [...TRUNK_DEPTHS, 'TrunkDepthAtButtocks', 'WholeBodyDepthMax'] as const;
const THIGHS = ['ThighThickness', 'ThighDepthSitting'] as const;
const BUTTOCK_KNEE = ['ButtockKneeLength', 'UpperLegLengthSitting'] as const;
const TRUNK_GIRTHS = [
  ...(['ChestCircumferenceArmpit', 'ChestCircumferenceNipple'] as const),
  ...(['FemaleChestCircumferenceBelowBreasts', 'WaistCircumferenceAbdominal'] as const),
  ...(['HipCircumferenceMax', 'MidHipCircumference'] as const),
] as const;

const SHOD: readonly ClothingId[] = ['shoes', 'light_shoes'];
const LIGHT: readonly ClothingId[] = ['light', 'light_shoes'];
const WINTER: readonly ClothingId[] = ['winter'];

const OUTDOOR_BREADTH = row(
  'heavy outdoor clothing',
  'ShoulderBreadthBideltoid and other clearance breadths',
);
const LIGHT_KAN = row(
  'light clothing',
  'ShoulderElbowLength; ButtockPoplitealLength; hip breadth; ChestDepth; SittingShoulderHeight',
);
/** Half the circumference of a circle per mm of diameter: a girth grows π × the mean of what its
 * breadth and its depth grow by. */
const HALF_PI = Math.PI / 2;

/** What clothing adds. `nude` adds nothing. */
export const CLOTHING_RULES: readonly Rule<ClothingId>[] = [
  {
    profiles: SHOD,
    allowance: row(
      'shoes, outdoor / semi-formal',
      'all standing and sitting dimensions measured from the floor',
    ),
    names: FROM_FLOOR,
  },
  {
    profiles: SHOD,
    allowance: row('street shoes', 'FootLength'),
    names: ['FootLength', 'SittingDistance'],
  },
  { profiles: SHOD, allowance: row('street shoes', 'FootBreadth'), names: ['FootBreadth'] },
  {
    profiles: LIGHT,
    allowance: row('indoor clothing', 'ShoulderBreadthBideltoid'),
    names: ['ShoulderBreadthBideltoid', ...CLEARANCE_BREADTHS],
  },
  {
    profiles: LIGHT,
    allowance: row('light clothing', 'HipBreadth; SittingHipBreadth'),
    names: HIPS,
  },
  {
    profiles: LIGHT,
    allowance: LIGHT_KAN,
    names: [
      'ShoulderElbowLength',
      'ButtockPoplitealLength',
      'MaximumSeatLength',
      'SittingShoulderHeight',
      ...DEPTHS,
      ...BUTTOCK_KNEE,
      ...THIGHS,
    ],
  },
  { profiles: LIGHT, allowance: LIGHT_KAN, names: TRUNK_GIRTHS, factor: HALF_PI },
  {
    profiles: LIGHT,
    allowance: row('indoor clothing', 'ShoulderBreadthBideltoid'),
    names: TRUNK_GIRTHS,
    factor: HALF_PI,
  },
  {
    profiles: WINTER,
    allowance: row(
      'heavy (work) footwear',
      'Stature; EyeHeight; ShoulderHeight; ElbowHeight; HandGripHeightStanding; PoplitealHeight',
    ),
    names: FROM_FLOOR,
  },
  {
    profiles: WINTER,
    allowance: row('street shoes', 'FootLength'),
    names: ['FootLength', 'SittingDistance'],
    factor: 4 / 3,
  },
  {
    profiles: WINTER,
    allowance: row('street shoes', 'FootBreadth'),
    names: ['FootBreadth'],
    factor: 3,
  },
  {
    profiles: WINTER,
    allowance: OUTDOOR_BREADTH,
    names: ['ShoulderBreadthBideltoid', ...CLEARANCE_BREADTHS],
  },
  {
    profiles: WINTER,
    allowance: row('heavy outdoor (winter) clothing', 'HipBreadth; SittingHipBreadth'),
    names: HIPS,
  },
  {
    profiles: WINTER,
    allowance: row('heavy outdoor clothing', 'SittingShoulderHeight'),
    names: ['SittingShoulderHeight'],
  },
  {
    profiles: WINTER,
    allowance: row('heavy outdoor clothing under the buttocks', 'SittingHeight'),
    names: FROM_SEAT,
  },
  { profiles: WINTER, allowance: row('heavy outdoor clothing', 'ThighThickness'), names: THIGHS },
  { profiles: WINTER, allowance: row('medium clothing', 'ButtockKneeLength'), names: BUTTOCK_KNEE },
  {
    profiles: WINTER,
    allowance: row('heavy clothing', 'same lengths; breadths and depths'),
    names: ['ShoulderElbowLength', 'ButtockPoplitealLength', 'MaximumSeatLength'],
  },
  {
    profiles: WINTER,
    allowance: row('outdoor clothing', 'ChestDepth; AbdominalDepth'),
    names: DEPTHS,
  },
  {
    profiles: WINTER,
    allowance: row('outdoor clothing', 'ChestDepth; AbdominalDepth'),
    names: TRUNK_GIRTHS,
    factor: HALF_PI,
  },
  { profiles: WINTER, allowance: OUTDOOR_BREADTH, names: TRUNK_GIRTHS, factor: HALF_PI },
];

/** What posture adds. `standing_erect` is the dimension's own measuring posture. */
export const POSTURE_RULES: readonly Rule<PostureId>[] = [
  {
    profiles: ['standing_relaxed'],
    allowance: row('relaxed (comfortable) standing', 'Stature and stature-dependent heights'),
    names: ON_TRUNK_STANDING,
  },
  {
    profiles: ['sitting'],
    allowance: row('sitting slump', 'sitting heights above the seat'),
    names: ON_TRUNK_SITTING,
  },
];
