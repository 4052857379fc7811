import { mean } from '../numerics/numbers.js';
import type { AnchorSet } from '../plans/limit-sets.js';
import type { CompletionError } from './completion.js';
import type { JointShare } from './joint-shares.js';
import { type ErrorSummary, share, summarise, summariseBy } from './metrics.js';

/** Joint answers, compared with the persons of the ANSUR surveys. */
interface PersonScoring {
  readonly shares: readonly JointShare[];
  /** Shares of the persons inside ranges that were designed for 95 % of them. */
  readonly ranges: readonly number[];
  readonly completion: readonly CompletionError[];
}

/** Whether a share inside designed ranges is as asked. */
export const isDesigned = (observed: number): boolean => observed >= 0.94 && observed <= 0.96;

/** Figures on persons for the summary. Each is the worst over the surveys and genders. */
export function personFigures({ shares, ranges, completion }: PersonScoring) {
  const errors = summariseBy(shares, ['survey', 'gender', 'size'], (group) =>
    summarise(group.map(({ points }) => points)),
  );
  const worst = (of: number, pick: (summary: ErrorSummary) => number): number =>
    Math.max(...errors.filter(({ size }) => size === of).map(pick));
  const completed = (wanted: AnchorSet) =>
    summariseBy(
      completion.filter(({ anchors }) => anchors === wanted),
      ['gender'],
      (group) => ({
        meanAbs: mean(group.map(({ meanAbs }) => meanAbs)),
        covered: mean(group.map(({ covered }) => covered)),
        dimensionsWithin: share(group, ({ covered }) => covered >= 0.86 && covered <= 0.94),
      }),
    );
  const [eight, two] = [completed('eight'), completed('two')];
  const far = ({ covered }: { readonly covered: number }): number => Math.abs(covered - 0.9);
  const farthest = eight.reduce((most, summary) => (far(summary) > far(most) ? summary : most));
  return {
    // Shares of people within 5, 8 and 12 random limits: mean |error| and its P95, percentage points.
    jointShare5Points: worst(5, ({ meanAbs }) => meanAbs),
    jointShare5P95Points: worst(5, ({ p95Abs }) => p95Abs),
    jointShare8Points: worst(8, ({ meanAbs }) => meanAbs),
    jointShare8P95Points: worst(8, ({ p95Abs }) => p95Abs),
    jointShare12Points: worst(12, ({ meanAbs }) => meanAbs),
    jointShare12P95Points: worst(12, ({ p95Abs }) => p95Abs),
    // Share of designs for 95 % of ANSUR I whose ranges contain 94 to 96 % of its persons.
    designedRangesWithin: share(ranges, isDesigned),
    // Mean |error| in SD of completed persons of ANSUR I, from eight known quantities, and from stature and mass.
    completedGivenEightAbs: Math.max(...eight.map(({ meanAbs }) => meanAbs)),
    completedGivenTwoAbs: Math.max(...two.map(({ meanAbs }) => meanAbs)),
    // The coverage of a 90 % range that is farthest from 90 %.
    completedGivenEightCovered90: farthest.covered,
    // Share of dimensions whose range contains 86 to 94 % of the persons.
    completedGivenEightDimensionsWithin: Math.min(
      ...eight.map(({ dimensionsWithin }) => dimensionsWithin),
    ),
  };
}
