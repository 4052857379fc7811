import type { MeasurementName } from '../../src/core/measurements.js';

/** A dimension that NHANES measures in the general population of the US. */
export interface CivilianDimension {
  readonly measurement: MeasurementName;
  /** The survey's variable, and the period that took it last; as the age groups are prefixed. */
  readonly variable: string;
  readonly period: '2011-2023/' | '1999-2006/';
  /** Youngest age measured, in years. */
  readonly fromYears: number;
  /**
   * `same`: the survey's level is the dimension's. `other`: its shape over age, stature and BMI is,
   * but the level is that of the soldiers' survey, at the soldiers' own size and age.
   */
  readonly definition: 'same' | 'other';
  /** The dimension whose departures by country it shares, where national studies have hardly any. */
  readonly departsAs?: MeasurementName;
  /**
   * The soldiers' variable whose departure from civilians tells of the soft dimensions near it; of
   * one taken otherwise, only how the departure changes from the soldiers' own size and age counts.
   */
  readonly soldiers?: { readonly variable: string; readonly taken: 'alike' | 'otherwise' };
}

/**
 * What NHANES measures. The waist is taken at the iliac crest there and at the navel here: Mason and
 * Katzmarzyk 2009 (Obesity 17:1789) found the two sites the nearest of four. Sagittal abdominal
 * diameter is taken lying, so only its shape serves. BMXLEG, from the groin to the top of the
 * kneecap, is what SittingUpperLegLength names, and no difference of two heights is.
 */
export const CIVILIAN_DIMENSIONS: readonly CivilianDimension[] = [
  {
    measurement: 'HipCircumferenceMax',
    variable: 'HipCircumferenceMax',
    period: '2011-2023/',
    fromYears: 12,
    definition: 'same',
    soldiers: { variable: 'HipCircumferenceMax', taken: 'alike' },
  },
  {
    measurement: 'WaistCircumferenceAbdominal',
    variable: 'WaistCircumferenceIliac',
    period: '2011-2023/',
    fromYears: 2,
    definition: 'same',
    soldiers: { variable: 'WaistCircumferenceAbdominal', taken: 'otherwise' },
  },
  {
    measurement: 'UpperArmCircumferenceMidpoint',
    variable: 'UpperArmCircumferenceMidpoint',
    period: '2011-2023/',
    fromYears: 0,
    definition: 'same',
    soldiers: { variable: 'BicepsCircumferenceFlexed', taken: 'otherwise' },
  },
  {
    measurement: 'CalfCircumference',
    variable: 'CalfCircumference',
    period: '1999-2006/',
    fromYears: 8,
    definition: 'same',
    soldiers: { variable: 'CalfCircumference', taken: 'alike' },
  },
  {
    measurement: 'ThighCircumferenceMidpoint',
    departsAs: 'ThighCircumferenceBelowButtock',
    variable: 'ThighCircumferenceMidpoint',
    period: '1999-2006/',
    fromYears: 8,
    definition: 'same',
    soldiers: { variable: 'ThighCircumferenceMidpoint', taken: 'otherwise' },
  },
  {
    measurement: 'AbdominalDepth',
    variable: 'SagittalAbdominalDiameter',
    period: '2011-2023/',
    fromYears: 8,
    definition: 'other',
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
 * Dimensions in which flesh takes part: what NHANES' girths show of civilians is carried over to
 * those it does not measure, and to one of its own where an evaluation leaves that out.
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
