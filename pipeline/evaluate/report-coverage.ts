import type { BinCoverage } from './coverage.js';
import { RANGES } from './coverage.js';
import { type CoverageSummary, pairsOut, summariseCoverage } from './coverage-summary.js';
import { paragraphs, percent, table } from './markdown.js';
import { groupBy } from './metrics.js';

const MOST_LISTED = 60;

function summaryRows(label: string, summaries: readonly CoverageSummary[]): string[][] {
  return summaries.map(({ anchors, pairs, mean, outOfTolerance }) => [
    label,
    anchors === 'all' ? 'all anchors' : `anchors about ${anchors}`,
    String(pairs),
    ...RANGES.map((range) => percent(mean[range])),
    ...RANGES.map((range) => String(outOfTolerance[range])),
  ]);
}

/** Pairs out of tolerance, one row a pair and gender. */
function outRows(bins: readonly BinCoverage[]): string[][] {
  const out = [...pairsOut(bins, 'all'), ...pairsOut(bins, 'P5'), ...pairsOut(bins, 'P95')];
  const keyOf = (pair: (typeof out)[number]): string =>
    `${pair.gender}|${pair.anchor}|${pair.linked}`;
  const off = (group: typeof out): number =>
    Math.max(...group.map(({ covered, range }) => Math.abs(covered[range] - range / 100)));
  return groupBy(out, keyOf)
    .sort(([, a], [, b]) => off(b) - off(a))
    .map(([key, group]) => [
      key.replaceAll('|', ', '),
      group
        .map(({ anchors, range, covered }) => `${anchors} ${range}: ${percent(covered[range])}`)
        .join('; '),
    ]);
}

/** The section on conditional ranges. */
export function coverageSection(
  survey: readonly BinCoverage[],
  model: readonly BinCoverage[],
): string {
  const out = outRows(model);
  return paragraphs([
    '## Conditional ranges on a survey that was not fitted',
    'How many people of ANSUR I fall into the 80, 90 and 95 % ranges of one dimension given another. Correlations come from ANSUR II alone: as they stand there, or as the model computes them for people whose stature and BMI vary as ANSUR I’s do. ANSUR I’s own marginals are taken out by rank. Both genders; a pair counts as out beyond 2 points and 2 standard errors.',
    table(
      [
        ...['correlations', 'anchors', 'pairs', '80 %', '90 %', '95 %'],
        ...['out at 80', 'out at 90', 'out at 95'],
      ],
      [
        ...summaryRows('ANSUR II', summariseCoverage(survey)),
        ...summaryRows('model', summariseCoverage(model)),
      ],
    ),
    `### Pairs out of tolerance with the model’s correlations (${out.length} pairs and genders)`,
    'Neighbouring lengths and girths that share their measuring error and landmarks within one survey (hand breadth and hand girth, heights of the leg): the two surveys took them with other people and tools, and the share of error in common differs. A range that contains more than it says is too wide, not wrong in place.',
    table(['gender, given, asked', 'anchors, range: people inside'], out.slice(0, MOST_LISTED)),
    out.length > MOST_LISTED
      ? `The ${out.length - MOST_LISTED} others are in accuracy.json.`
      : 'These are all.',
  ]);
}
