import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';

type PerGender<T> = Readonly<Record<Gender, T>>;

/**
 * A sum over medians of other dimensions, such as `ShoulderHeight - 0.48 HandLength - 50`. A lone number is
 * in mm at the reference stature. `formula.ts` reads formulas.
 */
export type Formula = string;

/** Where an adult dimension's level, slopes and spread come from. */
export type Basis =
  /** Another name of the same dimension. */
  | { readonly kind: 'alias'; readonly of: MeasurementName }
  /** Regression on the covariates within a survey. */
  | { readonly kind: 'survey'; readonly survey: 'ansur2' | 'ansur1' }
  /** Mean and SD of the 1988 headboard summary; slopes of a similar dimension of the head. */
  | { readonly kind: 'headboard'; readonly dimension: string; readonly like: MeasurementName }
  /** Published mean and SD (mm); slopes of a similar dimension. */
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
   * Snyder 1977. For a dimension with an identity, it gives the spread only. The step between its level at
   * 20 and the adult model has a cause. `constant`: different definitions, so the step applies at every
   * age. `fading`: the two surveys and their noise, so the step applies from 17 years on, because Snyder's
   * children are at most 18. `variable` names the survey's variable if it is a similar dimension that lends
   * its growth. `shared`: before puberty, the genders have the mean of their levels and steps, because their
   * difference in the survey contradicts that of adults.
   */
  | {
      readonly kind: 'snyder';
      readonly offset: 'constant' | 'fading';
      readonly variable?: string;
      readonly shared?: boolean;
    }
  /** In proportion to a formula of the child's other dimensions, with the ratio of adults. */
  | { readonly kind: 'like'; readonly formula: Formula };

interface Options {
  /** Formula that gives the median at every age, so that parts and wholes agree. */
  readonly identity?: Formula;
  readonly childhood?: Childhood;
  /**
   * SD in mm from a direct measurement. It replaces the SD of a difference of two heights, which contains
   * the errors of both.
   */
  readonly sdMm?: readonly [male: number, female: number];
  /**
   * Share of the height lost with age that this dimension loses; 0 for limbs and head. The spine loses
   * height. So the share of a landmark is its height above the seat divided by that of the seventh cervical
   * vertebra, at most 1 (means of ANSUR 1988, men and women). The share of a length is the difference
   * of the shares of its ends. The elbow and the hand below it have `ELBOW_SHARE`.
   */
  readonly trunkShare?: number;
  /** Age beyond which the dimension loses no more height. By default, its loss follows that of stature. */
  readonly trunkLossUntilYears?: number;
  /** Youngest age with a model; 0 by default. There is no evidence on the reaches of infants. */
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
/**
 * Trunk share of the elbow: what it loses as a share of what sitting height loses. US men of 1960–62 of 18 to 79 years
 * sit 9.6 mm lower than those of 25 to 40 years, and their elbows are 5.7 mm lower (`data/raw/world`, S37 and S38).
 */
export const ELBOW_SHARE = 0.6;
export const snyder: Childhood = { kind: 'snyder', offset: 'fading' };
export const snyderShared: Childhood = { kind: 'snyder', offset: 'fading', shared: true };
export const snyderRedefined: Childhood = { kind: 'snyder', offset: 'constant' };
export const snyderRedefinedShared: Childhood = {
  kind: 'snyder',
  offset: 'constant',
  shared: true,
};
export const like = (formula: Formula): Childhood => ({ kind: 'like', formula });
/** Growth and spread of a similar dimension that Snyder measured, with the adult's own level. */
export const snyderShape = (variable: string): Childhood => ({
  kind: 'snyder',
  offset: 'constant',
  variable,
});
