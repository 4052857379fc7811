import { mean } from '../numerics/numbers.js';

/** Mean of absolute values. */
export const meanAbs = (values: readonly number[]): number => mean(values.map(Math.abs));

/** Summary of errors in SD units. */
export interface ErrorSummary {
  readonly rows: number;
  readonly meanAbs: number;
  /** Mean of the signed errors. */
  readonly bias: number;
}

/** Summary of errors; undefined if there are none. */
export function summarise(errors: readonly number[]): ErrorSummary | undefined {
  if (errors.length === 0) return undefined;
  return { rows: errors.length, meanAbs: meanAbs(errors), bias: mean(errors) };
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
