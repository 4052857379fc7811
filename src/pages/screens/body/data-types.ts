import type { Drawing } from '../../../drawing/drawing.js';
import type { ExactCall, MedianEvidence, Refusal } from '../shared/data-types.js';
import type { BodyView } from './address.js';

/** The exact numbers of one dimension, in mm: the API's answer. */
export interface BodyRow {
  readonly measurement: string;
  readonly meanMm: number;
  readonly sdMm: number;
  /** At `BODY_PERCENTILES`. */
  readonly valuesMm: readonly number[];
  /** How well the median is known: of the countries, the worst; absent if that is unknown. */
  readonly evidence?: MedianEvidence;
}

/** One population of the view. */
export interface BodyPopulation {
  readonly label: string;
  /** Why the API refuses the population; the other fields are then absent. */
  readonly refusal?: Refusal;
  /** The API call that returns the numbers of `rows`. */
  readonly call?: ExactCall;
  /** People counted. */
  readonly people?: number;
  readonly rows?: readonly BodyRow[];
  /** P5, P50 and P95 in mm of the heights of the picture, in the order of `BANDS`, rounded. */
  readonly bandsMm?: readonly (readonly number[])[];
  /** A small, a median and a large person; absent where the model has no bodies. */
  readonly persons?: readonly BodyPerson[];
  /** Whether nobody is drawn because too many computations are under way. */
  readonly isBusy?: boolean;
}

/** A person of the picture. */
export interface BodyPerson {
  /** Gender, age and country in words. */
  readonly who: string;
  readonly drawing: Drawing;
  /** What must be known of the drawing, in sentences. */
  readonly notes: readonly string[];
}

/** What the Body screen shows for a view. */
export interface BodyData {
  readonly populations: readonly BodyPopulation[];
  /** Whether the model has bodies to draw. */
  readonly hasBodies: boolean;
  /** How the people of the picture are posed and seen. */
  readonly posture: BodyView['posture'];
  readonly side: BodyView['side'];
  /** Titles of the surveys behind the medians, as the Fit screen has them. */
  readonly surveys: readonly string[];
  readonly artifactVersion: string;
}

/** Percentiles of the figures and of the table. */
export const BODY_PERCENTILES = [5, 50, 95] as const;
