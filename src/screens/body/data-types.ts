import type { PagePicture } from '../../site/pictures/addresses.js';
import type { Figure } from '../../site/pictures/people-layout.js';
import type { ExactCall, MedianEvidence, PartsOf, Refusal } from '../shared/data-types.js';
import type { BodyView } from './address.js';

/** The exact numbers of one dimension from the API, in mm. On a sheet, body mass is in kg and BMI in kg/m². */
export interface BodyRow {
  readonly measurement: string;
  readonly meanMm: number;
  readonly sdMm: number;
  /** At `BODY_PERCENTILES`. */
  readonly valuesMm: readonly number[];
  /** How well the median is known, for the worst of the countries; absent if unknown. */
  readonly evidence?: MedianEvidence;
}

/** One population of the view. */
export interface BodyPopulation {
  readonly label: string;
  /** Why the API refuses the population. The other fields are then absent. */
  readonly refusal?: Refusal;
  /** The API call that returns the numbers of `rows`. */
  readonly call?: ExactCall;
  /** People counted. */
  readonly people?: number;
  readonly rows?: readonly BodyRow[];
  /** P5, P50 and P95 of the heights in the picture, in the order of `BANDS`, in rounded mm. */
  readonly bandsMm?: readonly (readonly number[])[];
  /** A small, a median and a large person; absent if the model has no bodies. */
  readonly persons?: readonly BodyPerson[];
}

/** A person of the picture. */
export interface BodyPerson extends Figure {
  /** Gender, age and country in words. */
  readonly who: string;
  /** Addresses of the pages that download the body; absent for people who wear something or lie. */
  readonly files?: Readonly<Record<'glb' | 'dxf', string>>;
}

/** The drawn person of a sheet. */
export interface SheetPerson {
  /** Gender, age and country in words. */
  readonly who: string;
  /** The views that show the dimensions, with their lines and numbers. */
  readonly pictures: readonly PagePicture[];
}

/** The data of the Body screen for a view. */
export interface BodyData {
  readonly populations: readonly BodyPopulation[];
  /** Whether the model has bodies to draw. */
  readonly hasBodies: boolean;
  /** Price of a person's body as a file; absent if no person has files. */
  readonly fileCredits?: number;
  /** The person of a sheet with the lines of the dimensions; absent if no person can be drawn. */
  readonly drawn?: SheetPerson | undefined;
  /** How the people of the picture are posed and seen. */
  readonly posture: BodyView['posture'];
  readonly side: BodyView['side'];
  /** Titles of the surveys behind the medians, as on the Fit screen. */
  readonly surveys: readonly string[];
  readonly artifactVersion: string;
}

/** What the parts of the screen draw. */
export type BodyParts = PartsOf<BodyView, BodyData>;

/** Percentiles of the figures and of the table. */
export const BODY_PERCENTILES = [5, 50, 95] as const;
