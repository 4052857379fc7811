import { GENDERS } from '../../src/core/genders.js';
import { mean } from '../numerics/numbers.js';
import type { AnchorSet } from '../plans/limit-sets.js';
import type { CompletionError } from './completion.js';
import type { DesignedShare, JointShare } from './joint-shares.js';
import { groupBy, share, summarisePoints } from './metrics.js';

/** Joint answers, compared with the persons of the ANSUR surveys. */
export interface PersonScoring {
  readonly shares: readonly JointShare[];
  readonly ranges: readonly DesignedShare[];
  readonly completion: readonly CompletionError[];
}

/**
 * Errors of the shares by survey, gender and number of quantities, in percentage points: predicted − observed.
 */
export function summariseShares(shares: readonly JointShare[]) {
  const keyOf = ({ survey, gender, size }: JointShare): string =>
    `${survey},${gender},${String(size).padStart(2, '0')}`;
  return groupBy(shares, keyOf).map(([key, group]) => {
    const [survey = '', gender = '', size = ''] = key.split(',');
    return {
      ...{ survey, gender, size: Number(size), sets: group.length },
      ...summarisePoints(group.map(({ predicted, observed }) => 100 * (predicted - observed))),
    };
  });
}

/** Range in which the share of people inside designed ranges must lie. */
export const ASKED_DESIGNED: readonly [least: number, most: number] = [0.94, 0.96];

/** Whether the share inside designed ranges lies in `ASKED_DESIGNED`. */
export const isDesigned = ({ observed }: DesignedShare): boolean =>
  observed >= ASKED_DESIGNED[0] && observed <= ASKED_DESIGNED[1];

/** Bounds for the share of people inside the 90 % range of a dimension. */
const DIMENSION_COVERED: readonly [least: number, most: number] = [0.86, 0.94];
const isCovered = ({ covered }: CompletionError): boolean =>
  covered >= DIMENSION_COVERED[0] && covered <= DIMENSION_COVERED[1];

/**
 * Errors of completed persons by survey, gender and set of known quantities: mean absolute error in SD, mean share of
 * people inside the 90 % range, and share of dimensions whose range contains 86 to 94 % of them.
 */
export function summariseCompletion(errors: readonly CompletionError[]) {
  const keyOf = ({ survey, anchors, gender }: CompletionError): string =>
    `${survey},${anchors},${gender}`;
  return groupBy(errors, keyOf).map(([key, group]) => {
    const [survey = '', anchors = '', gender = ''] = key.split(',');
    return {
      survey,
      gender,
      anchors: anchors as AnchorSet,
      dimensions: group.length,
      meanAbs: mean(group.map(({ meanAbs }) => meanAbs)),
      covered: mean(group.map(({ covered }) => covered)),
      dimensionsWithin: share(group, isCovered),
    };
  });
}

/** Figures on persons for the summary. Each is the worst over the surveys and genders. */
export function personFigures({ shares, ranges, completion }: PersonScoring) {
  const summaries = summariseShares(shares);
  const worstShare = (
    wanted: number,
    pick: (summary: (typeof summaries)[number]) => number,
  ): number => Math.max(...summaries.filter(({ size }) => size === wanted).map(pick));
  const completed = (wanted: AnchorSet) =>
    summariseCompletion(completion).filter(
      ({ survey, anchors }) => survey === 'ANSUR I' && anchors === wanted,
    );
  const eight = completed('eight');
  const far = ({ covered }: { readonly covered: number }): number => Math.abs(covered - 0.9);
  const aboutOther = GENDERS.map((of) => {
    const rows = completion.flatMap(({ anchors, gender, aboutOtherMedians }) =>
      anchors === 'eight' && gender === of ? (aboutOtherMedians ?? []) : [],
    );
    return mean(rows);
  });
  const farthest = eight.reduce((worst, summary) => (far(summary) > far(worst) ? summary : worst));
  return {
    // Shares of people within 5, 8 and 12 random limits: mean |error| and its P95, percentage points.
    jointShare5Points: worstShare(5, ({ meanAbs }) => meanAbs),
    jointShare5P95Points: worstShare(5, ({ p95Abs }) => p95Abs),
    jointShare8Points: worstShare(8, ({ meanAbs }) => meanAbs),
    jointShare8P95Points: worstShare(8, ({ p95Abs }) => p95Abs),
    jointShare12Points: worstShare(12, ({ meanAbs }) => meanAbs),
    jointShare12P95Points: worstShare(12, ({ p95Abs }) => p95Abs),
    // Share of designs for 95 % of ANSUR I whose ranges contain 94 to 96 % of its persons.
    designedRangesWithin: share(ranges, isDesigned),
    // Mean |error| in SD of completed persons of ANSUR I, from eight known quantities, and from stature and mass.
    completedGivenEightAbs: Math.max(...eight.map(({ meanAbs }) => meanAbs)),
    completedGivenTwoAbs: Math.max(...completed('two').map(({ meanAbs }) => meanAbs)),
    // The coverage of a 90 % range that is farthest from 90 %, and the lowest about medians of the other survey.
    completedGivenEightCovered90: farthest.covered,
    completedAboutOtherMedians90: Math.min(...aboutOther),
    completedGivenEightDimensionsWithin: Math.min(
      ...eight.map(({ dimensionsWithin }) => dimensionsWithin),
    ),
  };
}
