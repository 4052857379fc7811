import { mean } from '../numerics/numbers.js';
import { ANCHOR_SETS, COMPLETED_NAMES, DESIGNS, PERSON_NAMES, SETS } from '../plans/limit-sets.js';
import { paragraphs, percent, table, three, two } from './markdown.js';
import { groupBy, share } from './metrics.js';
import {
  type CompletionSummary,
  isDesigned,
  type PersonFigures,
  type PersonScoring,
  summariseCompletion,
  summariseShares,
} from './persons.js';

/** A row of the table of goals: what, the goal, the figure reached, and whether it is met. */
export type Goal = readonly [what: string, asked: string, reached: string, met: boolean];

/** Largest 95th percentile of the errors of shares, in percentage points. */
const ASKED_P95_POINTS = 2;

/** The goals of joint answers. */
export function personGoals(s: PersonFigures): Goal[] {
  const shares = (size: 5 | 8 | 12, asked: number): Goal => {
    const [error, p95] = [s[`jointShare${size}Points`], s[`jointShare${size}P95Points`]];
    return [
      `persons of both ANSUR surveys within random limits on ${size} quantities, worst gender`,
      `≤ ${asked.toFixed(1)} points, P95 ≤ ${ASKED_P95_POINTS}`,
      `${three(error)}, P95 ${three(p95)}`,
      error <= asked && p95 <= ASKED_P95_POINTS,
    ];
  };
  const covered = s.completedGivenEightCovered90;
  return [
    shares(5, 0.5),
    shares(8, 0.8),
    shares(12, 1),
    [
      'ranges designed for 95 % that hold 94 to 96 % of the persons of ANSUR I',
      'all designs',
      percent(s.designedRangesWithin),
      s.designedRangesWithin === 1,
    ],
    [
      'persons of ANSUR I completed from eight quantities, mean error, worst gender',
      '≤ 0.40 SD',
      `${three(s.completedGivenEightAbs)} SD`,
      s.completedGivenEightAbs <= 0.4,
    ],
    [
      'the same, 90 % ranges',
      '89 to 91 %; 86 to 94 % for nine dimensions in ten',
      `${percent(covered)}; ${percent(s.completedGivenEightDimensionsWithin)} of the dimensions`,
      Math.abs(covered - 0.9) <= 0.01 && s.completedGivenEightDimensionsWithin >= 0.9,
    ],
    [
      'persons of ANSUR I completed from stature and mass, mean error, worst gender',
      '≤ 0.52 SD',
      `${three(s.completedGivenTwoAbs)} SD`,
      s.completedGivenTwoAbs <= 0.52,
    ],
  ];
}

function shareTable({ shares }: PersonScoring): string {
  return table(
    [
      ...['persons of', 'gender', 'quantities', 'sets', 'mean error, points', '95th percentile'],
      ...['bias', 'mean error if independent'],
    ],
    summariseShares(shares).map((s) => [
      ...[s.survey, s.gender, String(s.size), String(s.sets)],
      ...[s.meanAbs, s.p95Abs, s.bias, s.independentAbs].map(two),
    ]),
  );
}

function rangeTable({ ranges }: PersonScoring): string {
  return table(
    ['gender', 'designs', 'mean share inside', 'least', 'most', '94 to 96 %'],
    groupBy(ranges, ({ gender }) => gender).map(([gender, group]) => {
      const inside = group.map(({ observed }) => observed);
      const figures = [mean(inside), Math.min(...inside), Math.max(...inside)];
      return [
        gender,
        String(group.length),
        ...[...figures, share(group, isDesigned)].map((figure) => percent(figure)),
      ];
    }),
  );
}

function outsideText({ outside }: CompletionSummary): string {
  const sorted = [...outside].sort((a, b) => a.covered - b.covered);
  return sorted.map(({ dimension, covered }) => `${dimension} ${percent(covered)}`).join(', ');
}

function completionTables({ completion }: PersonScoring): string[] {
  const summaries = summariseCompletion(completion);
  return [
    table(
      [
        ...['persons of', 'gender', 'known', 'dimensions', 'mean error, SD'],
        ...['inside 90 % ranges', 'dimensions with 86 to 94 %'],
      ],
      summaries.map((s) => [
        ...[s.survey, s.gender, s.anchors, String(s.dimensions), three(s.meanAbs)],
        ...[percent(s.covered), percent(s.dimensionsWithin)],
      ]),
    ),
    'Dimensions whose 90 % ranges hold less than 86 % or more than 94 %, given eight:',
    table(
      ['persons of', 'dimensions'],
      summaries
        .filter(({ anchors }) => anchors === 'eight')
        .map((s) => [`${s.survey}, ${s.gender}`, outsideText(s)]),
    ),
  ];
}

/** The sections on joint shares, designed ranges and completed persons. */
export function personsSections(scoring: PersonScoring): string {
  return paragraphs([
    '## Joint shares',
    `The share of persons who meet all limits of a set, counted in one ANSUR survey and predicted with the correlations of the other one and the normal copula (\`src/population\`). There are ${SETS} seeded random sets for 5, 8 and 12 of ${PERSON_NAMES.length} quantities. A quantity has a lower limit between P1 and P10 with probability 1/2, and an upper limit between P90 and P99 with probability 0.7. Limits are percentiles of the people counted, so the marginals do not matter. Errors are in percentage points; bias is predicted − counted. The tables have the counts, not the persons (\`data/raw/ansur1-persons\`, \`data/raw/ansur2-persons\`).`,
    shareTable(scoring),
    'The last column treats quantities as independent. Chance is part of each error: a share of 70 % counted among 2,000 people has a standard error of about one point, of which fixed marginals remove a part. With the survey’s own correlations the mean error is about 0.3 points for 5 quantities and 0.45 to 0.7 for 12. That part is chance and the normal copula, which mostly counts too few people inside many limits: persons outside one limit are outside others more often than it says. The rest is the difference between the correlations of the two surveys.',
    '### Designed ranges',
    `Ranges with one equal tail probability at every limited side, found with the correlations of ANSUR II so that 95 % of the people are inside, and the share of the persons of ANSUR I that they hold. There are ${DESIGNS} seeded random designs for each gender, with 2 to 12 quantities limited at the lower side, the upper side or both.`,
    rangeTable(scoring),
    '### Completed persons',
    `${COMPLETED_NAMES.length} dimensions of each person are predicted from known quantities, with the correlations of the other survey: “eight” are ${ANCHOR_SETS.eight.join(', ')}; “two” are ${ANCHOR_SETS.two.join(' and ')}. All are normal scores within the survey, in which \`complete_person\` is linear, so an error of 1 is one SD. The tables of a survey have quantiles of the distances of its persons from its own regression; the errors of the other survey’s regression are these, stretched by the exact variance that its wrong weights add. Compared with the persons themselves, this is right within 0.006 SD and 0.9 percentage points for every dimension of ANSUR I, and the mean over dimensions within 0.1 points.`,
    ...completionTables(scoring),
    'Girths and depths follow the known quantities more closely among the soldiers of 2012, who are heavier; so their ranges are too narrow for ANSUR I and too wide for ANSUR II. Lengths of the women of 2012 follow them less closely than in 1988. Reaches, HipHeight and SittingEyeHeight differ most, which points to the measurement: a dimension with larger errors of reading follows others less. A range that holds for both surveys would need correlations from both, as the released model has.',
  ]);
}

/** The sections’ figures for the machine-readable report. */
export function personsJson(scoring: PersonScoring): object {
  return {
    jointShares: summariseShares(scoring.shares),
    designedRanges: scoring.ranges,
    completion: summariseCompletion(scoring.completion).map(({ outside: _, ...rest }) => rest),
    completionByDimension: scoring.completion,
  };
}
