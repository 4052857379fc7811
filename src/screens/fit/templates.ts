import type { MeasurementName } from '../../core/measurements.js';

/** Limits for a start. Their values are those that serve the wanted share of the people. */
export interface Template {
  readonly title: string;
  readonly limits: readonly (readonly [MeasurementName, 'min' | 'max' | 'both'])[];
}

/** The limits of an address without any. */
export const START_LIMITS: Template['limits'] = [
  ['SittingHeight', 'max'],
  ['ButtockKneeLength', 'max'],
  ['SittingHipBreadth', 'max'],
];

/** Templates of things that are no product, in the order of the list. */
export const TEMPLATES: readonly Template[] = [
  {
    title: 'Handle',
    limits: [
      ['GripWidth', 'min'],
      ['HandBreadth', 'max'],
    ],
  },
  {
    title: 'Control panel',
    limits: [
      ['WorkReach', 'min'],
      ['SittingEyeHeight', 'both'],
      ['SittingShoulderHeight', 'min'],
    ],
  },
  {
    title: 'Gym machine',
    limits: [
      ['SittingHeight', 'both'],
      ['VerticalGripReachSitting', 'min'],
      ['ButtockKneeLength', 'max'],
    ],
  },
];
