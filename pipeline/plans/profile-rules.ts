import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import type { ClothingId, PostureId } from '../../src/core/profiles.js';
import type { Formula } from './plan.js';

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
  /** Factor on the published figure; 1 by default. */
  readonly factor?: number;
  /** Gender whose figure applies to both genders. By default, each gender has its own figure. */
  readonly figureOf?: Gender;
  /**
   * Landmark of the trunk that moves the dimension. The factor is the landmark's height above the seat
   * divided by that of the seventh cervical vertebra (at most 1, means of ANSUR 1988). A slump lowers the
   * landmark by that share.
   */
  readonly landmark?: MeasurementName;
}

const row = (condition: string, dimensions: string): AllowanceKey => ({ condition, dimensions });

/**
 * Formulas that replace a dimension's identity for profiles. The first formula whose parts all have a model
 * in the posture applies. An empty list means that no formula applies: `EyeBodyCentreDistance` lies within
 * the body, so clothes in front and behind do not move its middle.
 */
export const PROFILE_FORMULAS: Partial<Record<MeasurementName, readonly Formula[]>> = {
  EyeBodyCentreDistance: [],
  MidShoulderToWaistLength: [
    'MidShoulderHeightSitting - WaistHeightSitting',
    'MidShoulderHeightStanding - WaistHeightStanding',
  ],
};

/**
 * Dimensions from the floor or the sole. Sums of these (EyeHeight, LegLength, tables and counters) follow
 * through `identity` in the plan. Aliases follow the dimension that they name.
 */
const FROM_FLOOR: readonly MeasurementName[] = [
  ...(['Stature', 'ShoulderHeight', 'C7HeightStanding', 'ArmpitHeightStanding'] as const),
  ...(['ElbowHeight', 'WaistHeightStanding', 'HipHeight', 'CrotchHeight'] as const),
  ...(['KnuckleHeight', 'HandGripHeightStanding', 'FingertipHeight'] as const),
  ...(['VerticalGripReachStanding', 'KneeHeight'] as const),
  ...(['PoplitealHeight', 'FootHeight', 'ButtockToSoleSitting'] as const),
];

/** Dimensions from the seat, which clothing under the buttocks raises. */
const FROM_SEAT: readonly MeasurementName[] = [
  ...(['SittingHeight', 'SittingEyeHeight', 'SittingElbowHeight', 'TrunkLength'] as const),
  ...(['NapeHeightSitting', 'MidShoulderHeightSitting', 'WaistHeightSitting'] as const),
  ...(['SacralHeightSitting', 'VerticalGripReachSitting'] as const),
];

const TOP_OF_SHOULDER = ['ShoulderHeight', 'MidShoulderHeightSitting'] as const;
const CLEARANCE_BREADTHS = ['ChestBreadth', 'WholeBodyBreadthMax'] as const;
const HIPS = ['HipBreadth', 'SittingHipBreadth'] as const;
const DEPTHS = [
  ...(['ChestDepth', 'AbdominalDepth', 'WaistDepthStanding'] as const),
  ...(['TrunkDepthAtButtocks', 'WholeBodyDepthMax', 'ShoulderDepth'] as const),
] as const;
const COVERED_LENGTHS = [
  ...(['ShoulderElbowLength', 'ElbowFingertipLength', 'ButtockPoplitealLength'] as const),
  'ButtockToSoleSitting',
] as const;
const CHEST_GIRTHS = [
  ...(['ChestCircumferenceArmpit', 'ChestCircumferenceNipple'] as const),
  ...(['FemaleChestCircumferenceBelowBreasts', 'WaistCircumferenceAbdominal'] as const),
] as const;
const HIP_GIRTHS = ['HipCircumferenceMax'] as const;

const FLAT: readonly ClothingId[] = ['shoes', 'light_shoes'];
const HEELED: readonly ClothingId[] = ['heels'];
const SHOD: readonly ClothingId[] = [...FLAT, ...HEELED];
const LIGHT: readonly ClothingId[] = ['light', 'light_shoes'];
const WINTER: readonly ClothingId[] = ['winter'];

const LIGHT_LAYER = row(
  'light clothing',
  'ShoulderElbowLength; ButtockPoplitealLength; hip breadth; ChestDepth; SittingShoulderHeight',
);
const LIGHT_SHOULDERS = row('indoor clothing', 'ShoulderBreadthBideltoid');
const LIGHT_HIPS = row('light clothing', 'HipBreadth; SittingHipBreadth');
const HEAVY_BREADTH = row(
  'heavy outdoor clothing',
  'ShoulderBreadthBideltoid and other clearance breadths',
);
const HEAVY_HIPS = row('heavy outdoor (winter) clothing', 'HipBreadth; SittingHipBreadth');
const HEAVY_DEPTH = row('outdoor clothing', 'ChestDepth; AbdominalDepth');

/**
 * A girth grows by π × the mean growth of its breadth and its depth. This is exact for a circle. For an
 * ellipse as flat as a trunk, the error is at most 2 %.
 */
const HALF_PI = Math.PI / 2;

const adds = (
  profiles: readonly ClothingId[],
  allowance: AllowanceKey,
  names: readonly MeasurementName[],
): Rule<ClothingId> => ({ profiles, allowance, names });

function girths(
  profiles: readonly ClothingId[],
  names: readonly MeasurementName[],
  breadth: AllowanceKey,
  depth: AllowanceKey,
): Rule<ClothingId>[] {
  return [breadth, depth].map((allowance) => ({ profiles, allowance, names, factor: HALF_PI }));
}

/** Allowances of clothing. `nude` adds nothing. */
export const CLOTHING_RULES: readonly Rule<ClothingId>[] = [
  adds(
    FLAT,
    row('flat everyday shoes', 'all standing and sitting dimensions measured from the floor'),
    FROM_FLOOR,
  ),
  {
    ...adds(HEELED, row('shoes, general range', 'Stature and related floor heights'), FROM_FLOOR),
    figureOf: 'Female',
  },
  adds(SHOD, row('street shoes', 'FootLength'), ['FootLength']),
  adds(SHOD, row('street shoes', 'FootBreadth'), ['FootBreadth']),
  adds(LIGHT, LIGHT_SHOULDERS, ['ShoulderBreadthBideltoid', ...CLEARANCE_BREADTHS]),
  adds(LIGHT, LIGHT_HIPS, HIPS),
  adds(LIGHT, LIGHT_LAYER, [
    ...COVERED_LENGTHS,
    ...DEPTHS,
    ...TOP_OF_SHOULDER,
    'ButtockKneeLength',
    'ThighThickness',
  ]),
  ...girths(LIGHT, CHEST_GIRTHS, LIGHT_SHOULDERS, LIGHT_LAYER),
  ...girths(LIGHT, HIP_GIRTHS, LIGHT_HIPS, LIGHT_LAYER),
  adds(
    WINTER,
    row(
      'heavy (work) footwear',
      'Stature; EyeHeight; ShoulderHeight; ElbowHeight; HandGripHeightStanding; PoplitealHeight',
    ),
    FROM_FLOOR,
  ),
  adds(WINTER, row('heavy boots', 'FootLength'), ['FootLength']),
  adds(WINTER, row('heavy boots', 'FootBreadth'), ['FootBreadth']),
  adds(WINTER, row('heavy outdoor clothing', 'ShoulderBreadthBideltoid'), [
    'ShoulderBreadthBideltoid',
  ]),
  adds(WINTER, HEAVY_BREADTH, CLEARANCE_BREADTHS),
  adds(WINTER, HEAVY_HIPS, HIPS),
  adds(WINTER, row('heavy outdoor clothing', 'SittingShoulderHeight'), FROM_SEAT),
  adds(WINTER, row('heavy outdoor clothing', 'ThighThickness'), ['ThighThickness']),
  adds(WINTER, row('medium clothing', 'ButtockKneeLength'), ['ButtockKneeLength']),
  adds(WINTER, row('heavy clothing', 'same lengths; breadths and depths'), COVERED_LENGTHS),
  adds(WINTER, HEAVY_DEPTH, DEPTHS),
  ...girths(WINTER, CHEST_GIRTHS, HEAVY_BREADTH, HEAVY_DEPTH),
  ...girths(WINTER, HIP_GIRTHS, HEAVY_HIPS, HEAVY_DEPTH),
];

/**
 * Dimensions that move with each landmark of the trunk. Head and neck move with the seventh cervical
 * vertebra. An arm that hangs or is raised moves with the shoulder, because its bones keep their length.
 */
const ON_TRUNK: readonly {
  readonly landmark: MeasurementName;
  readonly standing?: readonly MeasurementName[];
  readonly sitting?: readonly MeasurementName[];
}[] = [
  {
    landmark: 'C7HeightSitting',
    standing: ['Stature', 'EyeHeight', 'C7HeightStanding'],
    sitting: ['SittingHeight', 'SittingEyeHeight', 'C7HeightSitting', 'NapeHeightSitting'],
  },
  {
    landmark: 'MidShoulderHeightSitting',
    standing: ['MidShoulderHeightStanding'],
    sitting: ['MidShoulderHeightSitting'],
  },
  {
    landmark: 'SittingShoulderHeight',
    standing: [
      ...(['ShoulderHeight', 'ElbowHeight', 'KnuckleHeight', 'FingertipHeight'] as const),
      ...(['HandGripHeightStanding', 'VerticalGripReachStanding'] as const),
    ],
    sitting: ['SittingShoulderHeight', 'SittingElbowHeight', 'VerticalGripReachSitting'],
  },
  { landmark: 'TrunkLength', sitting: ['TrunkLength'] },
  { landmark: 'ArmpitHeightStanding', standing: ['ArmpitHeightStanding'] },
  {
    landmark: 'WaistHeightSitting',
    standing: ['WaistHeightStanding'],
    sitting: ['WaistHeightSitting'],
  },
  { landmark: 'SacralHeightSitting', sitting: ['SacralHeightSitting'] },
];

const RELAXED = row('relaxed (comfortable) standing', 'Stature and stature-dependent heights');
const SLUMP = row('sitting slump', 'sitting heights above the seat');

/** Allowances of posture. Dimensions are measured in `standing_erect`, which adds nothing. */
export const POSTURE_RULES: readonly Rule<PostureId>[] = ON_TRUNK.flatMap(
  ({ landmark, standing = [], sitting = [] }): Rule<PostureId>[] => [
    { profiles: ['standing_relaxed'], allowance: RELAXED, names: standing, landmark },
    { profiles: ['sitting'], allowance: SLUMP, names: sitting, landmark },
  ],
);
