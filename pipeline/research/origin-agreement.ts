import { paragraphs, table, two } from '../evaluate/markdown.js';
import { groupBy } from '../evaluate/metrics.js';
import { departuresOf, type SampleContext } from '../fit/calibration/study-regression.js';
import { surveyStudies } from '../fit/calibration/us-studies.js';
import { mean } from '../numerics/numbers.js';
import { ORIGIN_CODES, sharedPlace } from '../plans/regions.js';
import type { Study } from '../raw-tables/studies.js';

/** How well US soldiers of one origin predict the studies of the countries of their ancestors. */
export interface OriginAgreement {
  /** Code of the origin. */
  readonly origin: string;
  /** Countries with studies in the same super-region. */
  readonly countries: number;
  /** Pairs of dimension and gender that both have. */
  readonly pairs: number;
  /** Correlation of the two departures from the regression over the pairs. */
  readonly correlation: number;
  /** Mean absolute departure of the countries' studies from those elsewhere, SD of the dimension. */
  readonly departureSd: number;
  /** The same after the departure of the US soldiers of this origin is taken off. */
  readonly remainingSd: number;
}

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const means = ([0, 1] as const).map((i) => mean(pairs.map((pair) => pair[i])));
  const product = (i: 0 | 1, j: 0 | 1): number =>
    mean(pairs.map((p) => (p[i] - (means[i] as number)) * (p[j] - (means[j] as number))));
  return product(0, 1) / Math.sqrt(product(0, 0) * product(1, 1));
}

/**
 * Compares the departures of US soldiers by origin with those that studies of the same super-region
 * show, each dimension and gender once. The studies' departures are taken against the mean of the
 * studies elsewhere, so that what old surveys have in common cancels. Nothing of one enters the other.
 */
export function originAgreement(
  samples: SampleContext,
  studies: readonly Study[],
): OriginAgreement[] {
  const cellOf = (row: { measurement: string; gender: string }) =>
    `${row.measurement}|${row.gender}`;
  const others = new Map(groupBy(departuresOf(samples, studies), cellOf));
  const abroad = departuresOf(samples, studies).filter(({ doubtful }) => !doubtful);
  const origins = departuresOf(samples, surveyStudies(samples));
  return ORIGIN_CODES.flatMap((origin): OriginAgreement[] => {
    const own = new Map(
      origins.filter(({ country }) => country === origin).map((row) => [cellOf(row), row.inSd]),
    );
    const related = abroad.filter(({ country, ...row }) => {
      return own.has(cellOf(row)) && sharedPlace(country, origin, 'superregion') > 0;
    });
    const cells = groupBy(related, cellOf).flatMap(([cell, rows]) => {
      const elsewhere = (others.get(cell) ?? []).filter(({ country, doubtful }) => {
        return !doubtful && sharedPlace(country, origin, 'superregion') === 0;
      });
      if (elsewhere.length === 0) return [];
      const level = mean(elsewhere.map(({ inSd }) => inSd));
      return [[own.get(cell) as number, mean(rows.map(({ inSd }) => inSd)) - level] as const];
    });
    if (cells.length < 10) return [];
    return [
      {
        origin,
        countries: new Set(related.map(({ country }) => country)).size,
        pairs: cells.length,
        correlation: correlation(cells),
        departureSd: mean(cells.map(([, theirs]) => Math.abs(theirs))),
        remainingSd: mean(cells.map(([ours, theirs]) => Math.abs(theirs - ours))),
      },
    ];
  });
}

function originTable(rows: readonly OriginAgreement[]): string {
  const header = ['origin', 'countries', 'pairs', 'correlation', 'departure', 'after subtraction'];
  return table(
    header,
    rows.map((row) => [
      row.origin,
      String(row.countries),
      String(row.pairs),
      ...[row.correlation, row.departureSd, row.remainingSd].map(two),
    ]),
  );
}

/** What the study prints. */
export function originSection(rows: readonly OriginAgreement[]): string {
  return paragraphs([
    '# US soldiers by origin and the countries of their ancestors',
    'Do US groups by origin predict the departures of other countries? Departures from the regression of ANSUR II’s soldiers of one origin, against those of studies in the same super-region (less the mean of studies elsewhere), each dimension and gender once. The calibration weighs them by the fitted variances (decision 0030).',
    originTable(rows),
  ]);
}
