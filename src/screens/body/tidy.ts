import { readingOf } from '../../core/readings.js';
import { MASS_UNITS } from '../../site/labels.js';
import { type ChosenPopulation, clothingOf, populationLabel } from '../shared/populations.js';
import { BODY_PERCENTILES, type BodyData } from './data-types.js';

/** The numbers of the populations for other programs. Each row has one number and everything that describes it. */
export function bodyTidy(populations: readonly ChosenPopulation[], data: BodyData) {
  const rows = data.populations.flatMap(({ rows: dimensions = [] }, index) => {
    const population = populations[index];
    if (population === undefined) return [];
    const { gender, countries, ageMin, ageMax } = population;
    return dimensions.flatMap(({ measurement, meanMm, sdMm, valuesMm, evidence }) => {
      const numbers: readonly (readonly [string, number | '', number])[] = [
        ...valuesMm.map((mm, at) => ['percentile', BODY_PERCENTILES[at] ?? '', mm] as const),
        ['mean', '', meanMm],
        ['standard deviation', '', sdMm],
        ...(evidence === undefined
          ? []
          : [['half 90 % interval of the median', 50, evidence.errorMm] as const]),
      ];
      return numbers.map(([statistic, percentile, value]) => [
        ...[
          measurement,
          populationLabel(population),
          gender ?? 'Both',
          countries.join(' '),
          ageMin,
          ageMax,
          clothingOf(population),
        ],
        ...['standing_erect', statistic, percentile, value, MASS_UNITS[measurement] ?? 'mm'],
        ...[readingOf(measurement), evidence?.grade ?? '', evidence?.basis ?? ''],
        data.artifactVersion,
      ]);
    });
  });
  return { head: TIDY_HEAD, rows };
}

/** Columns of the exported tables of dimensions. Each row has one number. */
export const TIDY_HEAD = [
  'measurement',
  'population',
  'gender',
  'countries',
  'age_min_years',
  'age_max_years',
  'clothing',
  'posture',
  'statistic',
  'percentile',
  'value',
  'unit',
  'reading',
  'grade',
  'source',
  'version',
] as const;
