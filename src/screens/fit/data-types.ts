import type { designRanges } from '../../operations/design-ranges.js';
import type { AnswerOf } from '../../operations/operation.js';
import type { populationShare } from '../../operations/population-share.js';
import type { ShownUnit } from '../../site/lengths.js';
import type { PageImage } from '../../site/pictures/addresses.js';
import type { ExactCall, Refusal } from '../shared/data-types.js';
import type { BoxLimit, FitView } from './address.js';
import type { KnownPerson } from './known-people.js';
import type { BodySizes, FitPersonName } from './products.js';

export type ShareAnswer = AnswerOf<typeof populationShare>;

/** A call of `population_share` and its answer. */
export interface ExactShare {
  readonly call: ExactCall;
  readonly answer: ShareAnswer;
}

/** Lengths of a measurement at `FIT_PERCENTILES` in mm, rounded for a picture. */
export interface FitCurve {
  readonly measurement: string;
  readonly valuesMm: readonly number[];
}

/** One population of the view. */
export interface FitPopulation {
  readonly label: string;
  /** Why the API refuses the population. The other fields are then absent. */
  readonly refusal?: Refusal;
  readonly share?: ExactShare | undefined;
  readonly curves?: readonly FitCurve[];
  /** Sampled people with the plotted pair in mm, rounded. */
  readonly dots?: readonly (readonly [across: number, upwards: number])[];
}

/** The sizes or limits of a design. */
export interface Design {
  /** Sizes of a product by id. */
  readonly sizesMm: Readonly<Record<string, number>>;
  /** Own limits. */
  readonly limits: readonly BoxLimit[];
}

/** Range of a size: at least `leastMm` and at most `mostMm`. */
export interface SizeRange {
  readonly leastMm?: number | undefined;
  readonly mostMm?: number | undefined;
}

/** The needs of a known person. */
export interface FitKnown extends KnownPerson {
  /** Ranges of the product's sizes that the person needs, in mm; absent for own limits. */
  readonly sizes: readonly (SizeRange & { readonly id: string; readonly label: string })[];
  /** Heights of a workplace for sitting and standing work with shoes, in mm. */
  readonly workplace: readonly { readonly label: string; readonly valueMm: number }[];
  readonly drawn: FitPerson;
}

/** A person who stands or sits at the product in the picture. */
export interface FitPerson {
  /** Gender, age and country in words. */
  readonly who: string;
  /** The person in each part of the product's picture; null in a part where the person lies. */
  readonly pictures: readonly (PageImage | null)[];
  /** Sizes of the person that decide where the product is, mm. */
  readonly sizes: BodySizes;
}

/** The range of a measurement for own limits. */
export type OwnRange = AnswerOf<typeof designRanges>['ranges'][number];

/** The sizes or limits for the wanted share, rounded to the safe side. */
export interface Proposal extends Design {
  readonly call: ExactCall;
  /** What the wanted share needs of each bound, before rounding. */
  readonly needs: Readonly<Record<string, SizeRange>>;
  /** The size whose rule excludes most people; absent for own limits. */
  readonly strictest?: string | undefined;
  /** The share that they really fit; absent if nobody can fit. */
  readonly share?: number;
}

/** The share of all populations together, and who is excluded, most people first. */
export interface FitShare extends Pick<ShareAnswer, 'people' | 'share' | 'low' | 'high'> {
  readonly call: ExactCall;
  readonly excluded: readonly { readonly share: number; readonly text: string }[];
}

/** The data of the Fit screen for a view. */
export interface FitData {
  /** Id of the product that the data is about. */
  readonly product: string;
  readonly populations: readonly FitPopulation[];
  /**
   * The people whom the sizes serve. Absent for own limits and for a model without bodies; without a person whom the API
   * refuses to describe.
   */
  readonly persons?: Readonly<Partial<Record<FitPersonName, FitPerson>>>;
  /** Share of all populations together; absent if one call cannot compute it. */
  readonly overall?: FitShare;
  readonly proposal?: Proposal;
  /** The sizes or limits that are judged: those of the view, and proposed ones for the others. */
  readonly design?: Design;
  /**
   * Titles of the surveys behind the medians, with years and countries. Surveys behind most medians come
   * first. Absent if the evidence is unknown.
   */
  readonly surveys?: readonly string[];
  /** Share of all people whose two plotted measurements are inside the box. */
  readonly pairShare?: number;
  /** Needs of the known people of the view; null if the API refuses to describe such a person. */
  readonly known: readonly (FitKnown | null)[];
  /** Whether the model has bodies to draw. */
  readonly hasBodies: boolean;
  /** Sizes that do not suit all people, in sentences. */
  readonly conflicts: readonly string[];
  /** Why there is no overall share, and how many sizes serve the wanted share if one does not. */
  readonly notes: readonly string[];
  readonly artifactVersion: string;
}

/** Properties that the parts of the Fit screen share. */
export interface FitParts {
  /** The view of the address. It lacks the sizes that are proposed. */
  readonly asked: FitView;
  /** The view with all its sizes. */
  readonly view: FitView;
  readonly unit: ShownUnit;
  readonly data: FitData | undefined;
  readonly choose: (change: Partial<FitView>) => void;
  readonly slide: (change: Partial<FitView>) => void;
  readonly hold: (held: boolean) => void;
  /** Whether the data is of an earlier view. */
  readonly stale: boolean;
  /** Whether the pictures show other people or another product than the view, or sizes proposed for them. */
  readonly isOld: boolean;
}
