import { drawNames, uniformNumbers } from './limit-sets.js';

/** The cycles of NHANES by which the joint answers of an artifact are judged: no model is fitted to them. */
export const UNFITTED = {
  /** The cycles, with the years of data behind their weights. */
  cycles: { '2007-2008': 2, '2009-2010': 2 },
  /** Middle of the cycles. */
  year: 2009,
  /** Quantities that were measured. */
  names: [
    ...['Stature', 'BodyMass', 'BMI', 'WaistCircumferenceAbdominal'],
    ...['UpperArmCircumferenceMidpoint', 'SittingUpperLegLength'],
  ],
} as const;

/** Age bands in completed years. Ages from 80 on are not released. */
export const NHANES_BANDS = ['20-39', '40-59', '60-79'] as const;

/** Percentiles at which limits may lie. */
export const LOW_PERCENTILES = [1, 2, 3, 5, 7, 10] as const;
export const HIGH_PERCENTILES = [90, 93, 95, 97, 98, 99] as const;

/** Limits on one quantity, as percentiles of the people of a gender and age band. */
export interface FoldLimit {
  readonly name: string;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** Numbers of quantities in a set of limits, and sets of each. */
export const FOLD_SIZES = [3, 5] as const;
const FOLD_SETS = 60;
const SEED = 1999;

/**
 * The random sets of limits, with `size` quantities each. A quantity has a lower limit with
 * probability 1/2 and an upper limit with probability 0.7. A set without limits is drawn again. Every run
 * has the same sets.
 */
export function foldSets(size: (typeof FOLD_SIZES)[number]): FoldLimit[][] {
  const random = uniformNumbers(SEED * size);
  const oneOf = (percentiles: readonly number[]): number =>
    percentiles[Math.floor(percentiles.length * random())] as number;
  const limit = (name: string): FoldLimit => {
    const low = random() < 0.5 ? oneOf(LOW_PERCENTILES) : undefined;
    return { name, low, high: random() < 0.7 ? oneOf(HIGH_PERCENTILES) : undefined };
  };
  return Array.from({ length: FOLD_SETS }, () => {
    for (;;) {
      const set = drawNames(UNFITTED.names, size, random).map(limit);
      if (set.some(({ low, high }) => low !== undefined || high !== undefined)) return set;
    }
  });
}
