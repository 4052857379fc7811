import { populationInFull } from '../../shared/populations.js';
import type { Tidy } from '../../widgets/exports.js';
import type { SizesView } from '../address.js';
import type { SizesData } from '../data-types.js';

const HEAD = [
  'product',
  'populations',
  'size',
  'share_of_size',
  'share_of_order',
  'measurement',
  'from_mm',
  'centre_mm',
  'to_mm',
  'tolerance_mm',
  'sizes',
  'share_served',
  'people',
  'version',
] as const;

/** The size chart. Each size and dimension has one row. Lengths are in mm as in the API's answer. */
export function sizesTidy(view: SizesView, data: SizesData): Tidy {
  const { chart, dimensions, artifactVersion } = data;
  const populations = view.populations.map(populationInFull).join('; ');
  const rows = chart.sizes.flatMap(({ name, share, orderShare, ranges }) =>
    ranges.map(({ measurement, from, centre, to }, index) => [
      view.product,
      populations,
      name,
      share,
      orderShare,
      measurement,
      from,
      centre,
      to,
      dimensions[index]?.toleranceMm ?? '',
      chart.sizes.length,
      chart.shareServed,
      chart.people,
      artifactVersion,
    ]),
  );
  return { head: HEAD, rows };
}
