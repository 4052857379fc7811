import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { ManifestReach } from '../../src/lookup/format.js';
import type { Rows } from '../raw-tables/source-tables.js';

/** Means and covariances of one cell of `ansur1-reach`: a gender, an age group and a half of the people. */
interface Cell {
  readonly gender: Gender;
  readonly ageGroup: string;
  readonly isTest: boolean;
  readonly n: number;
  mean(name: string): number;
  cov(a: string, b: string): number;
}

/** A quantity that is a sum of measurements, each times a coefficient. */
type Sum = Readonly<Record<string, number>>;

/** Predictions of the model of the shoulder: `of` is a share of `from`. */
const RULES = {
  forward: {
    what: 'Forward reach (WorkReach)',
    of: { WorkReach: 1, ShoulderGripLength: -1 },
    from: 'ShoulderBreadthBiacromial',
  },
  overhead: {
    what: 'Overhead reach (VerticalGripReachSitting)',
    of: { VerticalGripReachSitting: 1, SittingShoulderHeight: -1, ShoulderGripLength: -1 },
    from: 'ShoulderGripLength',
  },
  sideways: {
    what: 'Sideways reach (Span)',
    of: { Span: 1, UpperLimbLength: -2 },
    from: 'ShoulderBreadthBiacromial',
  },
  stretched: {
    what: 'Forward reach, shoulder stretched forward',
    of: { WorkReachExtended: 1, WorkReach: -1 },
    from: 'ShoulderBreadthBiacromial',
  },
} as const satisfies Readonly<Record<string, { what: string; of: Sum; from: string }>>;

/** A predicted reach of people who were not fitted. */
export interface JudgedReach {
  readonly what: string;
  readonly gender: Gender;
  /** Completed years. */
  readonly ageGroup: string;
  readonly n: number;
  /** Mean and standard deviation of predicted less measured, in mm. */
  readonly biasMm: number;
  readonly sdMm: number;
}

/** The model of the shoulder and its errors on people who were left out. */
export interface ReachFit {
  readonly reach: ManifestReach;
  readonly judged: readonly JudgedReach[];
  /** Share of each rule. */
  readonly shares: Readonly<Record<keyof typeof RULES, number>>;
}

/**
 * Fits the model of the shoulder: four regressions through the origin, for both genders and all ages together. Runtime
 * answers need the last one only, because the model of the 148 dimensions predicts the other reaches themselves. The
 * others say how well arms and shoulders alone predict a reach.
 *
 * @param rows `pairs.csv` of `ansur1-reach`
 */
export function fitReach(rows: Rows): ReachFit {
  const cells = cellsOf(rows);
  const fitted = cells.filter(({ isTest }) => !isTest);
  const shareOf = ({ of, from }: { of: Sum; from: string }): number => {
    const sum = (a: Sum, b: Sum) =>
      fitted.reduce(
        (total, cell) => total + cell.n * (covOf(cell, a, b) + meanOf(cell, a) * meanOf(cell, b)),
        0,
      );
    return sum(of, { [from]: 1 }) / sum({ [from]: 1 }, { [from]: 1 });
  };
  const names = Object.keys(RULES) as (keyof typeof RULES)[];
  const shares = Object.fromEntries(names.map((name) => [name, shareOf(RULES[name])]));
  const residual = (name: keyof typeof RULES): Sum => {
    const { of, from }: { of: Sum; from: string } = RULES[name];
    const error: Record<string, number> = {};
    for (const [term, factor] of Object.entries(of)) error[term] = -factor;
    error[from] = (error[from] ?? 0) + shares[name];
    return error;
  };
  const people = fitted.reduce((total, { n }) => total + n, 0);
  const variance = fitted.reduce((total, cell) => {
    const error = residual('stretched');
    return total + (cell.n / people) * (covOf(cell, error, error) + meanOf(cell, error) ** 2);
  }, 0);
  return {
    reach: { stretchShare: shares.stretched, stretchSdMm: Math.sqrt(variance) },
    shares: shares as ReachFit['shares'],
    judged: names.flatMap((name) =>
      cells
        .filter(({ isTest }) => isTest)
        .map((cell) => ({
          what: RULES[name].what,
          ...{ gender: cell.gender, ageGroup: cell.ageGroup, n: cell.n },
          biasMm: meanOf(cell, residual(name)),
          sdMm: Math.sqrt(covOf(cell, residual(name), residual(name))),
        })),
    ),
  };
}

function meanOf(cell: Cell, sum: Sum): number {
  return Object.entries(sum).reduce((total, [name, factor]) => total + factor * cell.mean(name), 0);
}

function covOf(cell: Cell, a: Sum, b: Sum): number {
  let total = 0;
  for (const [one, first] of Object.entries(a)) {
    for (const [other, second] of Object.entries(b)) total += first * second * cell.cov(one, other);
  }
  return total;
}

function cellsOf(rows: Rows): Cell[] {
  const ageGroups = [...new Set(rows.map((row) => String(row.age_group)))].sort();
  return GENDERS.flatMap((gender) =>
    ageGroups.flatMap((ageGroup) =>
      ['fit', 'test'].map((half): Cell => {
        const own = rows.filter(
          (row) => row.gender === gender && row.age_group === ageGroup && row.half === half,
        );
        const means = new Map(own.map((row) => [row.a, Number(row.mean_a)]));
        const covariances = new Map(
          own.flatMap(({ a, b, cov }) => [
            [`${a} ${b}`, Number(cov)],
            [`${b} ${a}`, Number(cov)],
          ]),
        );
        const known = (value: number | undefined, name: string): number => {
          if (value === undefined) throw new Error(`ansur1-reach has no ${name}`);
          return value;
        };
        return {
          ...{ gender, ageGroup, isTest: half === 'test', n: Number(own[0]?.n) },
          mean: (name) => known(means.get(name), name),
          cov: (a, b) => known(covariances.get(`${a} ${b}`), `${a} and ${b}`),
        };
      }),
    ),
  );
}
