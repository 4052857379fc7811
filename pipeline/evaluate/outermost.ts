import { paragraphs, percent, table, two } from './markdown.js';
import { groupBy, share } from './metrics.js';
import type { NhanesError } from './us-nhanes.js';

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

/** Share of age bands within `ASKED_OUTERMOST_SD` at P0.5 and P99.5. */
export function outermostWithin(errors: readonly NhanesError[]): number {
  return share(outermostBands(errors), ({ errorSd }) => Math.abs(errorSd) <= ASKED_OUTERMOST_SD);
}

/** The section on P0.5 and P99.5. */
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
  return paragraphs([
    '### P0.5 and P99.5 by age band',
    `Predicted − NHANES in SD of the group, fitted dimensions, mean over the age groups of a band weighted by people. The goal is 0.25 SD; ${percent(outermostWithin(errors))} of ${bands.length} cells are within. The tails are fitted to P1 and P99 (section 5.5 of \`docs/model.md\`); P0.5 and P99.5 were not fitted, but they are of the same people. With the tangents alone 79.4 % were within.`,
    table(['dimension', 'gender', 'percentile', ...BANDS.map(([band]) => band)], rows),
  ]);
}
