import type { MeasurementName } from '../../src/core/measurements.js';

/**
 * Readings that no survey measured: a similar dimension is modelled instead. The readings of design
 * names (counters, seats, tables) are this service's own.
 */
export const PROXY_READINGS: ReadonlySet<MeasurementName> = new Set<MeasurementName>([
  ...(['ArmRestHeight', 'BackOfHeadToEye', 'DorsomLength', 'EyeBodyCentreDistance'] as const),
  ...(['EyeToTableDistance', 'FootHeight', 'HighCounterHeight', 'KnuckleHeight'] as const),
  ...(['LegRoom', 'LowCounterHeight', 'MaximumSeatLength', 'MaximumTableHeight'] as const),
  ...(['MidHipCircumference', 'NapeHeightSitting', 'SacralHeightSitting', 'SeatHeight'] as const),
  ...(['ShoulderDepth', 'SittingDistance', 'SittingUpperLegLength'] as const),
  ...(['ThighCircumferenceMidpoint', 'WholeBodyBreadthMax', 'WholeBodyDepthMax'] as const),
]);
