import { mean } from '../fit/numbers.js';
import { FOLD_SETS, FOLD_SIZES, NHANES_FOLDS } from '../model/nhanes-folds.js';
import { BINS, PAIRS } from '../model/person-pairs.js';
import { CASES, LIMIT_RANGES } from './boundary-calls.js';
import { paragraphs, percent, table, three, two } from './markdown.js';
import { groupBy, round4 } from './metrics.js';
import type { FoldLimitShare } from './nhanes-persons.js';
import {
  ASKED_AREA,
  CASES_PERCENT,
  excessOf,
  type PopulationFigures,
  type PopulationScoring,
  summariseFolds,
  summariseToldApart,
} from './populations.js';
import { WIDTH_DESIGNS, WIDTH_SHARE } from './range-widths.js';
import type { Goal } from './report-joint-shares.js';
import {
  ASKED_MARGINAL_SD,
  ASKED_SAMPLED_SUM_SD,
  CORRELATED_MOST,
  chanceSd,
  SAMPLED,
  SAMPLED_AGE,
} from './sampled-people.js';

/** Largest excess of the sum of widths of designed ranges. */
const ASKED_EXCESS = 0.02;
/** Largest share of designs that cases may call wrongly. */
const ASKED_WRONG = 0.01;
const ASKED_RMS = 0.02;

const thousands = (count: number): string => count.toLocaleString('en');

/** The goals of answers on populations and people. */
export function populationGoals(s: PopulationFigures): Goal[] {
  const wrong = (limits: string, figure: number): Goal => [
    `designs that ${CASES} boundary cases wrongly call to fit ${CASES_PERCENT} % of the people, limits ${limits}`,
    `≤ ${100 * ASKED_WRONG} % of 1,000`,
    percent(figure),
    figure <= ASKED_WRONG,
  ];
  const [usual, wider] = LIMIT_RANGES.map(({ name }) => name);
  return [
    [
      'ranges with equal tails over the narrowest ones found, sum of widths in SD',
      `≤ ${100 * ASKED_EXCESS} % wider, all designs`,
      `mean ${percent(s.rangeWidthExcess)}, worst ${percent(s.rangeWidthExcessWorst)}`,
      s.rangeWidthExcessWorst <= ASKED_EXCESS,
    ],
    wrong(usual ?? '', s.caseCallsWrong),
    wrong(wider ?? '', s.caseCallsWrongWider),
    [
      `sampled people with a broken identity or order, of ${thousands(SAMPLED)}`,
      '0 people',
      `${s.sampledBroken}`,
      s.sampledBroken === 0,
    ],
    [
      'sampled people, P1 to P99 of all quantities but sums of parts, largest error',
      `≤ ${two(ASKED_MARGINAL_SD)} SD`,
      `${three(s.sampledMarginalWorst)} SD`,
      s.sampledMarginalWorst <= ASKED_MARGINAL_SD,
    ],
    [
      'the same of sums of parts',
      `≤ ${two(ASKED_SAMPLED_SUM_SD)} SD`,
      `${three(s.sampledSumWorst)} SD`,
      s.sampledSumWorst <= ASKED_SAMPLED_SUM_SD,
    ],
    [
      'correlations of sampled people, root mean square error, worse gender',
      `≤ ${two(ASKED_RMS)}`,
      s.sampledCorrelationRms.toFixed(4),
      s.sampledCorrelationRms <= ASKED_RMS,
    ],
    [
      'sampled people told apart from ANSUR I by pairs better than ANSUR II is, worse gender, mean',
      `≤ ${two(ASKED_AREA)} of the area under the ROC curve`,
      three(s.toldApartExcess),
      s.toldApartExcess <= ASKED_AREA,
    ],
  ];
}

/** The quantities of the design with the largest excess. */
function worstDesign({ widths }: PopulationScoring): string {
  const [worst] = [...widths].sort((a, b) => excessOf(b) - excessOf(a));
  return worst?.names.join(', ') ?? '';
}

function widthTable({ widths }: PopulationScoring): string {
  const excess = (of: readonly number[]): string[] => [mean(of), Math.max(...of)].map(percentTwo);
  return table(
    [
      ...['quantities', 'designs', 'sum of widths, SD', 'mean excess', 'worst'],
      ...['mean excess, tails equal within a quantity', 'worst'],
    ],
    groupBy(widths, ({ names }) => String(names.length)).map(([size, group]) => [
      ...[size, String(group.length)],
      two(mean(group.map(({ equalTails }) => equalTails))),
      ...excess(group.map(excessOf)),
      ...excess(group.map(({ equalTails, best }) => equalTails / best - 1)),
    ]),
  );
}

/** A share (0 to 1) in percent with two decimals. */
function percentTwo(value: number): string {
  return `${two(100 * Math.max(0, value))} %`;
}

function callTable({ calls }: PopulationScoring): string {
  return table(
    [
      ...['limits', 'designs', `accommodate ${CASES_PERCENT} %`, 'called', 'wrongly called'],
      'least share of a called design',
    ],
    calls.map((one) => [
      ...[one.limits, thousands(one.designs), String(one.accommodating), String(one.calls)],
      ...[String(one.wrong), Number.isNaN(one.least) ? '–' : percent(one.least)],
    ]),
  );
}

function marginalTable({ sampled }: PopulationScoring): string {
  return table(
    ['people', 'percentiles', 'mean error, SD', 'largest', 'within the goal'],
    sampled.errors.map(({ gender, sum, percentiles, meanSd, largestSd, within }) => [
      ...[`${gender}, ${sum ? 'sums of parts' : 'other quantities'}`, String(percentiles)],
      ...[three(meanSd), three(largestSd), percent(within)],
    ]),
  );
}

/** The percentiles that miss their goal, by quantity. */
function missedText({ sampled }: PopulationScoring): string {
  const { missed } = sampled;
  if (missed.length === 0) return 'Every percentile reaches its goal.';
  const texts = groupBy(missed, ({ gender, quantity }) => `${quantity} (${gender})`).map(
    ([label, group]) =>
      `${label} ${group.map(({ percentile, errorSd }) => `P${percentile} ${three(errorSd)}`).join(', ')}`,
  );
  return `Percentiles that miss the goal, in SD: ${texts.join('; ')}.`;
}

function correlationTable({ sampled }: PopulationScoring): string {
  return table(
    ['gender', 'pairs', 'root mean square error', 'the same of free quantities'],
    sampled.correlations.map(({ gender, pairs, rms, freeRms }) => [
      ...[gender, thousands(pairs)],
      ...[rms, freeRms].map((value) => value.toFixed(4)),
    ]),
  );
}

function toldApartTable({ toldApart }: PopulationScoring): string {
  return table(
    [
      ...['gender', 'pairs', 'ANSUR II', 'sampled people', 'difference'],
      ...[`pairs with at most ${two(ASKED_AREA)}`, 'sampled people of any BMI'],
    ],
    summariseToldApart(toldApart).map((s) => [
      ...[s.gender, String(s.pairs), three(s.ansur2), three(s.sampled)],
      ...[three(s.sampled - s.ansur2), percent(s.within), three(s.sampledAny)],
    ]),
  );
}

/** The pairs by which sampled people are told apart most, and ANSUR II less. */
function worstPairs({ toldApart }: PopulationScoring): string {
  return [...toldApart]
    .sort((x, y) => y.sampled - y.ansur2 - (x.sampled - x.ansur2))
    .slice(0, 5)
    .map(({ gender, a, b, ansur2, sampled }) => {
      return `${a} and ${b} (${gender}, ${two(sampled)} against ${two(ansur2)})`;
    })
    .join(', ');
}

const foldYear = (period: string): number =>
  NHANES_FOLDS.find((fold) => fold.period === period)?.year ?? Number.NaN;

/** Sets of this many quantities are shown by gender and age band. */
const SHOWN_SIZE = FOLD_SIZES.at(-1);

function nhanesJointTable({ nhanes }: PopulationScoring): string {
  const shown = nhanes.joint.filter(({ size }) => size === SHOWN_SIZE);
  return table(
    [
      ...['period', 'fitted', 'gender, ages', 'sets', 'mean error, points', '95th percentile'],
      ...['bias', 'mean error, 2022'],
    ],
    summariseFolds(shown, ({ period, gender, ages }) => `${period}|${gender}, ${ages}`).map((s) => {
      const [period = '', people = ''] = s.key.split('|');
      return [
        ...[`${period}, as of ${foldYear(period)}`, s.of[0]?.fitted ?? '', people],
        ...[String(s.shares), two(s.meanAbs), two(s.p95Abs), two(s.bias), two(s.referenceAbs)],
      ];
    }),
  );
}

function nhanesPeriodTable({ nhanes }: PopulationScoring): string {
  return table(
    [
      ...['period', 'fitted', 'quantities', 'sets', 'mean error, points', '95th percentile'],
      ...['bias', 'mean error, own marginals', 'by chance', 'mean error, 2022'],
    ],
    summariseFolds(nhanes.joint, ({ period, size }) => `${period}|${size}`).map((s) => {
      const [period = '', size = ''] = s.key.split('|');
      const own = s.of.map((one) => 100 * Math.abs(one.ownMarginals - one.observed));
      return [
        ...[`${period}, as of ${foldYear(period)}`, s.of[0]?.fitted ?? '', size, String(s.shares)],
        ...[two(s.meanAbs), two(s.p95Abs), two(s.bias), two(mean(own))],
        ...[two(100 * mean(s.of.map((one) => one.chance))), two(s.referenceAbs)],
      ];
    }),
  );
}

function nhanesSingleTable({ nhanes }: PopulationScoring): string {
  const periods = NHANES_FOLDS.map(({ period }) => period);
  const column = (label: string, keyOf: (share: FoldLimitShare) => string): string[] => {
    const summaries = summariseFolds(nhanes.single, keyOf);
    return periods.map((period) => {
      const found = summaries.find(({ key }) => key === `${label}|${period}`);
      return found === undefined ? '–' : two(found.meanAbs);
    });
  };
  const quantities = [...new Set(NHANES_FOLDS.flatMap(({ names }) => names))];
  return table(
    ['mean error, points', ...periods],
    [
      ...quantities.map((quantity) => [
        quantity,
        ...column(quantity, (one) => `${one.quantity}|${one.period}`),
      ]),
      ['all', ...column('all', ({ period }) => `all|${period}`)],
    ],
  );
}

/** The sections on designed ranges, boundary cases, sampled people and persons of NHANES. */
export function populationsSections(scoring: PopulationScoring): string {
  const { sampled } = scoring;
  const each = Math.round(sampled.people * 0.475);
  return paragraphs([
    '## Populations and people',
    'These figures judge the mathematics of populations (`src/population`) on the United States of the artifact, nude and erect. The evaluation computes that country in memory by the code that writes artifacts.',
    '### Narrowest ranges',
    `\`design_ranges\` gives every limited side the same tail probability. The table compares the sum of the widths, each in SD of its quantity, with the smallest sum that a pattern search from equal tails finds (Hooke and Jeeves 1961) among all ranges that hold the same ${percent(WIDTH_SHARE)} of the people. In the search every end of every range moves; it may end before the very smallest sum. The last two columns compare with a search in which both tails of a quantity stay equal. There are ${WIDTH_DESIGNS} seeded designs of 2, 3 and 4 free quantities, limited on both sides, for men and women of 20 to 64 years together.`,
    widthTable(scoring),
    `The worst design has ${worstDesign(scoring)}. Breadths of hips are skewed, and the same people have large ones. A limit on the long side saves more width for each person it excludes; so the narrowest ranges exclude many more large people than small ones. Equal tails treat both alike, which is what the operation promises.`,
    '### Boundary cases',
    `For ${CASES} cases on the boundary of ${CASES_PERCENT} %, a design is called if it fits all of them. The call is wrong where the design accommodates less than ${CASES_PERCENT} % of the people (\`population_share\`). The designs have 2 to 6 quantities, of 50 random sets, for the same men and women. A quantity has a lower limit with probability 1/2 and an upper limit with probability 0.7; a design without limits is drawn again.`,
    callTable(scoring),
    'The usual limits are so narrow that few designs accommodate 90 %, and so few are called that the first row says little. With the wider limits more designs are called. The cases are cautious: most designs that accommodate 90 % are not called, because one case is outside one limit.',
    '### Sampled people',
    `${thousands(sampled.people)} people are sampled as \`sample_people\` does: ${thousands(each)} men and ${thousands(each)} women of ${SAMPLED_AGE} years, and the rest of 2 to 90 years. Identities and orders are checked in everybody. Broken identities: ${sampled.brokenIdentities}; broken orders: ${sampled.brokenOrders}. P1, P5, P25, P50, P75, P95 and P99 of the people of ${SAMPLED_AGE} years are compared with the grid. Chance gives one percentile in 10,000 an error of ${three(chanceSd(50, each))} SD at P50 and of ${three(chanceSd(99, each))} SD at P1 and P99.`,
    marginalTable(scoring),
    missedText(scoring),
    'A sum of parts has in people the distribution that follows from its parts. In the grid its median is the sum of the medians of its parts. Both differ where a part is skewed, as in LegRoom, ButtockKneeLength less AbdominalDepth (section 10.6 of `docs/model.md`).',
    `Correlations of the normal scores of the first ${thousands(CORRELATED_MOST)} people of each gender against the matrix of the artifact. Chance alone gives an error of up to ${three(1 / Math.sqrt(CORRELATED_MOST))}.`,
    correlationTable(scoring),
    '### Sampled people told apart from soldiers',
    `A classifier learns from the places of people in two quantities to tell two samples apart. Places are ranks within the sample, and equal readings in whole mm are ordered at random, so the marginals do not matter. The classifier counts both samples in ${BINS} × ${BINS} cells and takes the logarithm of the ratio of the shares in a cell as the score. It learns from a random half of each sample and is tested on the other half, both ways; the table has the mean area under the ROC curve (Hanley and McNeil 1982) over ${PAIRS} random pairs of free quantities. 0.5 is chance. The tables have counts of the persons, not the persons (\`pair_counts.csv\`), so a classifier that sees more than two quantities of a person cannot be scored.`,
    toldApartTable(scoring),
    `“ANSUR II” is how well the persons of ANSUR II are told apart from those of ANSUR I. Sampled people are Americans of 27 years, as many as the persons of ANSUR II, kept so that their BMI is distributed as in ANSUR I. The last column has people of any BMI: girths of people whose BMI differs more correlate more, which the classifier sees. The correlations of the artifact rest on both surveys. Sampled people are told apart best by ${worstPairs(scoring)}. EyeScalpDistance is a difference of two readings in both surveys, where its correlation with ShoulderHeight is 0.15 to 0.30; the artifact gives it the smaller spread of a direct measurement, and a correlation of 0.46 to 0.49.`,
    '### Persons of NHANES',
    `Shares of adults of NHANES inside random limits in mm, kg and kg/m², and the shares that the artifact answers for Americans of the same gender and ages. This judges the whole chain: medians, spreads, tails, correlations and years. For each period, gender and age band there are ${FOLD_SETS} seeded sets of ${FOLD_SIZES.join(' and of ')} of the quantities that the period measured. Lower limits lie between P1 and P10 of the persons (probability 1/2), upper limits between P90 and P99 (probability 0.7). Bodies are those of the year in the middle of the period; the last column has those of the reference year 2022.`,
    '_What is fitted._ The levels and spreads of adults come from the people of 2011–2023, those of calf and thigh from 1999–2006, and the correlations from both. The model is fitted to no body measure of 2007–2010; only the BMI by year of NCD-RisC knows that survey, among many others. So 2007–2010 is the fold that is left out. To leave out another one would need a fit without its people, and tables of the rest.',
    nhanesPeriodTable(scoring),
    '“Own marginals” has the persons’ own shares beyond each single limit, and only the correlations of the artifact. “By chance” is the mean error of a share counted among so many people, with weights as unequal as theirs (Kish 1965); the clusters of NHANES make it larger.',
    `The sets of ${SHOWN_SIZE} quantities by gender and age band:`,
    nhanesJointTable(scoring),
    'The shares below single limits, bodies of the middle of the period:',
    nhanesSingleTable(scoring),
    'Most of the error is in the single limits, not in how quantities go together: with the persons’ own marginals it is less than chance gives, because fixed marginals remove a part of the chance. Stature has the largest errors before 2007 (see “The United States of 2003” below), and the upper leg in 2007–2010. The reference year misses the change of BMI since the survey, which the year of the period corrects.',
  ]);
}

/** The sections’ figures for the machine-readable report. */
export function populationsJson(scoring: PopulationScoring): object {
  const { widths, calls, sampled, toldApart, nhanes } = scoring;
  const withoutShares = <T extends { readonly of: unknown }>({ of: _, ...rest }: T) => rest;
  return {
    ranges: widths,
    boundaryCases: calls.map((one) => ({ ...one, least: round4(one.least) })),
    sampled,
    toldApart: summariseToldApart(toldApart),
    nhanesJoint: summariseFolds(nhanes.joint, ({ period, gender, ages, size }) =>
      [period, gender, ages, size].join(', '),
    ).map(withoutShares),
    nhanesSingle: summariseFolds(nhanes.single, ({ period, gender, ages, quantity }) =>
      [period, gender, ages, quantity].join(', '),
    ).map(withoutShares),
  };
}
