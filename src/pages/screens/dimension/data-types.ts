import type { ExactCall, Refusal } from '../shared/data-types.js';

/** The fields of an API answer that a view shows. The call decides which of them are present. */
export interface ExactAnswer {
  readonly value?: number;
  readonly percentile?: number;
  readonly values?: readonly {
    readonly country?: string;
    readonly percentile?: number;
    readonly value: number;
  }[];
  readonly conditionalMean?: number;
  readonly lowerBound?: number;
  readonly upperBound?: number;
  readonly unit: string;
}

/** A quantile curve with few points, for a picture: one length per percentile. */
export interface CoarseCurve {
  readonly percentiles: readonly number[];
  readonly values: readonly number[];
}

/** A country's distribution. */
export interface CountryCurve extends CoarseCurve {
  readonly country: string;
}

/** A range of ages without a model, and the API's reason. */
export interface AgeGap {
  readonly fromYears: number;
  readonly toYears: number;
  readonly reason: string;
}

/** Lengths by age; null at ages without a model. */
export interface AgeLine {
  readonly country: string;
  readonly percentile: number;
  readonly values: readonly (number | null)[];
}

/** Ages from and to which a dimension was measured. */
export interface MeasuredAges {
  readonly fromYears: number;
  readonly toYears: number;
}

/** How well the median in a country is known: from the operation `evidence`, without its lengths. */
export interface CountryEvidence {
  readonly country: string;
  readonly grade: string;
  /** Half of the 90 % interval of the median in mm, with two digits. */
  readonly errorMm: number;
  /** What the median rests on, in a sentence. */
  readonly basis: string;
}

/** The curves to draw, by kind of view. */
export type Picture =
  | { readonly kind: 'distribution'; readonly curves: readonly CountryCurve[] }
  | {
      readonly kind: 'ages';
      readonly agesYears: readonly number[];
      readonly lines: readonly AgeLine[];
      readonly gaps: readonly AgeGap[];
      /** Ages at which surveys measured the dimension; none outside. */
      readonly measured: readonly MeasuredAges[];
    }
  | {
      readonly kind: 'connected';
      /** The known dimension in the whole population. */
      readonly anchor: CoarseCurve;
      /** The second dimension in the whole population. */
      readonly linked: CoarseCurve;
      /** The second dimension among people whose first dimension is known. */
      readonly given: CoarseCurve;
    };

/** The data of one view. */
export interface ChartData {
  readonly call: ExactCall;
  /** The API's answer to `call`; `refusal` is present instead when the API refuses it. */
  readonly answer?: ExactAnswer;
  readonly refusal?: Refusal;
  readonly picture: Picture;
  /** Evidence for the countries of the view; empty where there is none, as for a connected range. */
  readonly evidence: readonly CountryEvidence[];
  /** Titles of the surveys behind the medians, as the Fit screen has them. */
  readonly surveys: readonly string[];
  readonly artifactVersion: string;
}
