import type { ExactCall } from '../shared/data-types.js';

/** The value of a country, in the unit of the calls. */
export interface CountryValue {
  readonly country: string;
  readonly value: number;
  /** Size of the error of the median, from A to D; undefined if there is no evidence. */
  readonly grade?: string | undefined;
  /** Whether a survey of the country measured it. */
  readonly measuredHere?: boolean | undefined;
}

/** The numbers of all countries. */
export interface WorldData {
  /** The largest value comes first. */
  readonly countries: readonly CountryValue[];
  /** The API call that returns these numbers in this order, or for masses one call for each of them. */
  readonly calls: readonly ExactCall[];
  readonly artifactVersion: string;
}
