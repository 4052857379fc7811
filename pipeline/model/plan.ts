import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';

type PerGender<T> = Readonly<Record<Gender, T>>;

/**
 * A sum over medians of other dimensions, written out: `ShoulderHeight - 0.48 HandLength - 50`;
 * a lone number is mm at the reference stature. `combination.ts` reads it.
 */
export type Formula = string;

/** Where an adult dimension's level, slopes and spread come from. */
export type Basis =
  /** Another name of the same dimension. */
  | { readonly kind: 'alias'; readonly of: MeasurementName }
  /** Regression on the drivers within a survey. */
  | { readonly kind: 'survey'; readonly survey: 'ansur2' | 'ansur1' }
  /** Mean and SD of the 1988 headboard summary; slopes of a like dimension of the head. */
  | { readonly kind: 'headboard'; readonly dimension: string; readonly like: MeasurementName }
  /** Published mean and SD (mm); slopes of a like dimension. */
  | {
      readonly kind: 'published';
      readonly meanSdMm: PerGender<readonly [number, number]>;
      readonly like: MeasurementName;
      readonly citation: string;
    }
  /** Published ratio to a measured dimension, and published coefficient of variation. */
  | {
      readonly kind: 'ratio';
      readonly of: string;
      readonly ratio: PerGender<number>;
      readonly cv: PerGender<number>;
      readonly citation: string;
    };

/** Where a child's dimension comes from, up to 20 years. */
export type Childhood =
  /**
   * Snyder 1977; beside an identity, for the spread only. The step between its level at 20 and the
   * adult model is a matter of definition (`constant`: taken off at every age) or of the two
   * surveys and their noise (`fading`: taken off after 17 years, where Snyder's children end).
   * `variable` names what he measured where it is another dimension, which lends its growth.
   */
  | {
      readonly kind: 'snyder';
      readonly offset: 'constant' | 'fading';
      readonly variable?: string;
    }
  /** In proportion to a formula of other children's dimensions, at the adult's ratio to it. */
  | { readonly kind: 'like'; readonly formula: Formula };

interface Options {
  /** Median by construction from other medians, at every age, so that parts and wholes agree. */
  readonly identity?: Formula;
  readonly childhood?: Childhood;
  /**
   * SD in mm measured directly, where the survey's own is that of a difference of two heights, which
   * adds the errors of both.
   */
  readonly sdMm?: readonly [male: number, female: number];
  /**
   * Share of the height lost with age that this dimension loses; 0 for limbs and head. The spine
   * loses it, so a landmark's share is its height above the seat over that of the seventh cervical
   * vertebra, at most 1 (ANSUR 1988 means of men and women); a length takes the difference of its
   * ends, and what hangs from the shoulder the shoulder's.
   */
  readonly trunkShare?: number;
  /** Youngest age with a model; 0 where not said. A reach nobody makes has no evidence. */
  readonly ageMinYears?: number;
}

/** How one dimension is modelled; `docs/model.md` gives the reasons. */
export interface DimensionPlan extends Options {
  readonly basis: Basis;
}

type Pair = readonly [male: number, female: number];

const perGender = <T>([Male, Female]: readonly [T, T]): PerGender<T> => ({ Male, Female });
export const plan = (basis: Basis, options: Options = {}): DimensionPlan => ({ basis, ...options });
export const ansur2: Basis = { kind: 'survey', survey: 'ansur2' };
export const ansur1: Basis = { kind: 'survey', survey: 'ansur1' };
export const alias = (of: MeasurementName): Basis => ({ kind: 'alias', of });
export const headboard = (dimension: string, like: MeasurementName): Basis => ({
  kind: 'headboard',
  dimension,
  like,
});
export const published = (
  male: Pair,
  female: Pair,
  like: MeasurementName,
  citation: string,
): Basis => ({
  kind: 'published',
  meanSdMm: perGender([male, female]),
  like,
  citation,
});
export const ratio = (of: string, ratios: Pair, cvs: Pair, citation: string): Basis => ({
  kind: 'ratio',
  of,
  ratio: perGender(ratios),
  cv: perGender(cvs),
  citation,
});
export const snyder: Childhood = { kind: 'snyder', offset: 'fading' };
export const snyderRedefined: Childhood = { kind: 'snyder', offset: 'constant' };
export const like = (formula: Formula): Childhood => ({ kind: 'like', formula });
/** Growth and spread of a near dimension that Snyder measured, at the adult's own level. */
export const snyderShape = (variable: string): Childhood => ({
  kind: 'snyder',
  offset: 'constant',
  variable,
});
