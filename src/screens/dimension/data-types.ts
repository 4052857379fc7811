import type { PagePicture } from '../../site/pictures/addresses.js';
import type { ExactCall, Refusal } from '../shared/data-types.js';
import type { DimensionView } from './address.js';

/** The fields of an API answer that a view shows. The call decides which fields are present. */
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

/** A quantile curve with few points for a picture. Each percentile has one value. */
export interface CoarseCurve {
  readonly percentiles: readonly number[];
  readonly values: readonly number[];
}

/** A country's distribution. */
export interface CountryCurve extends CoarseCurve {
  readonly country: string;
}

/** A range of ages without a model, and the reason that the API gives. */
export interface AgeGap {
  readonly fromYears: number;
  readonly toYears: number;
  readonly reason: string;
}

/** Values by age; null at ages without a model. */
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

/** How well the median in a country is known: the answer of the operation `evidence` without its lengths. */
export interface CountryEvidence {
  readonly country: string;
  readonly grade: string;
  /** Half the width of the median's 90 % interval in mm, kg or kg/m², with two digits. */
  readonly error: number;
  /** The basis of the median, in a sentence. */
  readonly basis: string;
}

/** The value of a country, in the unit of the call. */
export interface CountryValue {
  readonly country: string;
  readonly value: number;
  /** Size of the error of the median, from A to D; undefined if there is no evidence. */
  readonly grade?: string | undefined;
  /** Whether a survey of the country measured it. */
  readonly measuredHere?: boolean | undefined;
}

/** The values of all countries. The largest value comes first. */
export interface CountryValues {
  readonly kind: 'countries';
  readonly countries: readonly CountryValue[];
}

/** The curves to draw, by kind of view. */
export type Picture =
  | { readonly kind: 'distribution'; readonly curves: readonly CountryCurve[] }
  | {
      readonly kind: 'ages';
      readonly agesYears: readonly number[];
      readonly lines: readonly AgeLine[];
      readonly gaps: readonly AgeGap[];
      /** Ages at which surveys measured the dimension. Other ages were not measured. */
      readonly measured: readonly MeasuredAges[];
    }
  | {
      readonly kind: 'connected';
      /** The known dimension in the whole population. */
      readonly anchor: CoarseCurve;
      /** The second dimension in the whole population. */
      readonly linked: CoarseCurve;
      /** The second dimension of people whose first dimension is known. */
      readonly given: CoarseCurve;
    };

/** The data of one view. */
export interface ChartData<Drawn extends Picture | CountryValues = Picture> {
  readonly call: ExactCall;
  /** The same calls for the other countries, if the API has no call for several countries. */
  readonly otherCalls: readonly ExactCall[];
  /** The API's answer to `call`. If the API refuses the call, `refusal` is present instead. */
  readonly answer?: ExactAnswer;
  readonly refusal?: Refusal;
  readonly picture: Drawn;
  /** Evidence for the countries of the view; empty if there is none, for example for a connected range. */
  readonly evidence: readonly CountryEvidence[];
  /** Titles of the surveys behind the medians, as on the Fit screen. */
  readonly surveys: readonly string[];
  readonly artifactVersion: string;
}

/** The picture of one measurement. */
export interface FigureData {
  /** A median person with the line of the measurement; absent if no person can be drawn. */
  readonly picture?: PagePicture;
  /** Sentence that says who is drawn, or why no person is drawn. */
  readonly caption: string;
  /** The drawn person in words. */
  readonly who?: string;
}

/** The data of a view of any kind. */
export type DimensionData = ChartData | ChartData<CountryValues>;

/** The data of a view, and the view that they belong to. */
export interface Loaded<Data extends DimensionData = DimensionData> {
  readonly data: Data;
  readonly view: DimensionView;
}

/** The data of a chart, and the view that they belong to. */
export type LoadedChart = Loaded<ChartData>;

/** Whether the data are those of all countries. */
export function isOfCountries(data: DimensionData): data is ChartData<CountryValues> {
  return data.picture.kind === 'countries';
}
