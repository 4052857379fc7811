import type { MeasurementName } from '../core/measurements.js';
import type { Bodies } from './bodies.js';

/** Dimensions that descend in this order in every person. */
const DESCENDING: readonly (readonly MeasurementName[])[] = [
  ['Stature', 'EyeHeight', 'ShoulderHeight', 'ElbowHeight', 'KnuckleHeight', 'FingertipHeight'],
  ['Stature', 'C7HeightStanding', 'ShoulderHeight', 'ArmpitHeightStanding'],
  ['WaistHeightStanding', 'CrotchHeight', 'KneeHeight', 'PoplitealHeight', 'FootHeight'],
  ['HipHeight', 'KneeHeight'],
  ['Stature', 'SittingHeight', 'SittingEyeHeight', 'SittingShoulderHeight', 'SittingElbowHeight'],
  ['SittingHeight', 'C7HeightSitting'],
  ['Stature', 'LegLength'],
  ['ButtockKneeLength', 'ButtockPoplitealLength'],
  ['UpperLimbLength', 'UpperArmLength'],
  ['ElbowFingertipLength', 'ForearmLength', 'HandLength', 'PalmLength'],
  ['HandLength', 'MiddleFingerLength'],
  ['FootLength', 'FootBreadth'],
  ['HeadGirth', 'HeadLength'],
  ['ShoulderBreadthBideltoid', 'ShoulderBreadthBiacromial'],
];

/** The orders as pairs of quantities, the larger one first. */
export function orderedPairs(
  bodies: Pick<Bodies, 'indexOf'>,
): readonly (readonly [number, number])[] {
  return DESCENDING.flatMap((chain) =>
    chain
      .slice(1)
      .map((below, i) => [bodies.indexOf(chain[i] as string), bodies.indexOf(below)] as const),
  );
}

/** Whether a person's values are positive and keep the orders; values without a model are not compared. */
export function isOrdered(
  pairs: readonly (readonly [number, number])[],
  values: Float64Array,
): boolean {
  for (const [above, below] of pairs) {
    if ((values[below] as number) > (values[above] as number)) return false;
  }
  for (const value of values) if (value <= 0) return false;
  return true;
}
