import type { BodyLine } from '../../render/body-lines.js';
import type { PagePicture } from '../../site/pictures/addresses.js';
import type { ExactCall } from '../shared/data-types.js';

/** A dimension of the light body in mm, from the API: the asked value and the value of the body. */
export interface PersonReading {
  readonly measurement: string;
  readonly asked: number | null;
  readonly achieved: number;
  readonly difference: number | null;
}

/** The data of the Person screen for a view. */
export interface PersonData {
  /** Gender, age and country in words. */
  readonly who: string;
  /** How the person was found, in a sentence. */
  readonly source: string;
  /** Names of the boundary cases that the person belongs to, if any. */
  readonly cases?: readonly string[] | undefined;
  readonly pose: 'standing' | 'sitting';
  /** Positions of the vertices, in the form of `ShownBody`. */
  readonly positions: string;
  readonly lines: readonly BodyLine[];
  readonly seatMm?: number | undefined;
  /** A picture of the person, for browsers without scripts. */
  readonly picture: PagePicture;
  readonly readings: readonly PersonReading[];
  readonly massKg: number;
  readonly volumeLitres: number;
  readonly worstMm: number;
  /** The call that answers with the body as a file. */
  readonly call: ExactCall;
  /** Titles of the surveys behind the medians, as on the Fit screen; absent if unknown. */
  readonly surveys?: readonly string[] | undefined;
  readonly artifactVersion: string;
}

/** Dimensions that are drawn on the body if the visitor has chosen none. */
export const USUAL_MARKS = {
  standing: ['Stature', 'CrotchHeight', 'ChestCircumferenceNipple', 'HipCircumferenceMax'],
  sitting: ['SittingHeight', 'ButtockKneeLength', 'PoplitealHeight', 'SittingHipBreadth'],
} as const;
