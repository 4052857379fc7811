import { mean } from '../numerics/numbers.js';
import { FOLD_SETS, FOLD_SIZES, NHANES_FOLDS } from '../plans/nhanes-folds.js';
import { CASES, LIMIT_RANGES } from './boundary-calls.js';
import { paragraphs, percent, table, three, two } from './markdown.js';
import { groupBy, round4 } from './metrics.js';
import type { FoldLimitShare } from './nhanes-persons.js';
import {
  CASES_PERCENT,
  type PopulationFigures,
  type PopulationScoring,
  summariseFolds,
} from './populations.js';
import type { Goal } from './report-joint-shares.js';
import {
  ASKED_MARGINAL_SD,
  ASKED_SAMPLED_SUM_SD,
  CORRELATED_MOST,
  chanceSd,
  SAMPLED,
  SAMPLED_AGE,
} from './sampled-people.js';

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
  ];
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

/** The sections on boundary cases, sampled people and persons of NHANES. */
export function populationsSections(scoring: PopulationScoring): string {
  const { sampled } = scoring;
  const each = Math.round(sampled.people * 0.475);
  return paragraphs([
    '## Populations and people',
    'These figures judge the mathematics of populations (`src/population`) on the United States of the artifact, nude and erect. The evaluation computes that country in memory by the code that writes artifacts.',
    '### Boundary cases',
    `For ${CASES} cases on the boundary of ${CASES_PERCENT} %, a design is called if it fits all of them. The call is wrong where the design accommodates less than ${CASES_PERCENT} % of the people (\`population_share\`). The designs have 2 to 6 quantities, of 50 random sets, for the same men and women. A quantity has a lower limit with probability 1/2 and an upper limit with probability 0.7; a design without limits is drawn again.`,
    callTable(scoring),
    'The usual limits are so narrow that few designs accommodate 90 %, and so few are called that the first row says little. With the wider limits more designs are called. The cases are cautious: most designs that accommodate 90 % are not called, because one case is outside one limit.',
    '### Sampled people',
    `${thousands(sampled.people)} people are sampled as \`sample_people\` does: ${thousands(each)} men and ${thousands(each)} women of ${SAMPLED_AGE} years, and the rest of 2 to 90 years. Identities and orders are checked in everybody. Broken identities: ${sampled.brokenIdentities}; broken orders: ${sampled.brokenOrders}. P1, P5, P25, P50, P75, P95 and P99 of the people of ${SAMPLED_AGE} years are compared with the grid. Chance gives one percentile in 10,000 an error of ${three(chanceSd(50, each))} SD at P50 and of ${three(chanceSd(99, each))} SD at P1 and P99.`,
    marginalTable(scoring),
    missedText(scoring),
    'A sum of parts has in people the distribution that follows from its parts. In the grid its median is the sum of the medians of its parts, except for sums with a skewed part (section 10.6 of `docs/model.md`).',
    `Correlations of the normal scores of the first ${thousands(CORRELATED_MOST)} people of each gender against the matrix of the artifact. Chance alone gives an error of up to ${three(1 / Math.sqrt(CORRELATED_MOST))}.`,
    correlationTable(scoring),
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
  const { calls, sampled, nhanes } = scoring;
  const withoutShares = <T extends { readonly of: unknown }>({ of: _, ...rest }: T) => rest;
  return {
    boundaryCases: calls.map((one) => ({ ...one, least: round4(one.least) })),
    sampled,
    nhanesJoint: summariseFolds(nhanes.joint, ({ period, gender, ages, size }) =>
      [period, gender, ages, size].join(', '),
    ).map(withoutShares),
    nhanesSingle: summariseFolds(nhanes.single, ({ period, gender, ages, quantity }) =>
      [period, gender, ages, quantity].join(', '),
    ).map(withoutShares),
  };
}
