import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { DIMENSION_PLAN } from './dimension-plan.js';

/** Dimensions that limit the growth of a dimension that does not shrink. */
export interface Growth {
  /** Wholes that contain this dimension. The whole minus the dimension does not shrink either. */
  readonly within: readonly MeasurementName[];
  /** Parts of this dimension. The dimension minus the part does not shrink either. */
  readonly beyond: readonly MeasurementName[];
}

/** Kinds of dimension that bones decide. */
const SKELETAL_KINDS = new Set(['height', 'length', 'reach', 'finger']);
const SKELETAL_NAMES: ReadonlySet<string> = new Set(
  MEASUREMENTS.filter(({ kind }) => SKELETAL_KINDS.has(kind)).map(({ name }) => name),
);

/** Whether bones decide a dimension. */
export function isSkeletal(name: string): boolean {
  return SKELETAL_NAMES.has(name);
}

/** Wholes of a dimension. The difference of the two is another dimension, which the comment names. */
const WITHIN: Partial<Record<MeasurementName, MeasurementName[]>> = {
  SittingHeight: ['Stature'], // LegLength
  SittingEyeHeight: ['SittingHeight'], // EyeScalpDistance
  SittingElbowHeight: ['SittingEyeHeight'], // EyeToTableDistance
  HandLength: ['ElbowFingertipLength'], // BackOfElbowToWristLength
  FootHeight: ['PoplitealHeight'], // CreaseBehindKneeToAnkle
  CrotchHeight: ['WaistHeightStanding'], // WaistToCrotchLength
};
/** Parts of a dimension. The difference of the two is another dimension, which the comment names. */
const BEYOND: Partial<Record<MeasurementName, MeasurementName[]>> = {
  WaistHeightStanding: ['LegLength'], // WaistHeightSitting, SacralHeightSitting
};

/**
 * Dimensions of the skeleton that do not shrink while a child grows. Identities are left out, because they
 * follow from their parts. Stature is left out, because the covariates give it.
 */
export const GROWTH: ReadonlyMap<string, Growth> = new Map(
  MEASUREMENTS.filter(({ name }) => {
    const { basis, identity } = DIMENSION_PLAN[name];
    if (name === 'Stature' || identity !== undefined) return false;
    return isSkeletal(name) && basis.kind !== 'alias';
  }).map(({ name }) => [name, { within: WITHIN[name] ?? [], beyond: BEYOND[name] ?? [] }]),
);

/** Age from which Snyder 1977 gives a child's dimensions. Its youngest group is 2 to 3 years old. */
export const SURVEYED_FROM = 2.5;
/**
 * Ages between which the proportions and slopes of the genders part. Where only adults were measured, boys and girls
 * have the mean proportion of men and women before puberty. In Snyder 1977, nearly all dimensions of boys and girls
 * under 10 years are within 5 % of each other, relative to stature.
 */
export const PARTING = { from: 10, to: 18 } as const;

/** Age from which the child's spread turns into the adult's. */
export const SPREADING_FROM = 14;

/**
 * Age from which a step between surveys with the same definition is added gradually. Snyder's children are
 * at most 18 years old.
 */
export const JOINING_FROM = 17;
