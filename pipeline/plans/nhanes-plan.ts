import type { MeasurementName } from '../../src/core/measurements.js';

/** Whether a survey defines a variable as this service defines the dimension. */
export type Definition = 'same' | 'different';

/** A dimension that NHANES measures in the general population of the US. */
export interface NhanesDimension {
  readonly measurement: MeasurementName;
  /** The survey's variable. */
  readonly variable: string;
  /** The last survey period with that variable, written as the prefix of the age groups. */
  readonly period: '2011-2023/' | '1999-2006/';
  /** Youngest age measured, in years. It is one of `AGES_YEARS`. */
  readonly fromYears: number;
  /**
   * Where the level comes from. `same`: from NHANES. `different`: from the military survey, at that
   * survey's size and age. NHANES then gives only how the dimension varies with age, stature and BMI.
   */
  readonly definition: Definition;
  /** Dimension whose country departures this one takes, if national studies hardly measure this one. */
  readonly departsAs?: MeasurementName;
  /**
   * Military variable that is compared with this one. The difference between civilians and soldiers is
   * carried over to soft dimensions that NHANES does not measure. If the military definition is
   * `different`, only the change of that difference from the soldiers' own size and age is used.
   */
  readonly military?: { readonly variable: string; readonly definition: Definition };
}

/**
 * The dimensions that NHANES measures. NHANES takes the waist at the iliac crest, this service at the
 * navel; `fitWaistSite` moves it. Mason and Katzmarzyk 2009 (Obesity 17:1789) compared four sites, and
 * these two were nearest. NHANES takes the sagittal abdominal diameter lying, so only its shape is used.
 * BMXLEG, from the groin to the top of the kneecap, is SittingUpperLegLength. No difference of two heights
 * gives that length.
 */
export const NHANES_DIMENSIONS: readonly NhanesDimension[] = [
  {
    measurement: 'HipCircumferenceMax',
    variable: 'HipCircumferenceMax',
    period: '2011-2023/',
    fromYears: 12,
    definition: 'same',
    military: { variable: 'HipCircumferenceMax', definition: 'same' },
  },
  {
    measurement: 'WaistCircumferenceAbdominal',
    variable: 'WaistCircumferenceIliac',
    period: '2011-2023/',
    fromYears: 2,
    definition: 'same',
    military: { variable: 'WaistCircumferenceAbdominal', definition: 'different' },
  },
  {
    measurement: 'UpperArmCircumferenceMidpoint',
    variable: 'UpperArmCircumferenceMidpoint',
    period: '2011-2023/',
    fromYears: 0,
    definition: 'same',
    military: { variable: 'BicepsCircumferenceFlexed', definition: 'different' },
  },
  {
    measurement: 'CalfCircumference',
    variable: 'CalfCircumference',
    period: '1999-2006/',
    fromYears: 8,
    definition: 'same',
    military: { variable: 'CalfCircumference', definition: 'same' },
  },
  {
    measurement: 'ThighCircumferenceMidpoint',
    departsAs: 'ThighCircumferenceBelowButtock',
    variable: 'ThighCircumferenceMidpoint',
    period: '1999-2006/',
    fromYears: 8,
    definition: 'same',
    military: { variable: 'ThighCircumferenceMidpoint', definition: 'different' },
  },
  {
    measurement: 'AbdominalDepth',
    variable: 'SagittalAbdominalDiameter',
    period: '2011-2023/',
    fromYears: 8,
    definition: 'different',
  },
  {
    measurement: 'SittingUpperLegLength',
    variable: 'UpperLegLength',
    period: '2011-2023/',
    fromYears: 8,
    definition: 'same',
  },
];

/**
 * Dimensions that include soft tissue. The difference between civilians and soldiers in NHANES' girths is
 * carried over to those dimensions that NHANES does not measure. The list includes NHANES' own girths,
 * because an evaluation leaves them out one at a time.
 */
export const SOFT_DIMENSIONS: readonly MeasurementName[] = [
  'CalfCircumference',
  'ChestBreadth',
  'ChestCircumferenceArmpit',
  'ChestCircumferenceNipple',
  'ChestDepth',
  'CircumferenceBelowKnee',
  'FemaleChestCircumferenceBelowBreasts',
  'HipBreadth',
  'HipCircumferenceMax',
  'InterNippleDistance',
  'KneeCircumference',
  'NeckCircumference',
  'ShoulderBreadthBideltoid',
  'ShoulderDepth',
  'SittingHipBreadth',
  'ThighCircumferenceBelowButtock',
  'ThighCircumferenceMidpoint',
  'ThighThickness',
  'TrunkDepthAtButtocks',
  'UpperArmCircumferenceMidpoint',
  'WaistCircumferenceAbdominal',
  'WaistDepthStanding',
  'WholeBodyBreadthMax',
  'WholeBodyDepthMax',
];
