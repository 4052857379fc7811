import { RANGES } from './coverage.js';
import { coverageByClass } from './coverage-classes.js';
import { type ExplainedPair, explainPairs } from './coverage-reasons.js';
import type { CoverageRun, CoverageRuns } from './coverage-runs.js';
import { summariseCoverage } from './coverage-summary.js';
import { paragraphs, percent, table } from './markdown.js';
import { groupBy } from './metrics.js';

const MIDDLE_FROM = 30;
const MIDDLE_TO = 70;

function summaryRows({ survey, correlations, bins }: CoverageRun): string[][] {
  return summariseCoverage(bins).map(({ anchors, pairs, mean, outOfTolerance }) => [
    survey,
    correlations,
    anchors === 'all' ? 'all' : `about ${anchors}`,
    String(pairs),
    ...RANGES.map((range) => percent(mean[range])),
    ...RANGES.map((range) => String(outOfTolerance[range])),
  ]);
}

/** NHANES by band of years, all anchors. */
function bandRows(run: CoverageRun): string[][] {
  return groupBy(run.bins, ({ ageGroup }) => ageGroup).map(([band, bins]) => {
    const summaries = summariseCoverage(bins);
    return [
      band,
      String(summaries[0]?.pairs ?? 0),
      ...summaries.flatMap(({ mean }) => [percent(mean[80]), percent(mean[95])]),
    ];
  });
}

/** Coverage by class of pairs at the ends and in the middle of the anchor. */
function classRows({ survey, bins }: CoverageRun): string[][] {
  const cells = coverageByClass(bins);
  return groupBy(cells, ({ pairClass }) => pairClass).map(([pairClass, found]) => {
    const at = (holds: (cell: (typeof found)[number]) => boolean): string[] => {
      const chosen = found.filter(holds);
      const mean = (pick: (cell: (typeof found)[number]) => number): string =>
        percent(chosen.reduce((sum, cell) => sum + pick(cell), 0) / chosen.length);
      return [mean(({ own }) => own[80]), mean(({ predicted }) => predicted[80])].concat([
        mean(({ own }) => own[95]),
        mean(({ predicted }) => predicted[95]),
      ]);
    };
    return [
      survey,
      pairClass,
      ...at(({ lowPct }) => lowPct === 0),
      ...at(({ lowPct, highPct }) => lowPct >= MIDDLE_FROM && highPct <= MIDDLE_TO),
      ...at(({ highPct }) => highPct === 100),
    ];
  });
}

function outRow({ out, reason }: ExplainedPair): string[] {
  const { gender, anchor, linked } = out[0] as ExplainedPair['out'][number];
  const where = out.map(({ anchors, range, covered }) => {
    return `${anchors} ${range}: ${percent(covered[range])}`;
  });
  return [[gender, anchor, linked].join(', '), where.join('; '), reason];
}

const ofSurvey = (runs: CoverageRuns, survey: string): CoverageRun[] =>
  [runs.model, ...runs.others].filter((run) => run.survey === survey && run.inSample !== true);

/** The section on conditional ranges. */
export function coverageSection(runs: CoverageRuns): string {
  const explained = explainPairs(runs.model.bins, runs.model.witnesses);
  const shape = ['own 80', '80 %', 'own 95', '95 %'];
  const nhanes = ofSurvey(runs, 'NHANES')[0] as CoverageRun;
  const usaf = ofSurvey(runs, 'USAF 1967')[0] as CoverageRun;
  const ansur2 = ofSurvey(runs, 'ANSUR II')[0] as CoverageRun;
  return paragraphs([
    '## Conditional ranges of surveys that were not fitted, and of NHANES, which was fitted in part',
    'The share of a survey’s people who fall into the 80, 90 and 95 % ranges of one dimension given another. Ranks remove the survey’s own marginals. The correlations come from other surveys, for people whose stature and BMI vary as those of this survey. The released model pools both ANSUR surveys; the model scored on ANSUR I is fitted without it. Each gender (and age band) of a pair counts as out of tolerance beyond 2 percentage points and 2 standard errors.',
    table(
      [
        ...['people of', 'correlations', 'anchors', 'pairs', '80 %', '90 %', '95 %'],
        ...['out at 80', 'out at 90', 'out at 95'],
      ],
      [runs.model, ...runs.others].flatMap(summaryRows),
    ),
    'No run on NHANES is wholly unseen. The spread of stature and BMI is the model’s own fit to these people; so are the slopes and residual SDs of the dimensions that NHANES measures. The first run has not seen the correlations of the residuals: they come from soldiers and Snyder’s children. The last rows take them from NHANES and are wholly in-sample. NHANES measures the waist at the iliac crest, the sagittal depth lying, and the upper arm along its back.',
    table(
      [
        ...['NHANES, partly in-sample (residual correlations not seen)', 'pairs', '80 %', '95 %'],
        ...['P5: 80 %', '95 %', 'P95: 80 %', '95 %'],
      ],
      bandRows(nhanes),
    ),
    '### The copula in the tails',
    'Mean coverage by class of pairs where the anchor is in its lowest tenth, between P30 and P70, and in its highest tenth. “Own” uses the survey’s own correlation. Its errors come from the normal copula: the true spread changes with the anchor, or the line is bent.',
    table(
      [
        ...['people of', 'class'],
        ...['low', 'middle', 'high'].flatMap((at) => shape.map((figure) => `${at}: ${figure}`)),
      ],
      [runs.model, ansur2, usaf, nhanes].flatMap(classRows),
    ),
    '![80 % ranges by class of pairs](accuracy/conditional-ranges.svg)',
    `### Pairs out of tolerance with the model’s correlations (${explained.length} pairs and genders of ANSUR I)`,
    'The reasons are computed from the survey’s bins and from the other surveys’ own correlations (in brackets). A range that contains more people than it should is too wide, but in the right place.<!-- team: begin --> The pairs of the other surveys are in `accuracy.json`.<!-- team: end -->',
    table(
      ['gender, given, asked', 'anchors, range: people inside', 'reason'],
      explained.map(outRow),
    ),
  ]);
}

/** The section’s figures for the machine-readable report. */
export function coverageJson(runs: CoverageRuns): object {
  return [runs.model, ...runs.others].map((run) => ({
    survey: run.survey,
    correlations: run.correlations,
    inSample: run.inSample,
    summary: summariseCoverage(run.bins),
    byClass: coverageByClass(run.bins),
    out: explainPairs(run.bins, run.witnesses).map(({ out, reason }) => ({
      pair: `${out[0]?.gender}, ${out[0]?.ageGroup}, ${out[0]?.anchor}, ${out[0]?.linked}`,
      out: out.map(({ anchors, range, covered }) => [anchors, range, covered[range]]),
      reason,
    })),
  }));
}
