import { DERIVED_FORMULAS, SKEWED_SUMS } from '../plans/joint-plan.js';
import { SUM_PERCENTILES, type SumError } from './joint-sums.js';
import { paragraphs, percent, table, two } from './markdown.js';
import { groupBy, share } from './metrics.js';

/** Largest error asked for, in SD of the whole. */
export const ASKED_SUM_SD = 0.05;

/** Largest error of a sum over the percentiles; the median of a skewed sum is not among them. */
export function worstOf({ name, errorsSd }: SumError): number {
  const counted = errorsSd.filter((_, i) => {
    const percentile = SUM_PERCENTILES[i] as number;
    return !SKEWED_SUMS.has(name) || percentile < 25 || percentile > 75;
  });
  return Math.max(...counted.map(Math.abs));
}

function written({ formula }: SumError): string {
  return formula
    .map(({ coefficient, of }, i) => {
      const sign = coefficient < 0 ? '− ' : i === 0 ? '' : '+ ';
      const size = Math.abs(coefficient);
      return `${sign}${[size === 1 && of !== undefined ? '' : size, of ?? ''].join(' ').trim()}`;
    })
    .join(' ');
}

function rowsOf(errors: readonly SumError[]): string[][] {
  return groupBy(errors, (error) => `${error.name}|${written(error)}`).map(([key, group]) => {
    const worst = group.reduce((most, error) => (worstOf(error) > worstOf(most) ? error : most));
    const middle = group.map(({ errorsSd }) => Math.abs(errorsSd[3] as number));
    const where = `${worst.country}, ${worst.gender}, ${worst.ageYears}`;
    return [
      ...key.split('|'),
      two(worstOf(worst)),
      where,
      percent(share(group, (error) => worstOf(error) <= ASKED_SUM_SD)),
      two(Math.max(...middle)),
    ];
  });
}

/** The section on sums of parts. */
export function sumsSection(errors: readonly SumError[]): string {
  const head = ['whole', 'parts', 'largest error, SD', 'where', 'cells ≤ 0.05 SD', 'median'];
  const [built, other] = [true, false].map((is) => errors.filter((error) => error.built === is));
  return paragraphs([
    '## Sums of parts',
    `People are built from free dimensions; ${Object.keys(DERIVED_FORMULAS).length} names are derived from them in every person (\`pipeline/plans/joint-plan.ts\`). In one gender and age of every country, from 2 years on, 8,192 points of a Hammersley set are drawn from the correlations of the parts, and the percentiles of their sum (P1, P5, P25, P50, P75, P95, P99) are compared with those of the whole. The sample itself errs by about 0.02 SD. The goal is an error of at most 0.05 SD in every cell.`,
    table(head, rowsOf(built ?? [])),
    'LegRoom, MidHipCircumference and CreaseBehindKneeToAnkle have a skewed part. The service keeps the identity at their median, where the median of the sum is elsewhere; the last column has this difference, and P25 to P75 are not counted for these three.',
    'The same sums, written with derived dimensions as parts. They agree as far as the three correlations of a sum fit the three spreads. At ages between two matrices, and where the age of the matrix is far, small differences of large dimensions (EyeScalpDistance, WaistToCrotchLength) miss most.',
    table(head, rowsOf(other ?? [])),
  ]);
}
