import type { UsageDay } from '../../ledger/usage.js';

/** The ways to split usage into series. */
export const USAGE_SPLITS = ['operation', 'key'] as const;
/** One way to split usage. */
export type UsageSplit = (typeof USAGE_SPLITS)[number];

/** Numbers of calls, and the credits that they cost. */
export interface UsageCounts {
  readonly calls: number;
  readonly credits: number;
  readonly freeCalls: number;
}

/** Usage of one operation or key, by day. */
export interface UsageSeries {
  readonly name: string;
  readonly days: readonly UsageCounts[];
  readonly total: UsageCounts;
}

/** Maximum number of series in the chart, one per colour. The other series are summed up as `others`. */
const SERIES_MAX = 7;
const NOTHING: UsageCounts = { calls: 0, credits: 0, freeCalls: 0 };

/**
 * Splits usage by operation or by key. The most used comes first.
 *
 * @param days all days of the chart, the oldest first
 * @param nameOf returns the name to show for a key
 */
export function usageSeries(
  usage: readonly UsageDay[],
  days: readonly string[],
  split: UsageSplit,
  nameOf: (keyId: string) => string,
): readonly UsageSeries[] {
  const groups = new Map<string, UsageDay[]>();
  for (const row of usage) {
    const group = split === 'operation' ? row.operation : row.keyId;
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  const series = [...groups].map(([group, rows]) =>
    asSeries(split === 'operation' ? group : nameOf(group), rows, days),
  );
  series.sort((one, other) => other.total.calls - one.total.calls);
  if (series.length <= SERIES_MAX) return series;
  const rest = series.slice(SERIES_MAX - 1);
  return [...series.slice(0, SERIES_MAX - 1), sumOf('others', rest, days)];
}

function asSeries(name: string, rows: readonly UsageDay[], days: readonly string[]): UsageSeries {
  const counts = days.map((day) => sum(rows.filter((row) => row.day === day)));
  return { name, days: counts, total: sum(counts) };
}

function sumOf(name: string, series: readonly UsageSeries[], days: readonly string[]): UsageSeries {
  const counts = days.map((_, index) => sum(series.map((one) => one.days[index] ?? NOTHING)));
  return { name, days: counts, total: sum(counts) };
}

function sum(counts: readonly UsageCounts[]): UsageCounts {
  return counts.reduce(
    (total, { calls, credits, freeCalls }) => ({
      calls: total.calls + calls,
      credits: total.credits + credits,
      freeCalls: total.freeCalls + freeCalls,
    }),
    NOTHING,
  );
}
