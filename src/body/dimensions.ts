import type { Gender } from '../core/genders.js';
import type { MeasurementName } from '../core/measurements.js';

/** How a dimension is measured; the fit weighs the kinds by their own accuracy. */
export type DimensionKind = 'stature' | 'fine' | 'length' | 'girth' | 'sitting';

/**
 * The dimensions that a body is asked for. Standing dimensions and the height of the knee shape the body;
 * the last five shape its sitting form.
 */
export const DIMENSIONS = {
  Stature: 'stature',
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

/** The asked dimensions in the order of reports. */
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly Dimension[];

/** The dimensions that shape the body itself. */
export const FITTED: readonly Dimension[] = DIMENSION_NAMES.filter(
  (name) => DIMENSIONS[name] !== 'sitting',
);

/** The dimensions that are measured on the sitting body. */
export const SITTING: readonly Dimension[] = [
  'KneeHeight',
  ...DIMENSION_NAMES.filter((name) => DIMENSIONS[name] === 'sitting'),
];

/** Density of the whole body with the air in its lungs, kg/l, from an age on: men, women. */
const DENSITIES: readonly (readonly [fromAge: number, male: number, female: number])[] = [
  [0, 1.0, 1.0],
  [5, 1.01, 1.0],
  [16, 1.02, 0.99],
  [30, 1.0, 0.98],
  [50, 0.99, 0.975],
];

/**
 * Mass over volume of a body with the air in its lungs, kg/l. The density without air is from Durnin and
 * Womersley 1974 (British Journal of Nutrition 32:77, table of means by age) for adults, and for children
 * it follows from fat and fat-free mass of Fomon et al. 1982 (American Journal of Clinical Nutrition
 * 35:1169). The air is the functional residual capacity of Quanjer et al. 1993 (European Respiratory
 * Journal 6, supplement 16:5). Rounded to 0.005. The means of the first two papers are recalled and were not
 * looked up again. The air was checked against the equations of the Global Lung Function Initiative (Hall et al.
 * 2021, European Respiratory Journal 57:2000289): 3.2 l for a man of 30 years and 1.76 m, 2.5 l for a woman of 30
 * years and 1.63 m, within 0.2 l of Quanjer's. `npm run bench -- --only body` compares the masses with those of
 * people.
 */
export function densityOf(gender: Gender, ageYears: number): number {
  const row = DENSITIES.filter(([from]) => ageYears >= from).at(-1);
  return gender === 'Male' ? (row?.[1] ?? 1) : (row?.[2] ?? 1);
}
