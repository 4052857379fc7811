import { drawNames, uniformNumbers } from './limit-sets.js';

/** Cycles of NHANES that are judged together. */
export interface NhanesFold {
  readonly period: string;
  /** The cycles, with the years of data behind their weights. */
  readonly cycles: Readonly<Record<string, number>>;
  /** Middle of the cycles. */
  readonly year: number;
  /** Whether the model is fitted to body measures of all, some or none of these cycles. */
  readonly fitted: 'all' | 'some' | 'none';
  /** Quantities that were measured. */
  readonly names: readonly string[];
}

const ALWAYS = [
  ...['Stature', 'BodyMass', 'BMI', 'WaistCircumferenceAbdominal'],
  'UpperArmCircumferenceMidpoint',
];

/**
 * The cycles by which the joint answers of an artifact are judged. The upper leg is left out before 2007,
 * because its method changed. Calf and thigh were measured until 2006, the hip since 2017.
 */
export const NHANES_FOLDS: readonly NhanesFold[] = [
  {
    period: '1999-2006',
    cycles: { '1999-2000': 2, '2001-2002': 2, '2003-2004': 2, '2005-2006': 2 },
    year: 2003,
    fitted: 'some',
    names: [...ALWAYS, 'CalfCircumference', 'ThighCircumferenceMidpoint'],
  },
  {
    period: '2007-2010',
    cycles: { '2007-2008': 2, '2009-2010': 2 },
    year: 2009,
    fitted: 'none',
    names: [...ALWAYS, 'SittingUpperLegLength'],
  },
  {
    period: '2011-2016',
    cycles: { '2011-2012': 2, '2013-2014': 2, '2015-2016': 2 },
    year: 2014,
    fitted: 'all',
    names: [...ALWAYS, 'SittingUpperLegLength'],
  },
  {
    period: '2017-2023',
    cycles: { '2017-Mar2020': 3.2, 'Aug2021-Aug2023': 2 },
    year: 2020,
    fitted: 'all',
    names: [...ALWAYS, 'SittingUpperLegLength', 'HipCircumferenceMax'],
  },
];

/** Age bands in completed years. Ages from 80 on are not released. */
export const NHANES_BANDS = ['20-39', '40-59', '60-79'] as const;

/** Percentiles at which limits may lie. */
export const LOW_PERCENTILES = [1, 2, 3, 5, 7, 10] as const;
export const HIGH_PERCENTILES = [90, 93, 95, 97, 98, 99] as const;

/** Limits on one quantity, as percentiles of the people of a fold, gender and age band. */
export interface FoldLimit {
  readonly name: string;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** Numbers of quantities in a set of limits, and sets of each. */
export const FOLD_SIZES = [3, 5] as const;
export const FOLD_SETS = 60;
const SEED = 1999;

/**
 * The random sets of limits of a fold, with `size` quantities each. A quantity has a lower limit with
 * probability 1/2 and an upper limit with probability 0.7. A set without limits is drawn again. Every run
 * has the same sets.
 */
export function foldSets({ names }: NhanesFold, size: (typeof FOLD_SIZES)[number]): FoldLimit[][] {
  const random = uniformNumbers(SEED * size);
  const oneOf = (percentiles: readonly number[]): number =>
    percentiles[Math.floor(percentiles.length * random())] as number;
  const limit = (name: string): FoldLimit => {
    const low = random() < 0.5 ? oneOf(LOW_PERCENTILES) : undefined;
    return { name, low, high: random() < 0.7 ? oneOf(HIGH_PERCENTILES) : undefined };
  };
  return Array.from({ length: FOLD_SETS }, () => {
    for (;;) {
      const set = drawNames(names, size, random).map(limit);
      if (set.some(({ low, high }) => low !== undefined || high !== undefined)) return set;
    }
  });
}
