import { groups } from 'd3-array';
import { mean } from '../numerics/numbers.js';

/** Mean of absolute values. */
export const meanAbs = (values: readonly number[]): number => mean(values.map(Math.abs));

/** Summary of errors, in the unit of the errors. */
export interface ErrorSummary {
  readonly rows: number;
  readonly meanAbs: number;
  /** Mean of the signed errors. */
  readonly bias: number;
  /** 95th percentile of the absolute errors (nearest rank). */
  readonly p95Abs: number;
}

/**
 * Summary of errors.
 *
 * @throws Error if there are none
 */
export function summarise(errors: readonly number[]): ErrorSummary {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  const p95Abs = sorted[Math.ceil(0.95 * sorted.length) - 1];
  if (p95Abs === undefined) throw new Error('there are no errors to summarise');
  return { rows: errors.length, meanAbs: meanAbs(errors), bias: mean(errors), p95Abs };
}

/** Groups in the order of their keys' code points. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  return groups(items, keyOf).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Rows in groups by the values of some fields: these values, and a summary of each group. */
export function summariseBy<Row extends object, Name extends keyof Row & string, Summary>(
  rows: readonly Row[],
  names: readonly Name[],
  summary: (group: readonly Row[]) => Summary,
): (Pick<Row, Name> & Summary)[] {
  return groupBy(rows, (row) => names.map((name) => row[name]).join('|')).map(([, group]) => {
    const fields = names.map((name) => [name, group[0]?.[name]]);
    return { ...(Object.fromEntries(fields) as Pick<Row, Name>), ...summary(group) };
  });
}

/** Share of values for which `holds`. */
export function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.length === 0 ? Number.NaN : items.filter(holds).length / items.length;
}

/** Rounds to four decimals, the precision of the figures. */
export function round4(value: number): number {
  return Number(value.toFixed(4));
}
