import { mean } from '../numerics/numbers.js';
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

/** The section on children's girths. */
export function childrenSection(errors: readonly NhanesError[]): string {
  return paragraphs([
    '## Girths of children',
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
  ]);
}
