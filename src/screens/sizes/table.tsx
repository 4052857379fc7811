import type { VNode } from 'preact';
import { numberText } from '../../core/number-text.js';
import { inWords, percent } from '../../site/labels.js';
import { lengthNumber, type ShownUnit } from '../../site/lengths.js';
import { populationInFull } from '../shared/populations.js';
import { type Columns, DataTable, tidyTable } from '../shared/table.js';
import type { SizesView } from './address.js';
import type { SizesData, SizesParts } from './data.js';
import { errorText, numberedText, orderOf } from './texts.js';

/** A range of a size without its unit, such as `173–198`. */
export const rangeNumbers = (fromMm: number, toMm: number, unit: ShownUnit): string =>
  `${lengthNumber(fromMm, unit)}–${lengthNumber(toMm, unit)}`;

/** The size chart as a table. */
export function SizesTable({ view, data, unit }: Omit<SizesParts, 'choose'>): VNode {
  const { chart, dimensions } = data;
  const { total, pieces } = orderOf(view, data);
  return (
    <>
      <DataTable
        class="sizes-table"
        label="Ranges of the sizes"
        caption={`Body measurements in ${unit}. ${numberedText(data)}`}
        head={[
          ...['Size', 'Share', `Of ${numberText(total)}`],
          ...dimensions.map(({ measurement }) => inWords(measurement)),
        ]}
        rows={chart.sizes.map(({ name, ranges, share }, s) => [
          ...[name, percent(share), numberText(pieces[s] ?? 0)],
          ...ranges.map(({ from, to }) => rangeNumbers(from, to, unit)),
        ])}
        foot={[
          ...['All', percent(chart.shareServed), numberText(total)],
          ...dimensions.map(() => ''),
        ]}
      />
      <p class="hint">
        The share of a size is that of the people whom it serves best. Somebody whom two sizes serve
        counts once. Numerical error of the share served: {errorText(data.chart.numericalError)}.
      </p>
    </>
  );
}

type Size = SizesData['chart']['sizes'][number];

interface Cell {
  readonly view: SizesView;
  readonly data: SizesData;
  readonly size: Size;
  readonly range: Size['ranges'][number];
  readonly toleranceMm: number | undefined;
}

const COLUMNS: Columns<Cell> = {
  product: ({ view }) => view.product,
  populations: ({ view }) => view.populations.map(populationInFull).join('; '),
  size: ({ size }) => size.name,
  share_of_size: ({ size }) => size.share,
  share_of_order: ({ size }) => size.orderShare,
  measurement: ({ range }) => range.measurement,
  from_mm: ({ range }) => range.from,
  centre_mm: ({ range }) => range.centre,
  to_mm: ({ range }) => range.to,
  tolerance_mm: ({ toleranceMm }) => toleranceMm,
  sizes: ({ data }) => data.chart.sizes.length,
  share_served: ({ data }) => data.chart.shareServed,
  people: ({ data }) => data.chart.people,
  version: ({ data }) => data.artifactVersion,
};

/** The size chart. Each size and dimension has one row. Lengths are in mm as in the API's answer. */
export function sizesTidy(view: SizesView, data: SizesData) {
  const rows = data.chart.sizes.flatMap((size) =>
    size.ranges.map((range, d): Cell => {
      return { view, data, size, range, toleranceMm: data.dimensions[d]?.toleranceMm };
    }),
  );
  return tidyTable(COLUMNS, rows);
}
