import type { AnswerOf } from '../../operations/operation.js';
import type { reachShare } from '../../operations/reach-share.js';
import type { Stretch } from '../../reach/sitter.js';
import type { PageImage } from '../../site/pictures/addresses.js';
import type { ExactCall } from '../shared/data-types.js';

/** Percentiles of stature of the drawn people, and of reach. */
export const SHOWN = [5, 50, 95] as const;

/** The answer in mm. */
type ReachAnswer = AnswerOf<typeof reachShare>;

/** A demand in the answer. */
export type Met = ReachAnswer['targets'][number];

/** Lengths at the percentiles of `SHOWN`, in mm. */
export type Percentiles = NonNullable<Met['lack']>;

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
  /** Index of the person's population, which has a colour. */
  readonly series: number;
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
  readonly envelope?: ShownEnvelope;
}

/** The people of a scene that asks nothing yet. */
export interface EmptyScene extends DrawnScene {
  readonly answer?: undefined;
  readonly artifactVersion: string;
}

/** What is known of a scene without its people. */
export interface AnsweredScene {
  readonly answer: ReachAnswer;
  readonly call: ExactCall;
  /** The people of all populations, in words. */
  readonly label: string;
  /** Absent for a scene without a hand. */
  readonly envelope?: ShownEnvelope;
  /** Price of the body of the median person who acts in the scene; absent if the scene asks nothing of a body. */
  readonly stanceCredits?: number;
}

/** The data of a scene that asks something. */
export interface ReachData extends DrawnScene, AnsweredScene {
  readonly artifactVersion: string;
}
