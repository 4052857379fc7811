import type { Stretch } from '../../reach/sitter.js';
import type { PageImage } from '../../site/pictures/addresses.js';
import type { ExactCall } from '../shared/data-types.js';

/** Percentiles of stature of the drawn people, and of reach. */
export const SHOWN = [5, 50, 95] as const;

/** Lengths at the percentiles of `SHOWN`, in mm. */
export interface Percentiles {
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

/** A demand in the answer of `reach_share`. Shares are from 0 to 1. */
export interface Met {
  readonly name: string;
  readonly share: number;
  readonly failsOnlyHere: number;
  /** What those who fail it lack; absent if nobody fails. */
  readonly lack?: Percentiles;
}

/** The fields of the answer of `reach_share` that the page shows, in mm. */
export interface ReachAnswer {
  readonly people: number;
  readonly share: number;
  readonly numericalError: number;
  readonly targets: readonly Met[];
  readonly see: readonly Met[];
  readonly clear: readonly Met[];
  readonly seat?: { readonly x?: Percentiles; readonly z?: Percentiles };
  readonly groups: readonly { readonly served: number }[];
  /** What the answer leaves out, in sentences. */
  readonly notes?: readonly string[];
}

/** Angles from which the people are seen in three dimensions, degrees. */
export const TURNS: readonly number[] = Array.from({ length: 12 }, (_, i) => 30 * i);

/** Images of a person from the place of the seat. In three dimensions, `turned` has one for each angle of `TURNS`. */
export interface PersonImages {
  readonly side: PageImage;
  readonly above: PageImage;
  readonly turned: readonly PageImage[];
}

/** One of the people, who is drawn. */
export interface DrawnPerson {
  readonly percentile: (typeof SHOWN)[number];
  /** Gender, age and country in words. */
  readonly who: string;
  readonly ageYears: number;
  /** The measurements that the figure needs, in mm. */
  readonly valuesMm: Readonly<Record<string, number>>;
  /** Absent without bodies. */
  readonly images?: PersonImages | undefined;
}

/** Curves of an envelope, in mm, one for each percentile of `SHOWN`. */
export type Curves = readonly (readonly (readonly [x: number, y: number, z: number])[])[];

/** How far people reach, in the coordinates of the erect body. */
export interface ShownEnvelope {
  /** In the vertical plane of the shoulder, and in the horizontal one. */
  readonly side: Curves;
  readonly above: Curves;
  readonly call: ExactCall;
}

/** What the picture shows besides the things of the view. */
export interface DrawnScene {
  /** Null if the API refuses to describe such a person. */
  readonly persons: readonly (DrawnPerson | null)[];
  /** The mean of what the model knows of shoulders. */
  readonly stretch: Stretch;
  /** Address of the Person screen with the body of the median person. */
  readonly medianPersonAddress: string;
  /** Absent for a scene without a hand. */
  readonly envelope?: ShownEnvelope;
}

/** The data of the Reach screen. */
export interface ReachData extends DrawnScene {
  readonly answer: ReachAnswer;
  readonly call: ExactCall;
  /** The people of all populations, in words. */
  readonly label: string;
  /** Price of the body of the median person who acts in the scene; absent if the scene asks nothing of a body. */
  readonly stanceCredits?: number;
  readonly artifactVersion: string;
}
