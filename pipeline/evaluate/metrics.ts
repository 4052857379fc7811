import { mean, median } from '../numerics/numbers.js';

/** Summary of errors in SD units. */
export interface ErrorSummary {
  readonly rows: number;
  /** Mean absolute error over rows. */
  readonly meanAbs: number;
  /** Mean absolute error. Each survey family counts once for each dimension and gender. */
  readonly familyMeanAbs: number;
  readonly medianAbs: number;
  /** Mean of the signed errors. */
  readonly bias: number;
}

/** An error and its cell. All errors of one cell together count once. */
export interface WeighedError {
  readonly error: number;
  readonly cell: string;
}

/** Summary of errors; undefined if there are none. */
export function summarise(errors: readonly WeighedError[]): ErrorSummary | undefined {
  if (errors.length === 0) return undefined;
  const absolute = errors.map(({ error }) => Math.abs(error));
  const cells = new Map<string, number[]>();
  errors.forEach(({ cell }, i) => {
    cells.set(cell, [...(cells.get(cell) ?? []), absolute[i] as number]);
  });
  return {
    rows: errors.length,
    meanAbs: mean(absolute),
    familyMeanAbs: mean([...cells.values()].map(mean)),
    medianAbs: median(absolute),
    bias: mean(errors.map(({ error }) => error)),
  };
}

/** Groups in the order of their keys' code points. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Share of values for which `holds`. */
export function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.length === 0 ? Number.NaN : items.filter(holds).length / items.length;
}

/** Rounds to four decimals, the precision of the figures. */
export function round4(value: number): number {
  return Number(value.toFixed(4));
}
