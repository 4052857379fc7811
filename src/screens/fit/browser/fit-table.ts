import { addressOf } from '../../shared/address-fields.js';
import { type ChosenPopulation, populationLabel } from '../../shared/populations.js';
import type { Table } from '../../widgets/tables.js';
import { FIT_ADDRESS, type FitView, limitRange } from '../address.js';
import type { FitData } from '../data-types.js';

const HEAD = [
  'product',
  'population',
  'gender',
  'countries',
  'age_min_years',
  'age_max_years',
  'clothing',
  'posture',
  'measurement',
  'min',
  'max',
  'unit',
  'share_below',
  'share_above',
  'share_fails_only_here',
  'share_that_fits',
  'people',
  'version',
  'link',
] as const;

/** The shares of a view. Each population and limit has one row. */
export function fitTable(
  view: FitView,
  data: FitData,
  origin: string,
  clothingOf: (population: ChosenPopulation) => string,
): Table {
  const link = `${origin}${addressOf(FIT_ADDRESS, view)}`;
  const rows = data.populations.flatMap(({ share }, index) => {
    const population = view.populations[index];
    if (share === undefined || population === undefined) return [];
    const { gender, countries, ageMin, ageMax } = population;
    return share.answer.limits.map((limit) => [
      view.product,
      populationLabel(population),
      gender ?? 'Both',
      countries.join(' '),
      ageMin,
      ageMax,
      clothingOf(population),
      'standing_erect',
      limit.measurement,
      limit.min ?? '',
      limit.max ?? '',
      limitRange(limit.measurement).unit.trim(),
      limit.below,
      limit.above,
      limit.failsOnlyHere,
      share.answer.share,
      share.answer.people,
      data.artifactVersion,
      link,
    ]);
  });
  return { caption: 'Shares that fit', head: HEAD, rows };
}
