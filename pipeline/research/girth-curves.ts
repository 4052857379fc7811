import type { CountryCode } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { zOfPercentile } from '../../src/lookup/quantile-curve.js';
import { paragraphs, table, two } from '../evaluate/markdown.js';
import { groupBy } from '../evaluate/metrics.js';
import type { Population } from '../model/population.js';
import { lnQuantileOf } from '../numerics/marginal.js';
import { interpolate } from '../numerics/numbers.js';

/** Girths whose curves over age are checked. */
export const CURVED_GIRTHS: readonly MeasurementName[] = [
  'WaistCircumferenceAbdominal',
  'HipCircumferenceMax',
  'NeckCircumference',
  'ChestCircumferenceNipple',
  'ThighCircumferenceMidpoint',
  'UpperArmCircumferenceMidpoint',
  'CalfCircumference',
];
/** Percentiles of the curves. */
export const CURVED_PERCENTILES = [50, 95, 99] as const;

/** Birthdays of a curve. Between 20 and 25 years answers are linear, as in the grid. */
const KNOTS = [12, 13, 14, 15, 16, 17, 18, 19, 20, 25];
const BIRTHDAYS = Array.from({ length: 14 }, (_, i) => 12 + i);
/** Ages between which a fall counts as a hump. */
const [HUMPS_FROM, HUMPS_TO] = [14, 24] as const;
/** A step below this share of the girth is no jump, whatever its neighbours are. */
const SMALL_STEP = 0.002;

/** What is wrong with one curve of a girth over age. */
export interface GirthCurve {
  readonly gender: Gender;
  readonly country: CountryCode;
  readonly measurement: MeasurementName;
  readonly percentile: (typeof CURVED_PERCENTILES)[number];
  /** Largest fall from an age to a later one between 14 and 24 years, as a share. */
  readonly fall: number;
  /** Largest yearly step over the larger of the two steps beside it, from 12 to 25 years. */
  readonly step: number;
}

/** Largest fall of the values from an earlier to a later one, as a share of the later one. */
export function largestFall(values: readonly number[]): number {
  let [highest, fall] = [0, 0];
  for (const value of values) {
    highest = Math.max(highest, value);
    fall = Math.max(fall, highest / value - 1);
  }
  return fall;
}

/** Largest step of the values over the larger of its two neighbours; small steps do not count. */
export function largestStep(values: readonly number[]): number {
  let largest = 0;
  for (let i = 1; i < values.length - 2; i++) {
    const at = (k: number): number => Math.abs((values[k + 1] as number) - (values[k] as number));
    if (at(i) < SMALL_STEP * (values[i] as number)) continue;
    largest = Math.max(largest, at(i) / Math.max(at(i - 1), at(i + 1)));
  }
  return largest;
}

/** Checks the girths of one population between 12 and 25 years for humps and jumps. */
export function girthCurves(
  population: Population,
  gender: Gender,
  country: CountryCode,
): GirthCurve[] {
  return CURVED_GIRTHS.flatMap((measurement) => {
    const quantiles = KNOTS.map((age) => lnQuantileOf(population.at(age).marginal(measurement)));
    return CURVED_PERCENTILES.map((percentile) => {
      const z = zOfPercentile(percentile);
      const knots = quantiles.map((quantile) => Math.exp(quantile(z)));
      const values = BIRTHDAYS.map((age) => interpolate(KNOTS, knots, age));
      const hump = values.slice(HUMPS_FROM - 12, HUMPS_TO - 12 + 1);
      return {
        ...{ gender, country, measurement, percentile },
        fall: largestFall(hump),
        step: largestStep(values),
      };
    });
  });
}

/** A fall up to this share is not counted as a hump: less than what the answers are rounded to. */
const HUMP = 0.005;
/** Largest step over its neighbours that is not counted. */
const JUMP = 1.5;

/** Counts of humps and jumps among the curves. */
function girthCurveCounts(curves: readonly GirthCurve[]) {
  const stepped = curves.filter(({ percentile }) => percentile !== 99);
  return {
    curves: curves.length,
    humps: curves.filter(({ fall }) => fall > HUMP).length,
    largestFall: Math.max(...curves.map(({ fall }) => fall)),
    jumps: stepped.filter(({ step }) => step > JUMP).length,
    largestStep: Math.max(...stepped.map(({ step }) => step)),
  };
}

/** What the study prints. */
export function girthSection(curves: readonly GirthCurve[]): string {
  const counts = girthCurveCounts(curves);
  const rows = groupBy(curves, ({ measurement, percentile }) => `${measurement}|${percentile}`).map(
    ([key, group]) => {
      const [name = '', percentile = ''] = key.split('|');
      const falls = group.reduce((a, b) => (b.fall > a.fall ? b : a));
      const steps = group.reduce((a, b) => (b.step > a.step ? b : a));
      const of = ({ country, gender }: GirthCurve) => `${country} ${gender.toLowerCase()}`;
      return [
        ...[name, `P${percentile}`],
        ...[String(group.filter(({ fall }) => fall > HUMP).length)],
        ...[`${two(100 * falls.fall)} % (${of(falls)})`],
        ...[percentile === '99' ? '' : `${two(steps.step)} (${of(steps)})`],
      ];
    },
  );
  return paragraphs([
    '# Curves of girths of the young',
    `Curves over age of ${counts.curves} girths (dimension, gender, country, percentile). A hump is a fall of more than ${two(100 * HUMP)} % from one age to a later one between 14 and 24 years: ${counts.humps} curves. A step is the change over a year, over the larger of the two steps beside it, from 12 to 25 years; ${counts.jumps} medians and P95 have a step over ${two(JUMP)}.`,
    table(['dimension', 'percentile', 'humps', 'largest fall', 'largest step'], rows),
    'Where a curve would fall between 10 and 25 years it is kept level, and at the end of the level part it bends.',
  ]);
}
