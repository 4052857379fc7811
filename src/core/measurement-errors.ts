import { MEASUREMENTS, type MeasurementKind, type MeasurementName } from './measurements.js';

/**
 * Largest mean error of a dimension taken from a scan, compared with a skilled measurer, in mm (ISO 20685-1:2018,
 * maximum allowable error by type of measurement). This service uses it as the standard deviation of the error of one
 * measured value.
 */
const ERROR_MM = {
  height: 4,
  segment: 5,
  depth: 5,
  breadth: 4,
  largeGirth: 9,
  smallGirth: 4,
  hairyHead: 2,
  foot: 2,
  face: 1,
  hand: 1,
} as const;

type ErrorKind = keyof typeof ERROR_MM;

const BY_KIND: Readonly<Record<MeasurementKind, ErrorKind>> = {
  height: 'height',
  length: 'segment',
  breadth: 'breadth',
  depth: 'depth',
  circumference: 'largeGirth',
  reach: 'segment',
  face: 'face',
  finger: 'hand',
};

/** Dimensions whose type of measurement differs from that of their kind. */
const OTHERS: readonly (readonly [ErrorKind, readonly MeasurementName[]])[] = [
  [
    'hairyHead',
    [
      ...([
        'HeadGirth',
        'HeadLength',
        'HeadBreadth',
        'BitragionWidth',
        'EyeScalpDistance',
      ] as const),
      ...(['HeadToGlabella', 'HeadToNoseTip', 'HeadToTragion', 'TopOfHeadToStomion'] as const),
      ...(['BackOfHeadToChin', 'BackOfHeadToEye', 'BackOfHeadToLip'] as const),
      ...(['BackOfHeadToNoseTip', 'BackOfHeadToSelion', 'BackOfHeadToTragion'] as const),
    ],
  ],
  [
    'foot',
    [
      ...(['FootLength', 'FootBreadth', 'FootHeight'] as const),
      ...(['FootCircumferenceBall', 'FootCircumferenceInstep'] as const),
    ],
  ],
  ['hand', ['HandLength', 'HandBreadth', 'PalmLength', 'HandCircumference', 'FistCircumference']],
  [
    'smallGirth',
    [
      ...(['NeckCircumference', 'NeckCircumferenceAdamsApple', 'WristCircumference'] as const),
      ...(['UpperArmCircumferenceMidpoint', 'CalfCircumference', 'KneeCircumference'] as const),
      ...(['CircumferenceBelowKnee'] as const),
    ],
  ],
];

const KIND_OF: ReadonlyMap<string, ErrorKind> = new Map([
  ...MEASUREMENTS.map(({ name, kind }) => [name, BY_KIND[kind]] as const),
  ...OTHERS.flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
]);

/**
 * Standard deviation of the error of body mass and of BMI, as a share of the value. Together with the error of stature,
 * their identity has an error of 1.25 %. `MASS_TOLERANCE` is therefore `TOLERANCE_SD` of these errors, as in sums of
 * lengths.
 */
const MASS_ERROR_SHARE = 0.008;

/**
 * Values agree with a sum if they differ by at most this number of standard deviations of its error: 30 mm for stature
 * and its parts.
 */
export const TOLERANCE_SD = 4;

/** Share by which body mass may differ from BMI × stature², in addition to the rounding of the values. */
export const MASS_TOLERANCE = 0.05;

/**
 * Standard deviation of the error of a measured value: mm, or for `BodyMass` and `BMI` a share of the value.
 *
 * @param name of a dimension, `BodyMass` or `BMI`
 */
export function measurementError(name: string): number {
  const kind = KIND_OF.get(name);
  return kind === undefined ? MASS_ERROR_SHARE : ERROR_MM[kind];
}
