import type { Gender } from '../../src/core/genders.js';

/** How far cells moved from the older version to the newer one. */
export interface Movement {
  /** Mean over the cells, in SD of the dimension in the older version. */
  readonly meanSd: number;
  readonly meanAbsSd: number;
  readonly meanAbsMm: number;
  readonly maxAbsSd: number;
}

/** Movements of the three percentiles reported. */
export type Movements = Readonly<Record<'p5' | 'p50' | 'p95', Movement>>;

/** One cell of the grid and its movement. */
export interface MovedCell {
  readonly measurement: string;
  readonly gender: Gender;
  readonly country: string;
  readonly ageYears: number;
  readonly percentile: number;
  readonly beforeMm: number;
  readonly afterMm: number;
  readonly sd: number;
}

/** Movements of a dimension and gender. All names of one dimension count under the first name. */
export interface MovedDimension extends Movements {
  readonly measurement: string;
  /** All names of the dimension, the first of them first. */
  readonly names: readonly string[];
  readonly gender: Gender;
  readonly largest: MovedCell;
}

/** Correlation of two dimensions in one age group. */
export interface MovedCorrelation {
  readonly gender: Gender;
  readonly ageYears: number;
  readonly anchor: string;
  readonly linked: string;
  readonly before: number;
  readonly after: number;
}

/** Shift or added SD of a clothing or posture profile, mm at the reference stature. */
export interface MovedAllowance {
  readonly measurement: string;
  readonly gender: Gender;
  readonly profile: string;
  readonly what: 'shift' | 'sd';
  readonly beforeMm: number;
  readonly afterMm: number;
}

/** A change that a rule finds too large to be gradual. */
export interface Jump {
  readonly rule: 'median' | 'tail' | 'step' | 'model' | 'correlation' | 'allowance';
  /** The dimension and gender, or the pair. */
  readonly what: string;
  /** Number of cells, pairs or values that break the rule. */
  readonly count: number;
  readonly detail: string;
}

/** Minimum movement of a moved cell, in SD. Smaller movements change no decision. */
export const MOVED_SD = 0.01;

/**
 * Limits above which a change counts as a jump. Jumps are alarms for people to look at; they are not part of the model.
 * The first limit is about as large as the difference between two surveys of one country (docs/accuracy.md). Changes
 * above the other limits have so far come from mistakes, not from data.
 */
export const JUMP = {
  /** Movement of a cell's median, SD. */
  medianSd: 0.25,
  /** Movement of a cell's P5 or P95, SD. */
  tailSd: 0.4,
  /** Increase in the difference between a step and its neighbouring steps, SD. */
  stepSd: 0.1,
  correlation: 0.1,
  allowanceMm: 5,
} as const;

/** Versions that cannot be compared; the message says why. */
export class CompareRefusal extends Error {
  override readonly name = 'CompareRefusal';
}
