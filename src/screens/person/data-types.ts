import type { BodyLine } from '../../render/body-lines.js';
import { percentileText } from '../../site/labels.js';
import type { PagePicture } from '../../site/pictures/addresses.js';
import type { ExactCall } from '../shared/data-types.js';

/** A dimension in mm, from the API: the asked or predicted value, and the value of the light body. */
export interface PersonReading {
  readonly measurement: string;
  readonly asked: number | null;
  /** Null for people without a body to turn around. */
  readonly achieved: number | null;
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
  /** Positions of the vertices, in the form of `ShownBody`; absent for people under `FILES_FROM_YEARS`, who lie. */
  readonly positions?: string;
  readonly lines: readonly BodyLine[];
  readonly seatMm?: number | undefined;
  /** A picture of the person, for browsers without scripts, and of people who lie. */
  readonly picture: PagePicture;
  readonly readings: readonly PersonReading[];
  /**
   * By measurement, the percentile of the asked or achieved length among nude people of the same gender, age and country.
   * Lengths that nobody has are left out.
   */
  readonly percentiles: Readonly<Record<string, number>>;
  readonly massKg: number;
  /** Of the body. */
  readonly volumeLitres?: number;
  /** The call that answers with the body as a file, or with the dimensions of a person who lies. */
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

/** The percentile of a dimension as text, such as `P94.3`. */
export function percentileOf({ percentiles }: PersonData, measurement: string): string {
  const percentile = percentiles[measurement];
  return percentile === undefined ? '–' : `P${percentileText(Number(percentile.toFixed(1)))}`;
}
