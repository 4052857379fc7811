import type { Drawing } from '../../../drawing/drawing.js';
import type { ExactCall, Refusal } from '../shared/data-types.js';

/** The fields of an answer of `population_share` that the page shows. Shares are 0 to 1. */
export interface ShareAnswer {
  readonly people: number;
  readonly share: number;
  readonly numericalError: number;
  readonly limits: readonly {
    readonly measurement: string;
    readonly min?: number;
    readonly max?: number;
    readonly below: number;
    readonly above: number;
    readonly failsOnlyHere: number;
  }[];
}

/** A call of `population_share` and its answer. */
export interface ExactShare {
  readonly call: ExactCall;
  readonly answer: ShareAnswer;
}

/** Lengths of a measurement in mm at `FIT_PERCENTILES`, rounded for a picture. */
export interface FitCurve {
  readonly measurement: string;
  readonly valuesMm: readonly number[];
}

/** One population of the view. */
export interface FitPopulation {
  readonly label: string;
  /** Why the API refuses the population; the other fields are then absent. */
  readonly refusal?: Refusal;
  readonly share?: ExactShare;
  readonly curves?: readonly FitCurve[];
  /** Correlation of the normal scores of the plotted pair, in steps of 0.01. */
  readonly correlation?: number;
}

/** A person who stands or sits at the product in the picture. */
export interface FitPerson {
  /** Gender, age and country in words. */
  readonly who: string;
  /** The views of the product's picture. */
  readonly drawings: readonly Drawing[];
  readonly statureMm: number;
  /** What must be known of the drawings, in sentences. */
  readonly notes: readonly string[];
}

/** A call of `design_ranges` and its answer. */
export interface ExactRanges {
  readonly call: ExactCall;
  readonly answer: {
    readonly share: number;
    readonly ranges: readonly {
      readonly measurement: string;
      readonly min?: number;
      readonly max?: number;
    }[];
  };
}

/** What the Fit screen shows for a view. */
export interface FitData {
  readonly populations: readonly FitPopulation[];
  /**
   * Members of the first population at `FIT_PERSONS` of the product's first rule; absent for a box of limits
   * and where the model has no bodies. Null where the API refuses to describe one;
   * `busy` where too many computations are under way.
   */
  readonly persons?: readonly (FitPerson | null)[] | 'busy';
  /** All populations together; absent if it cannot be computed in one call. */
  readonly overall?: ExactShare;
  /** Ranges that serve the wanted share of all populations together. */
  readonly ranges?: ExactRanges;
  /** Whether the model has bodies to draw. */
  readonly hasBodies: boolean;
  /** Why there are no ranges or no overall share. */
  readonly notes: readonly string[];
  readonly artifactVersion: string;
}
