import type { MeasurementName } from '../../src/core/measurements.js';
import { parseFormula, type Term } from './formula.js';
import type { Formula } from './plan.js';

/**
 * A dimension that, in every person, is its base (a formula of other dimensions) plus or minus an excess.
 * Surveys of different people tell how the dimension and its base vary, so the difference of the two
 * inherits the errors of both. Where the excess is small, many people would have none. So the spread of the
 * excess is limited.
 */
export interface Excess {
  readonly name: MeasurementName;
  /** The rest of the dimension, without its excess. */
  readonly base: readonly Term[];
  /** 1 for a dimension above its base, −1 for one below. */
  readonly side: 1 | -1;
  /** Minimum distance of the median of the excess from 0, in standard deviations of the excess. */
  readonly clearance: number;
  /** Whether the medians of countries and infants may also be in the wrong order. */
  readonly medians: boolean;
}

/** Clearance at which 0.13 % of people have no excess, as in surveys (`orders.csv`). */
const CLEAR = 3;
/** Clearance of an excess that grows with BMI. The lower tail of such an excess is short. */
const SKEWED = 2.4;
/** Clearance for a dimension that no survey has, and for hips, which were measured on soldiers only. */
const ASSUMED = 4;
/**
 * Clearance at which 1.8 % of people have no excess: soldiers whose thighs are higher than their elbows.
 */
const LAP = 2.1;

function excess(
  name: MeasurementName,
  side: 1 | -1,
  base: Formula,
  { clearance = CLEAR, medians = false } = {},
): Excess {
  return { name, side, base: parseFormula(base), clearance, medians };
}

/**
 * Clearances at which 0.6 % and 0.5 % of people have no excess: men with a face as broad as the head, and
 * people with shoulders as high as C7.
 */
const FACES = 2.5;
const NECKS = 2.6;

/**
 * Dimensions with an excess. Each comes after those in its base. `src/core/constraints.ts` gives the
 * reasons.
 */
export const EXCESSES: readonly Excess[] = [
  excess('MidShoulderHeightSitting', 1, 'ShoulderHeight - Stature + SittingHeight'),
  excess('C7HeightStanding', 1, 'MidShoulderHeightSitting + Stature - SittingHeight', {
    clearance: NECKS,
  }),
  excess('HipHeight', 1, 'CrotchHeight'),
  excess('UpperArmLength', -1, 'ShoulderElbowLength'),
  excess('ForearmLength', -1, 'ElbowFingertipLength - HandLength', { medians: true }),
  excess('HandBreadth', -1, 'PalmLength'),
  excess('IndexFingerLength', -1, 'MiddleFingerLength'),
  excess('RingFingerLength', -1, 'MiddleFingerLength'),
  excess('ShoulderBreadthBideltoid', 1, 'ShoulderBreadthBiacromial', { clearance: SKEWED }),
  excess('WholeBodyBreadthMax', 1, 'ShoulderBreadthBideltoid', { clearance: SKEWED }),
  excess('SittingHipBreadth', 1, 'HipBreadth', { clearance: ASSUMED, medians: true }),
  excess('ThighCircumferenceBelowButtock', 1, 'ThighCircumferenceMidpoint'),
  excess('CircumferenceBelowKnee', -1, 'KneeCircumference', { clearance: ASSUMED }),
  excess('WorkReach', -1, 'HorizontalPinchGripReach'),
  excess('BackOfHeadToLip', -1, 'BackOfHeadToNoseTip'),
  excess('BackOfHeadToSelion', -1, 'BackOfHeadToNoseTip'),
  excess('BackOfHeadToEye', -1, 'BackOfHeadToSelion'),
  excess('FaceBreadth', -1, 'HeadBreadth', { clearance: FACES }),
  excess('JawWidth', -1, 'FaceBreadth'),
  excess('SittingElbowHeight', 1, 'ThighThickness', { clearance: LAP }),
];
