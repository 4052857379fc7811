import { exactAge } from '../../shared/populations.js';
import { type Columns, type Tidy, tidyTable } from '../../shared/table.js';
import { apiUnit, type DimensionView } from '../address.js';
import type { Loaded, LoadedChart } from '../data-types.js';
import { dressOf, evidenceText } from '../texts.js';

/** A number with its description. */
interface Entry {
  readonly measurement?: string;
  /** Exact. */
  readonly age?: number;
  readonly country?: string;
  /** Which people of the population are meant, if not all of them. */
  readonly among?: string;
  readonly statistic?: string;
  readonly percentile: number | '';
  readonly value: number;
  readonly isExact: boolean;
  /** By default, the basis of the country's median. */
  readonly source?: string;
}

/** The numbers of a view for other programs: the exact numbers and those that the picture is drawn from. */
export function tidyOf({ data, view }: Loaded): Tidy {
  const countryOf = ({ country = view.countries[0] ?? '' }: Entry) => country;
  const { clothing, posture } = dressOf(view);
  const columns: Columns<Entry> = {
    measurement: ({ measurement = view.measurement }) => measurement,
    gender: () => view.gender,
    age_years: ({ age = exactAge(view.age) }) => age,
    country: countryOf,
    clothing: () => clothing,
    posture: () => posture,
    among: ({ among = 'whole population' }) => among,
    statistic: ({ statistic = 'percentile' }) => statistic,
    percentile: ({ percentile }) => percentile,
    value: ({ value }) => value,
    unit: () => apiUnit(view.unit),
    precision: ({ isExact }) => (isExact ? 'exact' : 'rounded'),
    source: (one) =>
      one.source ?? data.evidence.find(({ country }) => country === countryOf(one))?.basis,
    version: () => data.artifactVersion,
  };
  return tidyTable(columns, entriesOf({ data, view }));
}

function entriesOf({ data, view }: Loaded): Entry[] {
  const { picture } = data;
  if (picture.kind === 'countries') {
    return picture.countries.map((one) => ({
      ...{ country: one.country, percentile: view.percentile, value: one.value, isExact: true },
      source: evidenceText(one),
    }));
  }
  const exact = exactOf(view, data.answer);
  if (picture.kind === 'ages') {
    const { agesYears, lines } = picture;
    const [from, to] = view.ages;
    const rounded = lines.flatMap(({ country, percentile, values }) =>
      values.flatMap((value, index) => {
        const age = agesYears[index] ?? 0;
        if (value === null || age < from || age > to) return [];
        return [{ country, percentile, value, age, isExact: false }];
      }),
    );
    return [...exact, ...rounded];
  }
  const curve = (
    { percentiles, values }: { percentiles: readonly number[]; values: readonly number[] },
    about: Partial<Entry>,
  ) =>
    values.map((value, index) => ({
      ...about,
      percentile: percentiles[index] ?? ('' as const),
      value,
      isExact: false,
    }));
  if (picture.kind === 'distribution') {
    return [...exact, ...picture.curves.flatMap((one) => curve(one, { country: one.country }))];
  }
  const { linked } = view;
  return [
    ...exact,
    ...curve(picture.anchor, {}),
    ...curve(picture.linked, { measurement: linked }),
    ...curve(picture.given, { measurement: linked, among: givenText(view) }),
  ];
}

function givenText({ percentile, measurement }: DimensionView): string {
  return `P${percentile} of ${measurement}`;
}

function exactOf(view: DimensionView, answer: LoadedChart['data']['answer']): Entry[] {
  if (answer === undefined) return [];
  const isExact = true;
  if (view.kind === 'connected') {
    const about = { measurement: view.linked, among: givenText(view), isExact };
    const half = (100 - view.cover) / 2;
    const bounds = [
      { statistic: 'lower bound', percentile: half, value: answer.lowerBound },
      { statistic: 'mean', percentile: '' as const, value: answer.conditionalMean },
      { statistic: 'upper bound', percentile: 100 - half, value: answer.upperBound },
    ];
    return bounds.flatMap(({ value, ...rest }) =>
      value === undefined ? [] : [{ ...about, ...rest, value }],
    );
  }
  if (answer.values !== undefined) {
    return answer.values.map(({ country, percentile = view.percentile, value }) => ({
      ...(country === undefined ? {} : { country }),
      ...{ percentile, value, isExact },
    }));
  }
  const value = view.value ?? answer.value;
  if (value === undefined) return [];
  return [{ percentile: answer.percentile ?? view.percentile, value, isExact }];
}
