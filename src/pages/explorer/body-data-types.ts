import type { ChartRefusal, ExactCall } from './chart-data-types.js';

/** The exact numbers of one dimension, in mm: the API's answer. */
export interface BodyRow {
  readonly measurement: string;
  readonly meanMm: number;
  readonly sdMm: number;
  /** At `BODY_PERCENTILES`. */
  readonly valuesMm: readonly number[];
  /** How well the median is known: of the countries, the worst; absent if that is unknown. */
  readonly evidence?: BodyEvidence;
}

/** How well a median is known. */
export interface BodyEvidence {
  /** From A, measured in the country, to D. */
  readonly grade: string;
  /** Half width of the 90 % interval of the median at the middle age, in mm. */
  readonly errorMm: number;
  readonly basis: string;
}

/** One population of the view. */
export interface BodyPopulation {
  readonly label: string;
  /** Why the API refuses the population; the other fields are then absent. */
  readonly refusal?: ChartRefusal;
  /** The API call that returns the numbers of `rows`. */
  readonly call?: ExactCall;
  /** People counted. */
  readonly people?: number;
  readonly rows?: readonly BodyRow[];
  /**
   * Dimensions in mm for the picture, in the order of `POSE_MEASUREMENTS`, rounded to the
   * millimetre: one list for each of `BODY_PERCENTILES`.
   */
  readonly posesMm?: readonly (readonly number[])[];
}

/** What the Body screen shows for a view. */
export interface BodyData {
  readonly populations: readonly BodyPopulation[];
  readonly artifactVersion: string;
}

/** Percentiles of the figures and of the table. */
export const BODY_PERCENTILES = [5, 50, 95] as const;
