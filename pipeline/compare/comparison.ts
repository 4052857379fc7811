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

/** One cell of the grid and how it moved. */
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

/** A dimension and gender; names of one dimension count as the first of them. */
export interface MovedDimension extends Movements {
  readonly measurement: string;
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

/** What a rule found to be more than gradual change. */
export interface Jump {
  readonly rule: 'median' | 'tail' | 'step' | 'model' | 'correlation' | 'allowance';
  /** Dimension and gender, or pair, it is about. */
  readonly what: string;
  /** How many cells, pairs or values break the rule. */
  readonly count: number;
  readonly detail: string;
}

/** A version as its manifest names it. */
export interface ComparedVersion {
  readonly version: string;
  readonly referenceYear: number;
  readonly losses: readonly string[];
}

/** Everything that moved between two versions. */
export interface Comparison {
  readonly before: ComparedVersion;
  readonly after: ComparedVersion;
  readonly sources: Readonly<Record<'added' | 'removed' | 'changed', readonly string[]>>;
  /** Cells with a model in both versions. */
  readonly cells: number;
  readonly cellsMoved: number;
  readonly overall: Movements;
  /** Dimensions that moved, farthest mean first. */
  readonly byDimension: readonly MovedDimension[];
  readonly byCountry: readonly (Movements & { readonly country: string })[];
  readonly byAge: readonly (Movements & { readonly ageYears: number })[];
  /** The cells that moved farthest, one a dimension and gender. */
  readonly largest: readonly MovedCell[];
  readonly correlations: {
    readonly pairs: number;
    readonly meanAbs: number;
    readonly largest: readonly MovedCorrelation[];
  };
  /** Allowances that moved by more than rounding, farthest first. */
  readonly allowances: readonly MovedAllowance[];
  readonly jumps: readonly Jump[];
}

/**
 * What counts as a jump. They are alarms for people to look at, not part of the model: the first is
 * about what two surveys of one country differ by (docs/accuracy.md), the others what has been seen
 * to come of mistakes rather than of data.
 */
export const JUMP = {
  /** A cell's median moved by more, SD. */
  medianSd: 0.25,
  /** A cell's P5 or P95 moved by more, SD. */
  tailSd: 0.4,
  /** A step between ages stands out from its neighbours by so much more than before, SD. */
  stepSd: 0.1,
  correlation: 0.1,
  allowanceMm: 5,
} as const;

/** Versions that cannot be compared; the message says why. */
export class CompareRefusal extends Error {
  override readonly name = 'CompareRefusal';
}
