import { DERIVED_FORMULAS } from '../plans/joint-plan.js';
import type { SumError } from './joint-sums.js';
import { paragraphs, percent, table, two } from './markdown.js';
import { groupBy, share } from './metrics.js';

/** Largest error asked for, in SD of the whole. */
export const ASKED_SUM_SD = 0.05;

/** Largest error of a sum over the percentiles. */
export function worstOf({ errorsSd }: SumError): number {
  return Math.max(...errorsSd.map(Math.abs));
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
    `People are built from free dimensions; ${Object.keys(DERIVED_FORMULAS).length} names are derived from them in every person (\`pipeline/plans/joint-plan.ts\`). In one gender and age of every country, from 2 years on, 32,768 points of a Hammersley set are drawn from the correlations of the parts, and the percentiles of their sum (P1, P5, P25, P50, P75, P95, P99) are compared with those of the whole. The sample itself errs by about 0.01 SD. The goal is an error of at most 0.05 SD in every cell.`,
    table(head, rowsOf(built ?? [])),
    'The last column is the largest error at the median. There the whole is the sum of the medians of its parts; only LegRoom, MidHipCircumference and CreaseBehindKneeToAnkle, which have a skewed part, have the median of the sum.',
    'The same sums, written with derived dimensions as parts. They agree as far as the three correlations of a sum fit the three spreads. At ages between two matrices, and where the age of the matrix is far, small differences of large dimensions (EyeScalpDistance, WaistToCrotchLength) miss most.',
    table(head, rowsOf(other ?? [])),
  ]);
}
