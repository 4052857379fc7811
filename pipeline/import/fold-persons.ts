import { sum } from '../numerics/numbers.js';
import {
  FOLD_SIZES,
  type FoldLimit,
  foldSets,
  HIGH_PERCENTILES,
  LOW_PERCENTILES,
  UNFITTED,
} from '../plans/nhanes-folds.js';
import type { Cell, OutputTable, TableColumn } from './importer.js';
import { MINIMUM_CELL } from './statistics.js';

/** People of one gender and age band. All of them have all quantities. */
export interface FoldPeople {
  readonly gender: string;
  /** Age band, completed years. */
  readonly ages: string;
  /** Completed years of each person. */
  readonly ageYears: readonly number[];
  readonly weights: readonly number[];
  /** Values of each quantity in mm, kg or kg/m². */
  readonly values: ReadonlyMap<string, readonly number[]>;
}

/** Half the step between two readings. Limits lie half a step off, so that no reading equals a limit. */
const HALF_STEP: Readonly<Record<string, number>> = { BodyMass: 0.05, BMI: 0.005 };
const HALF_MM = 0.5;

const FOLD_COLUMNS = [
  ['gender', 'Male or Female'],
  ['ages', 'age band, completed years'],
] as const;

const digits = (value: number, decimals: number): number => Number(value.toFixed(decimals));
const keyOf = ({ gender, ages }: FoldPeople): Cell[] => [gender, ages];

/** A limit on a quantity, and the share of people on each side of it. */
interface PlacedLimit {
  readonly value: number;
  /** Weighted share of the people below, 0 to 1. */
  readonly below: number;
  /** Number of people on the smaller side. */
  readonly fewest: number;
}

/**
 * Places a limit half a step above the weighted percentile, which is the smallest reading that has this share of the
 * people at or below it.
 *
 * @param percentile 0 to 100
 */
export function placeLimit(people: FoldPeople, name: string, percentile: number): PlacedLimit {
  const values = people.values.get(name) as readonly number[];
  const order = values.map((value, i) => [value, people.weights[i] as number] as const);
  order.sort(([a], [b]) => a - b);
  const total = sum(people.weights);
  let reached = 0;
  const reading = order.find(([, weight]) => {
    reached += weight;
    return reached >= (percentile / 100) * total;
  });
  const value = digits((reading?.[0] as number) + (HALF_STEP[name] ?? HALF_MM), 3);
  const under = order.filter(([one]) => one < value);
  return {
    value,
    below: sum(under.map(([, weight]) => weight)) / total,
    fewest: Math.min(under.length, order.length - under.length),
  };
}

/** Computes `limits.csv`: values at percentiles, and the share of the people below each value. */
export function foldLimits(groups: readonly FoldPeople[]): OutputTable {
  const rows = groups.flatMap((people) =>
    UNFITTED.names.flatMap((name) =>
      [...LOW_PERCENTILES, ...HIGH_PERCENTILES].flatMap((percentile): Cell[][] => {
        const { value, below, fewest } = placeLimit(people, name, percentile);
        if (fewest < MINIMUM_CELL) return [];
        return [[...keyOf(people), name, percentile, value, digits(below, 5)]];
      }),
    ),
  );
  const columns: readonly TableColumn[] = [
    ...FOLD_COLUMNS,
    ['quantity', 'measurement, BodyMass or BMI'],
    ['percentile', 'percentile of the limit (weighted)'],
    ['value', 'the limit in mm, kg or kg/m²; no reading is equal to it'],
    ['below', `weighted share of the people below; ${MINIMUM_CELL} people or more on both sides`],
  ];
  return { file: 'limits.csv', columns, rows };
}

/** Computes `joint_shares.csv`: weighted shares of people who meet the random sets of limits. */
export function foldShares(groups: readonly FoldPeople[]): OutputTable {
  const rows: Cell[][] = [];
  for (const people of groups) {
    const { weights, values } = people;
    const total = sum(weights);
    // Kish 1965, Survey Sampling, 11.7.
    const effective = Math.round(total ** 2 / sum(weights.map((weight) => weight ** 2)));
    const placed = new Map<string, number>();
    const placeOf = (name: string, percentile: number | undefined): number | undefined => {
      if (percentile === undefined) return undefined;
      const key = `${name} ${percentile}`;
      const value = placed.get(key) ?? placeLimit(people, name, percentile).value;
      placed.set(key, value);
      return value;
    };
    for (const size of FOLD_SIZES) {
      foldSets(size).forEach((set: readonly FoldLimit[], index) => {
        const limits = set.map(({ name, low, high }) => ({
          of: values.get(name) as readonly number[],
          min: placeOf(name, low) ?? Number.NEGATIVE_INFINITY,
          max: placeOf(name, high) ?? Number.POSITIVE_INFINITY,
        }));
        const inside = weights.map((_, i) =>
          limits.every(({ of, min, max }) => {
            const value = of[i] as number;
            return value > min && value < max;
          }),
        );
        const within = inside.filter((one) => one).length;
        if (Math.min(within, inside.length - within) < MINIMUM_CELL) return;
        const share = sum(weights.filter((_, i) => inside[i])) / total;
        const figures = [weights.length, effective, digits(share, 5)];
        rows.push([...keyOf(people), size, index, ...figures]);
      });
    }
  }
  const columns: readonly TableColumn[] = [
    ...FOLD_COLUMNS,
    ['size', 'quantities in the set'],
    ['set', 'number of the set of that size, from 0 (`pipeline/plans/nhanes-folds.ts`)'],
    ['n', 'people who have all quantities (unweighted)'],
    ['n_effective', '(sum of weights)² / sum of squared weights (Kish 1965)'],
    [
      'share',
      `weighted share who meet all limits; ${MINIMUM_CELL} people or more inside and outside`,
    ],
  ];
  return { file: 'joint_shares.csv', columns, rows };
}

/** Computes `ages.csv`: people by completed year of age. */
export function foldAges(groups: readonly FoldPeople[]): OutputTable {
  const rows = groups.flatMap((people) => {
    const { ageYears, weights } = people;
    const total = sum(weights);
    return [...new Set(ageYears)]
      .sort((a, b) => a - b)
      .flatMap((age): Cell[][] => {
        const ofAge = weights.filter((_, i) => ageYears[i] === age);
        if (ofAge.length < MINIMUM_CELL) return [];
        return [[...keyOf(people), age, ofAge.length, digits(sum(ofAge) / total, 5)]];
      });
  });
  const columns: readonly TableColumn[] = [
    ...FOLD_COLUMNS,
    ['age', 'completed years'],
    ['n', `people of this age (unweighted), at least ${MINIMUM_CELL}`],
    ['share', 'weighted share of the people of the band'],
  ];
  return { file: 'ages.csv', columns, rows };
}
