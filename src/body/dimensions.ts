import type { Gender } from '../core/genders.js';
import type { MeasurementName } from '../core/measurements.js';
import type { Pose } from './skeleton.js';

/** How a dimension is measured. The fit weights each kind by its accuracy. */
export type DimensionKind = 'stature' | 'fine' | 'length' | 'face' | 'girth' | 'sitting';

/**
 * The dimensions that a body can be asked for. Standing dimensions and the height of the knee determine the body's
 * shape; the last five determine its sitting form.
 */
export const DIMENSIONS = {
  Stature: 'stature',
  EyeHeight: 'face',
  C7HeightStanding: 'length',
  ShoulderHeight: 'length',
  WaistHeightStanding: 'length',
  CrotchHeight: 'length',
  UpperArmLength: 'fine',
  ForearmLength: 'fine',
  HandLength: 'fine',
  HandBreadth: 'fine',
  FootLength: 'fine',
  FootBreadth: 'fine',
  ShoulderBreadthBiacromial: 'length',
  ShoulderBreadthBideltoid: 'length',
  ChestBreadth: 'length',
  ChestDepth: 'length',
  StandingHipBreadth: 'length',
  TrunkDepthAtButtocks: 'length',
  WaistDepthStanding: 'length',
  InterNippleDistance: 'length',
  HeadLength: 'fine',
  HeadBreadth: 'fine',
  HeadGirth: 'girth',
  ForeheadWidth: 'face',
  NeckCircumference: 'girth',
  ChestCircumferenceNipple: 'girth',
  WaistCircumferenceAbdominal: 'girth',
  HipCircumferenceMax: 'girth',
  ThighCircumferenceBelowButtock: 'girth',
  KneeCircumference: 'girth',
  CalfCircumference: 'girth',
  UpperArmCircumferenceMidpoint: 'girth',
  WristCircumference: 'girth',
  KneeHeight: 'length',
  SittingHeight: 'sitting',
  ThighThickness: 'sitting',
  ButtockKneeLength: 'sitting',
  PoplitealHeight: 'sitting',
  SittingHipBreadth: 'sitting',
} as const satisfies Partial<Record<MeasurementName, DimensionKind>>;

/** Name of a dimension that a body is asked for. */
export type Dimension = keyof typeof DIMENSIONS;

/**
 * Dimensions of face, ears, elbows and the hollow of the knee. A body takes those that are known. Reports leave them
 * out, and a body is not refused if it differs in them.
 */
export const DETAIL_DIMENSIONS = [
  'Biocular',
  'FaceBreadth',
  'JawWidth',
  'NoseBreadth',
  'LipLength',
  'BitragionWidth',
  'HeadToGlabella',
  'HeadToNoseTip',
  'HeadToTragion',
  'TopOfHeadToStomion',
  'NoseLength',
  'EarLength',
  'EarBreadth',
  'BackOfHeadToEye',
  'BackOfHeadToTragion',
  'BackOfHeadToSelion',
  'BackOfHeadToNoseTip',
  'BackOfHeadToLip',
  'BackOfHeadToChin',
  'ShoulderElbowLength',
  'ElbowFingertipLength',
  'ButtockPoplitealLength',
] as const satisfies readonly MeasurementName[];
/** Name of a dimension that a body takes. */
export type BodyDimension = Dimension | (typeof DETAIL_DIMENSIONS)[number];

/** The asked dimensions in the order of reports. */
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly Dimension[];

/** All dimensions that a body takes. */
export const BODY_DIMENSIONS: readonly BodyDimension[] = [...DIMENSION_NAMES, ...DETAIL_DIMENSIONS];

/** The dimensions that shape the body itself. The height of the mouth makes a head as tall as it should be. */
export const FITTED: readonly BodyDimension[] = [
  ...DIMENSION_NAMES.filter((name) => DIMENSIONS[name] !== 'sitting'),
  'TopOfHeadToStomion',
];

/** The kind of a fitted dimension. */
export const kindOf = (name: BodyDimension): DimensionKind =>
  name in DIMENSIONS ? DIMENSIONS[name as Dimension] : 'face';

/** A girth that nobody asks for. It guides the shape, and reports leave it out. */
interface Guide {
  readonly name: string;
  /** It is estimated as this factor times the sum of some girths. */
  readonly factor: number | ((gender: Gender, ageYears: number) => number);
  readonly of: readonly Dimension[];
  /** Weight of the guide: the standard deviation of the estimate in the source, as a share of it, unless it says why not. */
  readonly sd:
    | number
    | ((ageYears: number, dimensions: ReadonlyMap<BodyDimension, number>) => number);
}

/**
 * Girths between those that are asked. Without these guides, the fit reaches the volume with a body that swells where
 * no tape lies.
 *
 * - Thigh: a least-squares fit to people of eight countries whom the model sampled with all three girths. The factor is
 *   0.541 for 1,000 children of 2 to 17 years, and 0.527 for 1,000 adults. The own factor of half of these people
 *   differs from it by less than 1.8 %. `test/body/guide.long.test.ts` computes the factor again.
 * - Forearm: least squares over people of surveys. It is 0.582 for 2,420 men of the USAF 1967 (arms extended), 0.582 for
 *   1,311 children of Snyder 1977, 0.580 for 4,082 men and 0.573 for 1,986 women of ANSUR II (both girths flexed).
 * - Elbow, extended: 0.901 of the relaxed upper arm in the USAF 1967; 0.823 and 0.849 of the flexed one for men and
 *   women of ANSUR I. The relaxed upper arm has 0.94 of the girth of the flexed one (USAF 1967).
 * - Natural waist: least squares over people of surveys, 0.453 for 1,774 men and 0.427 for 2,208 women of ANSUR I, and
 *   0.477, 0.465 and 0.451 for 335, 424 and 504 children of Snyder 1977 from 2, 7 and 12 years.
 * - Arm at the armpit: 0.993 and 1.037 of the flexed upper arm in ANSUR I, so 1.06 and 1.10 of the relaxed one.
 *
 * Elbow and armpit were measured on adults only. Their factors serve children, too.
 */
export const GUIDES: readonly Guide[] = [
  {
    name: 'ThighCircumferenceMidpoint',
    factor: (_, ageYears) => (ageYears < 18 ? 0.541 : 0.527),
    of: ['ThighCircumferenceBelowButtock', 'KneeCircumference'],
    sd: 0.032,
  },
  {
    name: 'ForearmCircumference',
    factor: 0.58,
    of: ['UpperArmCircumferenceMidpoint', 'WristCircumference'],
    sd: 0.04,
  },
  { name: 'ElbowCircumference', factor: 0.9, of: ['UpperArmCircumferenceMidpoint'], sd: 0.042 },
  {
    name: 'NaturalWaistCircumference',
    factor: (gender, ageYears) => {
      if (ageYears < 12) return ageYears < 7 ? 0.477 : 0.465;
      return gender === 'Male' ? 0.453 : 0.427;
    },
    of: ['ChestCircumferenceNipple', 'WaistCircumferenceAbdominal'],
    // Among people of surveys the SD is 0.045. With it, waists of adults swelled by 5 %, and small children got a belly
    // like a ball. Children whose depth of the waist is asked keep it, because the predicted depths contradict this girth.
    sd: (ageYears, dimensions) =>
      ageYears < 18 && dimensions.has('WaistDepthStanding') ? 0.045 : 0.025,
  },
  { name: 'ArmpitCircumference', factor: 1.08, of: ['UpperArmCircumferenceMidpoint'], sd: 0.045 },
];

/** The estimate of a guide, mm; undefined if a girth that it needs is not known. */
export function guideMm(
  { factor, of }: Guide,
  dimensions: ReadonlyMap<BodyDimension, number>,
  gender: Gender,
  ageYears: number,
): number | undefined {
  let sum = 0;
  for (const name of of) sum += dimensions.get(name) ?? Number.NaN;
  const own = typeof factor === 'number' ? factor : factor(gender, ageYears);
  return Number.isNaN(sum) ? undefined : own * sum;
}

/** The dimensions that are measured on the sitting body. */
export const SITTING: readonly Dimension[] = [
  'KneeHeight',
  ...DIMENSION_NAMES.filter((name) => DIMENSIONS[name] === 'sitting'),
];

/** The dimensions that a pose does not have. They are defined for another posture, or for arms that hang. */
export const MISSING: Readonly<Record<Pose, readonly Dimension[]>> = {
  standing: SITTING,
  a_pose: [
    ...(['ShoulderHeight', 'ShoulderBreadthBiacromial', 'ShoulderBreadthBideltoid'] as const),
    ...(['ChestBreadth', 'ChestDepth', 'ChestCircumferenceNipple'] as const),
    ...SITTING,
  ],
  sitting: [
    ...([
      'Stature',
      'EyeHeight',
      'C7HeightStanding',
      'ShoulderHeight',
      'WaistHeightStanding',
    ] as const),
    ...(['CrotchHeight', 'StandingHipBreadth', 'TrunkDepthAtButtocks'] as const),
    ...(['WaistDepthStanding', 'WaistCircumferenceAbdominal', 'HipCircumferenceMax'] as const),
    ...(['ThighCircumferenceBelowButtock', 'KneeCircumference', 'UpperArmLength'] as const),
  ],
};

/**
 * Density of the whole body including the air in its lungs, kg/l. Each row gives the age from which it applies, and the
 * values of men and women.
 */
const DENSITIES: readonly (readonly [fromAge: number, male: number, female: number])[] = [
  [0, 1.005, 1.0],
  [5, 1.005, 0.995],
  [16, 1.015, 0.995],
  [30, 1.0, 0.985],
  [50, 0.99, 0.975],
  [70, 0.98, 0.965],
];

/**
 * Density of a body including the air in its lungs, kg/l, rounded to 0.005. It depends on the fat fraction f, the
 * density F of the fat-free mass, and the air: mass ÷ (mass · (f ÷ 0.9 + (1 − f) ÷ F) + air).
 *
 * - Children: f is that of the reference children of Fomon et al. 1982 (American Journal of Clinical Nutrition 35:1169)
 *   to 10 years and of Haschke 1989 to 18, as in the package `bw` (github.com/INSP-RH/bw, `src/child_weight.cpp`). F is
 *   that of Weststrate and Deurenberg 1989 (American Journal of Clinical Nutrition 50:1104); it rises from 1.07 at 2
 *   years to 1.10 at 18.
 * - Adults: f is that of Deurenberg, Weststrate and Seidell 1991 (British Journal of Nutrition 65:105): 1.20 BMI + 0.23
 *   age − 10.8 for men − 5.4 percent, at 25 kg/m². They weighed 1,229 people under water. F is 1.1 (Siri 1956).
 * - Air: the functional residual capacity of the Global Lung Function Initiative (Hall et al. 2021, European
 *   Respiratory Journal 57:2000289) without its spline, extrapolated below 5 years.
 *
 * `npm run bench -- --only body` compares the masses with those of people.
 */
export function densityOf(gender: Gender, ageYears: number): number {
  const row = DENSITIES.filter(([from]) => ageYears >= from).at(-1);
  return gender === 'Male' ? (row?.[1] ?? 1) : (row?.[2] ?? 1);
}
