import type { ExactCall } from '../shared/data-types.js';

/** The length of a country, in the unit of the call. */
export interface CountryValue {
  readonly country: string;
  readonly value: number;
  /** Evidence for the median, from A to D; undefined if there is none. */
  readonly grade?: string | undefined;
}

/** The numbers of all countries. */
export interface WorldData {
  /** The largest length comes first. */
  readonly countries: readonly CountryValue[];
  /** The API call that returns these numbers, in this order. */
  readonly call: ExactCall;
  readonly artifactVersion: string;
}
