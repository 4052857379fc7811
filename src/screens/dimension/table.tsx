import type { VNode } from 'preact';
import { numberText } from '../../core/number-text.js';
import { inWords } from '../../site/labels.js';
import { DataTable } from '../shared/table.js';
import type { LoadedChart } from './data-types.js';
import { countryName } from './texts.js';

const EMPTY = '';

type Table = Pick<Parameters<typeof DataTable>[0], 'caption' | 'head'> & {
  readonly rows: readonly (readonly (string | number)[])[];
};

/** The numbers that a picture is drawn from, together with the exact numbers, as HTML. */
export function Numbers(chart: LoadedChart): VNode {
  const { rows, ...table } = tableOf(chart);
  const text = (cell: string | number) => (typeof cell === 'number' ? numberText(cell, 5) : cell);
  return <DataTable {...table} label="Numbers" rows={rows.map((row) => row.map(text))} />;
}

/** The numbers that a picture is drawn from, together with the exact numbers. */
function tableOf({ data, view }: LoadedChart): Table {
  const { picture, answer } = data;
  const { unit } = view;
  const rounded = `in ${unit}, rounded for the picture`;
  if (picture.kind === 'ages') {
    const { agesYears, lines } = picture;
    return {
      caption: `${inWords(view.measurement)} by age, ${rounded}`,
      head: ['Age', ...lines.map((line) => `${countryName(line.country)} P${line.percentile}`)],
      rows: agesYears.map((age, index) => [age, ...lines.map((l) => l.values[index] ?? EMPTY)]),
    };
  }
  if (picture.kind === 'connected') {
    const { anchor, linked, given } = picture;
    const ends = [answer?.lowerBound, answer?.conditionalMean, answer?.upperBound];
    const none = ends.map(() => EMPTY);
    return {
      caption: `Both measurements, ${rounded}; the last three columns are exact`,
      head: [
        'Measurement',
        'Among',
        ...anchor.percentiles.map((p) => `P${p}`),
        'Lower bound',
        'Mean',
        'Upper bound',
      ],
      rows: [
        [inWords(view.measurement), 'whole population', ...anchor.values, ...none],
        [inWords(view.linked), 'whole population', ...linked.values, ...none],
        [
          inWords(view.linked),
          `P${view.percentile} of ${inWords(view.measurement)}`,
          ...given.values,
          ...ends.map((value) => value ?? EMPTY),
        ],
      ],
    };
  }
  const { curves } = picture;
  const exactOf = (country: string, index: number) =>
    answer?.values?.find((one) => one.country === country)?.value ??
    (index === 0 ? (answer?.value ?? EMPTY) : EMPTY);
  const at = view.value === undefined ? view.percentile : answer?.percentile;
  return {
    caption: `${inWords(view.measurement)} at percentiles, ${rounded}; the last column is exact`,
    head: [
      'Country',
      ...(curves[0]?.percentiles ?? []).map((p) => `P${p}`),
      at === undefined ? 'Exact' : `P${at}, exact`,
    ],
    rows: curves.map(({ country, values }, index) => [
      countryName(country),
      ...values,
      exactOf(country, index),
    ]),
  };
}
