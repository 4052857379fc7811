import { type View, viewQuery } from '../../src/core/explorer-view.js';
import type { ExactAnswer, Picture } from '../../src/pages/explorer/chart-data-types.js';
import { valueAtAge } from './ages-chart.js';
import { countryName } from './format.js';
import { SmoothCurve } from './smooth-curve.js';
import type { LoadedChart } from './use-chart-data.js';

/** A length in the readout. */
export interface PointNumber {
  readonly label: string;
  readonly value: number;
  /** Number of its series, where the chart has several. */
  readonly series?: number;
}

/** The chosen point of a view. */
export interface Point {
  readonly percentile: number;
  /** The length at that percentile in the first country, where it is known. */
  readonly value?: number | undefined;
  readonly numbers: readonly PointNumber[];
  /** Whether the numbers come from the API; otherwise they are read off the curves. */
  readonly isExact: boolean;
}

/** The chosen point of a view, from the chart that is loaded. */
export function pointOf(view: View, { data, view: loadedView }: LoadedChart): Point {
  const { picture, answer } = data;
  if (answer !== undefined && viewQuery(view) === viewQuery(loadedView)) {
    return { ...exactPoint(view, answer), isExact: true };
  }
  return { ...roughPoint(view, picture), isExact: false };
}

function exactPoint(view: View, answer: ExactAnswer): Omit<Point, 'isExact'> {
  const percentile = answer.percentile ?? view.percentile;
  if (view.kind === 'connected') {
    const { lowerBound = 0, conditionalMean = 0, upperBound = 0 } = answer;
    const numbers = [
      { label: 'Lower bound', value: lowerBound },
      { label: 'Mean', value: conditionalMean },
      { label: 'Upper bound', value: upperBound },
    ];
    // In a connected range, `percentile` belongs to the known dimension.
    return { percentile: view.percentile, numbers };
  }
  if (answer.values !== undefined) {
    const numbers = answer.values.map((one, index) =>
      one.country === undefined
        ? { label: `P${one.percentile}`, value: one.value }
        : { label: countryName(one.country), value: one.value, series: index + 1 },
    );
    return { percentile: view.percentile, value: numbers[0]?.value, numbers };
  }
  const { value = 0 } = answer;
  return { percentile, value, numbers: [{ label: countryName(view.countries[0] ?? ''), value }] };
}

function roughPoint(view: View, picture: Picture): Omit<Point, 'isExact'> {
  const { percentile, countries } = view;
  if (picture.kind === 'distribution') {
    const smooth = picture.curves.map((curve) => new SmoothCurve(curve));
    const at = view.value === undefined ? percentile : clamp(smooth[0]?.percentileOf(view.value));
    const numbers = picture.curves.map(({ country }, index) => ({
      label: countryName(country),
      value: smooth[index]?.valueAt(at) ?? 0,
      ...(countries.length > 1 ? { series: index + 1 } : {}),
    }));
    return { percentile: at, value: view.value ?? numbers[0]?.value, numbers };
  }
  if (picture.kind === 'ages') {
    const several = countries.length > 1;
    const shown = picture.lines.filter((line) => !several || line.percentile === percentile);
    const numbers = shown.flatMap((line) => {
      const value = valueAtAge(picture.agesYears, line, view.age);
      if (value === undefined) return [];
      const label = several ? countryName(line.country) : `P${line.percentile}`;
      return [
        { label, value, ...(several ? { series: countries.indexOf(line.country) + 1 } : {}) },
      ];
    });
    return { percentile, numbers };
  }
  return { percentile, numbers: [] };
}

function clamp(percentile = 50): number {
  return Math.min(99, Math.max(1, percentile));
}
