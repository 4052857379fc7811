import { paragraphs, percent, table, two } from '../evaluate/markdown.js';
import { groupBy, share } from '../evaluate/metrics.js';
import type { NhanesError } from '../evaluate/us-nhanes.js';

/** Largest error asked for at P0.5 and P99.5, in SD. */
const ASKED_OUTERMOST_SD = 0.25;

const BANDS = [
  ['2–5', 6],
  ['6–11', 12],
  ['12–19', 20],
  ['20–39', 40],
  ['40–59', 60],
  ['60+', 200],
] as const;

/** Mean error of a tail over the age groups of a band, weighted by people. */
interface BandTail {
  readonly measurement: string;
  readonly gender: string;
  readonly band: string;
  readonly percentile: number;
  readonly n: number;
  readonly errorSd: number;
}

/**
 * Errors at P0.5 and P99.5 by age band. A single group of 700 people has three or four beyond such a
 * percentile, so its own standard error is about 0.2 SD.
 */
function outermostBands(errors: readonly NhanesError[]): BandTail[] {
  const outermost = errors.filter(
    ({ status, percentile }) => status === 'fitted' && (percentile === 0.5 || percentile === 99.5),
  );
  const bandOf = (years: number): string =>
    (BANDS.find(([, below]) => years < below) ?? ['60+'])[0];
  const keyOf = ({ measurement, gender, ageYears, percentile }: NhanesError): string =>
    [measurement, gender, bandOf(ageYears), percentile].join('|');
  return groupBy(outermost, keyOf).map(([key, group]) => {
    const [measurement = '', gender = '', band = '', percentile = ''] = key.split('|');
    const n = group.reduce((sum, error) => sum + error.n, 0);
    const errorSd = group.reduce((sum, error) => sum + error.n * error.errorSd, 0) / n;
    return { measurement, gender, band, percentile: Number(percentile), n, errorSd };
  });
}

/** What the study prints. */
export function outermostSection(errors: readonly NhanesError[]): string {
  const bands = outermostBands(errors);
  const rows = groupBy(bands, ({ measurement, gender }) => `${measurement}|${gender}`).flatMap(
    ([key, group]) =>
      [0.5, 99.5].map((percentile) => [
        ...key.split('|'),
        `P${percentile}`,
        ...BANDS.map(([band]) => {
          const found = group.find((tail) => tail.band === band && tail.percentile === percentile);
          return found === undefined ? '–' : two(found.errorSd);
        }),
      ]),
  );
  const within = share(bands, ({ errorSd }) => Math.abs(errorSd) <= ASKED_OUTERMOST_SD);
  return paragraphs([
    '# P0.5 and P99.5 against NHANES',
    `Predicted − NHANES in SD of the group, fitted dimensions, mean over the age groups of a band weighted by people. The goal is 0.25 SD; ${percent(within)} of ${bands.length} cells are within. The upper tails of children’s girths are too long where the families of section 5.5 of \`docs/model.md\` are drawn through P95: heavy children have a P95 far from the median, and their P99.5 is less far than the family says. The skewness is limited to 1.2, and one family of curves serves all ages. A slope of the tail for each dimension and age would help.`,
    table(['dimension', 'gender', 'percentile', ...BANDS.map(([band]) => band)], rows),
  ]);
}
