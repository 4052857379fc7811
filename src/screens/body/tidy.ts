import { readingOf } from '../../core/readings.js';
import { MASS_UNITS } from '../../site/labels.js';
import { POPULATION_COLUMNS } from '../shared/population-columns.js';
import type { ChosenPopulation } from '../shared/populations.js';
import { type Columns, tidyTable } from '../shared/table.js';
import { BODY_PERCENTILES, type BodyData, type BodyRow } from './data-types.js';

interface Entry {
  readonly population: ChosenPopulation;
  readonly row: BodyRow;
  readonly statistic: string;
  readonly percentile?: number | undefined;
  readonly value: number;
}

/** The numbers of the populations for other programs. Each row has one number and everything that describes it. */
export function bodyTidy(populations: readonly ChosenPopulation[], data: BodyData) {
  const columns: Columns<Entry> = {
    measurement: ({ row }) => row.measurement,
    ...POPULATION_COLUMNS,
    posture: () => 'standing_erect',
    statistic: ({ statistic }) => statistic,
    percentile: ({ percentile }) => percentile,
    value: ({ value }) => value,
    unit: ({ row }) => MASS_UNITS[row.measurement] ?? 'mm',
    reading: ({ row }) => readingOf(row.measurement),
    grade: ({ row }) => row.evidence?.grade,
    source: ({ row }) => row.evidence?.basis,
    version: () => data.artifactVersion,
  };
  const entries = data.populations.flatMap(({ rows = [] }, index) => {
    const population = populations[index];
    if (population === undefined) return [];
    return rows.flatMap((row): Entry[] => {
      const { meanMm, sdMm, valuesMm, evidence } = row;
      const half = 'half 90 % interval of the median';
      return [
        ...valuesMm.map((value, at) => {
          return {
            population,
            row,
            statistic: 'percentile',
            percentile: BODY_PERCENTILES[at],
            value,
          };
        }),
        { population, row, statistic: 'mean', value: meanMm },
        { population, row, statistic: 'standard deviation', value: sdMm },
        ...(evidence === undefined
          ? []
          : [{ population, row, statistic: half, percentile: 50, value: evidence.errorMm }]),
      ];
    });
  });
  return tidyTable(columns, entries);
}
