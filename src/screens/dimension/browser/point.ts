import { exactAge } from '../../shared/populations.js';
import { SmoothCurve } from '../../shared/smooth-curve.js';
import { DIMENSION_ADDRESS, type DimensionView } from '../address.js';
import type { ExactAnswer, LoadedChart, Picture } from '../data-types.js';
import { countryName, percentileText } from '../texts.js';
import { valueAtAge } from './age-lines.js';

/** A number in the readout: a length in the view's unit, or the percentile of a length. */
export interface PointNumber {
  readonly label: string;
  readonly number: number;
  readonly isPercentile?: boolean;
  /** Whether the number comes from the API. If not, it is read from a curve. */
  readonly isExact: boolean;
  /** Country whose evidence gives the error of the number; undefined if it is no median. */
  readonly country?: string | undefined;
  /** Number of the series, if the chart has several. */
  readonly series?: number;
}

/** The chosen point of a view. */
export interface Point {
  readonly percentile: number;
  /** The length at this percentile in the first country, if it is known. */
  readonly value?: number | undefined;
  readonly numbers: readonly PointNumber[];
  /** Whether percentile and length come from the API. If not, they are read from the curves. */
  readonly isExact: boolean;
}

const MEDIAN = 50;

/** The chosen point of a view. Its numbers come from the chart that is loaded. */
export function pointOf(view: DimensionView, { data, view: loadedView }: LoadedChart): Point {
  const { picture, answer } = data;
  const { dataQuery } = DIMENSION_ADDRESS;
  if (answer !== undefined && dataQuery(view) === dataQuery(loadedView)) {
    return { ...exactPoint(view, answer, picture), isExact: true };
  }
  return { ...roughPoint(view, picture), isExact: false };
}

function exactPoint(
  view: DimensionView,
  answer: ExactAnswer,
  picture: Picture,
): Omit<Point, 'isExact'> {
  const [lead = ''] = view.countries;
  const isExact = true;
  // Only the error of a median is known.
  const known = (country: string, percentile = view.percentile) =>
    percentile === MEDIAN ? country : undefined;
  if (view.kind === 'connected') {
    const { lowerBound = 0, conditionalMean = 0, upperBound = 0 } = answer;
    const numbers = [
      { label: 'Lower bound', number: lowerBound, isExact },
      { label: 'Mean', number: conditionalMean, isExact },
      { label: 'Upper bound', number: upperBound, isExact },
    ];
    // In a connected range, `percentile` is that of the known dimension.
    return { percentile: view.percentile, numbers };
  }
  if (answer.values !== undefined) {
    const numbers = answer.values.map(({ country, percentile = 0, value }, index) =>
      country === undefined
        ? {
            label: `P${percentileText(percentile)}`,
            number: value,
            isExact,
            country: known(lead, percentile),
          }
        : {
            label: countryName(country),
            number: value,
            isExact,
            country: known(country),
            series: index + 1,
          },
    );
    // The percentiles of a single country include the chosen percentile.
    const chosen = answer.values.find(({ percentile }) => percentile === view.percentile);
    const value = (chosen ?? answer.values[0])?.value;
    return { percentile: view.percentile, value, numbers };
  }
  const { value = 0, percentile = view.percentile } = answer;
  if (view.value === undefined) {
    const label = countryName(lead);
    return {
      percentile,
      value,
      numbers: [{ label, number: value, isExact, country: known(lead) }],
    };
  }
  return { percentile, value, numbers: percentilesOf(view.value, picture, percentile) };
}

/** The percentiles of a length. In the first country it comes from the API, in the others from their curves. */
function percentilesOf(value: number, picture: Picture, exact?: number): PointNumber[] {
  if (picture.kind !== 'distribution') return [];
  const several = picture.curves.length > 1;
  return picture.curves.map((curve, index) => {
    const isExact = index === 0 && exact !== undefined;
    const number = isExact ? exact : roundTenth(new SmoothCurve(curve).percentileOf(value));
    const series = several ? { series: index + 1 } : {};
    return { label: countryName(curve.country), number, isPercentile: true, isExact, ...series };
  });
}

function roughPoint(view: DimensionView, picture: Picture): Omit<Point, 'isExact'> {
  const { percentile, countries } = view;
  const isExact = false;
  if (picture.kind === 'distribution') {
    const smooth = picture.curves.map((curve) => new SmoothCurve(curve));
    if (view.value !== undefined) {
      const at = clamp(smooth[0]?.percentileOf(view.value));
      return { percentile: at, value: view.value, numbers: percentilesOf(view.value, picture) };
    }
    const numbers = picture.curves.map(({ country }, index) => ({
      label: countryName(country),
      number: smooth[index]?.valueAt(percentile) ?? 0,
      isExact,
      ...(countries.length > 1 ? { series: index + 1 } : {}),
    }));
    return { percentile, value: numbers[0]?.number, numbers };
  }
  if (picture.kind === 'ages') {
    const several = countries.length > 1;
    const shown = picture.lines.filter((line) =>
      several ? line.percentile === percentile : [5, 50, 95, percentile].includes(line.percentile),
    );
    const numbers = shown.flatMap((line) => {
      const number = valueAtAge(picture.agesYears, line, exactAge(view.age));
      if (number === undefined) return [];
      const label = several ? countryName(line.country) : `P${percentileText(line.percentile)}`;
      const series = several ? { series: countries.indexOf(line.country) + 1 } : {};
      return [{ label, number, isExact, ...series }];
    });
    numbers.sort((one, other) => (several ? 0 : one.number - other.number));
    return { percentile, numbers };
  }
  return { percentile, numbers: [] };
}

function roundTenth(number: number): number {
  return Math.round(number * 10) / 10;
}

function clamp(percentile = 50): number {
  return Math.min(99, Math.max(1, percentile));
}
