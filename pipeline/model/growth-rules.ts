import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { DIMENSION_PLAN } from './dimension-plan.js';

/** How a dimension that does not shrink grows beside others. */
export interface Growth {
  /** Wholes whose rest, less this dimension, does not shrink either. */
  readonly within: readonly MeasurementName[];
  /** Parts of this dimension, of which the rest does not shrink either. */
  readonly beyond: readonly MeasurementName[];
}

/** Kinds of dimension that are of the skeleton. */
const SKELETAL = new Set(['height', 'length', 'reach', 'finger']);

/** Wholes by their parts, where another dimension is the rest between the two. */
const WITHIN: Partial<Record<MeasurementName, MeasurementName[]>> = {
  SittingHeight: ['Stature'], // LegLength
  SittingEyeHeight: ['SittingHeight'], // EyeScalpDistance
  SittingElbowHeight: ['SittingEyeHeight'], // EyeToTableDistance
  HandLength: ['ElbowFingertipLength'], // BackOfElbowToWristLength
  FootHeight: ['PoplitealHeight'], // CreaseBehindKneeToAnkle
  CrotchHeight: ['WaistHeightStanding'], // WaistToCrotchLength
};
const BEYOND: Partial<Record<MeasurementName, MeasurementName[]>> = {
  WaistHeightStanding: ['LegLength'], // WaistHeightSitting, SacralHeightSitting
};

/**
 * Dimensions of the skeleton that growth does not make smaller, those with a median of their own
 * (identities follow from their parts) but stature, which the drivers give.
 */
export const GROWTH: ReadonlyMap<string, Growth> = new Map(
  MEASUREMENTS.filter(({ name, kind }) => {
    const { basis, identity } = DIMENSION_PLAN[name];
    if (name === 'Stature' || identity !== undefined) return false;
    return SKELETAL.has(kind) && basis.kind !== 'alias';
  }).map(({ name }) => [name, { within: WITHIN[name] ?? [], beyond: BEYOND[name] ?? [] }]),
);
