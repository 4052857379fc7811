import type { AnswerOf } from '../../operations/operation.js';
import type { sizeChart } from '../../operations/size-chart.js';
import type { PagePicture } from '../../site/pictures/addresses.js';
import type { ExactCall } from '../shared/data-types.js';
import type { SizedDimension } from './products.js';

/** The answer in mm. Without people in common, each population is one group. */
export type SizeChartAnswer = AnswerOf<typeof sizeChart>;

/** A size with its share of the people, and its range of each dimension in mm. */
export type ChartSize = SizeChartAnswer['sizes'][number];

/** A number of sizes, and the share of the people that these sizes serve. */
export interface CurvePoint {
  readonly sizes: number;
  readonly share: number;
  /** The share of each population, if no people belong to two. */
  readonly shares: readonly number[];
}

/** A sampled person: values of the first two dimensions, rounded to 0.1 mm, and the best size. */
export interface SampledDot {
  readonly valuesMm: readonly number[];
  /** Index of the person's population. */
  readonly population: number;
  /** Index of the size; −1 if no size serves the person. */
  readonly size: number;
}

/** A person in the middle of a size. */
export interface SizePerson {
  /** Name of the size. */
  readonly size: string;
  /** Gender, age and country in words. */
  readonly who: string;
  /** Index of the person's population. */
  readonly population: number;
  /** The views that show the dimensions, with their lines. */
  readonly pictures: readonly PagePicture[];
}

/** The data of the Sizes screen for a view. */
export interface SizesData {
  /** All populations in words. */
  readonly label: string;
  /** The populations in words with the shares served. Empty if there is one, or if people belong to two. */
  readonly populations: readonly { readonly label: string; readonly shareServed: number }[];
  readonly dimensions: readonly SizedDimension[];
  /** In rising order of the number of sizes. */
  readonly curve: readonly CurvePoint[];
  /**
   * The smallest number of sizes that serves the wanted share of each population. Undefined if even the largest number
   * does not.
   */
  readonly least?: number | undefined;
  readonly chart: SizeChartAnswer;
  readonly call: ExactCall;
  readonly dots: readonly SampledDot[];
  /** People in a small, a middle and a large size. */
  readonly persons?: readonly SizePerson[] | undefined;
  readonly hasBodies: boolean;
  /** Titles of the surveys behind the medians, as on the Fit screen; absent if unknown. */
  readonly surveys?: readonly string[];
  readonly artifactVersion: string;
}
