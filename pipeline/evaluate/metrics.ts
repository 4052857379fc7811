import { groups } from 'd3-array';
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

/** Errors of shares in percentage points: the 95th percentile is that of the absolute errors (nearest rank). */
export function summarisePoints(errors: readonly number[]) {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  const p95Abs = sorted[Math.ceil(0.95 * sorted.length) - 1] as number;
  return { meanAbs: mean(sorted), p95Abs, bias: mean(errors) };
}

/** Groups in the order of their keys' code points. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  return groups(items, keyOf).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Share of values for which `holds`. */
export function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.length === 0 ? Number.NaN : items.filter(holds).length / items.length;
}

/** Rounds to four decimals, the precision of the figures. */
export function round4(value: number): number {
  return Number(value.toFixed(4));
}
