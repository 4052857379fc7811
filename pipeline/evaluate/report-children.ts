import { mean } from '../fit/numbers.js';
import type { GirthCurve } from './girth-curves.js';
import { paragraphs, table, two } from './markdown.js';
import { groupBy } from './metrics.js';
import type { NhanesError } from './us-nhanes.js';

/** Age groups of children in the report, years. */
const AGE_GROUPS = [
  [5, 9],
  [9, 12],
  [12, 15],
  [15, 18],
] as const;
/** Girths of children in the report. */
const GIRTHS: ReadonlySet<string> = new Set([
  ...['WaistCircumferenceAbdominal', 'UpperArmCircumferenceMidpoint', 'CalfCircumference'],
]);
/** A fall up to this share is not counted as a hump: less than what the answers are rounded to. */
const HUMP = 0.005;
/** Largest step over its neighbours that is not counted. */
const JUMP = 1.5;

/** Errors of P95 of NHANES' girths at 5 to 17 years: mean signed error by girth and age group. */
export function childGirthErrors(errors: readonly NhanesError[]) {
  const children = errors.filter(
    ({ status, measurement, percentile, ageYears }) =>
      status === 'fitted' && percentile === 95 && GIRTHS.has(measurement) && ageYears < 18,
  );
  return groupBy(children, ({ measurement }) => measurement).map(([measurement, rows]) => ({
    measurement,
    byGroup: AGE_GROUPS.map(([from, to]) => {
      const group = rows.filter(({ ageYears }) => ageYears >= from && ageYears < to);
      return group.length === 0 ? undefined : mean(group.map(({ errorSd }) => errorSd));
    }),
    byYear: mean(rows.filter((row) => row.ageYears >= 5).map(({ errorSd }) => Math.abs(errorSd))),
    noise: mean(rows.filter((row) => row.ageYears >= 5).map(({ twoSe }) => twoSe / 2)),
  }));
}

/** Counts of humps and jumps among the curves. */
export function girthCurveCounts(curves: readonly GirthCurve[]) {
  const stepped = curves.filter(({ percentile }) => percentile !== 99);
  return {
    curves: curves.length,
    humps: curves.filter(({ fall }) => fall > HUMP).length,
    largestFall: Math.max(...curves.map(({ fall }) => fall)),
    jumps: stepped.filter(({ step }) => step > JUMP).length,
    largestStep: Math.max(...stepped.map(({ step }) => step)),
  };
}

/** The section on children's girths. */
export function childrenSection(
  errors: readonly NhanesError[],
  curves: readonly GirthCurve[],
): string {
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
    '## Girths of children and of the young',
    'P95 of waist, arm and calf against NHANES, mean error over the single years of an age group and both genders, in the SD of the year. The last columns are the mean absolute error of a single year, and the standard error of the survey’s own P95 in a single year.',
    table(
      [
        'dimension',
        ...AGE_GROUPS.map(([from, to]) => `${from}–${to - 1}`),
        'one year',
        'its error',
      ],
      childGirthErrors(errors).map(({ measurement, byGroup, byYear, noise }) => [
        measurement,
        ...byGroup.map((error) => (error === undefined ? '' : two(error))),
        two(byYear),
        two(noise),
      ]),
    ),
    `Curves over age of ${counts.curves} girths (dimension, gender, country, percentile). A hump is a fall of more than ${two(100 * HUMP)} % from one age to a later one between 14 and 24 years: ${counts.humps} curves. A step is the change over a year, over the larger of the two steps beside it, from 12 to 25 years; ${counts.jumps} medians and P95 have a step over ${two(JUMP)}.`,
    table(['dimension', 'percentile', 'humps', 'largest fall', 'largest step'], rows),
  ]);
}
