import { mean } from '../numerics/numbers.js';
import { CASES_SHARE, type CaseCalls, LIMIT_RANGES } from './boundary-calls.js';
import { groupBy, meanAbs } from './metrics.js';
import type { FoldJointShare, FoldLimitShare, NhanesPersons } from './nhanes-persons.js';
import type { SampledPeople } from './sampled-people.js';

/** Answers on populations and people, compared with the United States of the artifact. */
export interface PopulationScoring {
  readonly calls: readonly CaseCalls[];
  readonly sampled: SampledPeople;
  readonly nhanes: NhanesPersons;
}

/** Errors of predicted shares of persons of NHANES, in percentage points. */
export interface FoldSummary {
  readonly key: string;
  readonly shares: number;
  readonly meanAbs: number;
  /** 95th percentile of the absolute errors (nearest rank). */
  readonly p95Abs: number;
  /** Mean of predicted − counted. */
  readonly bias: number;
  /** Mean absolute error with bodies of the reference year. */
  readonly referenceAbs: number;
}

/** Errors by a key. */
export function summariseFolds<T extends FoldJointShare | FoldLimitShare>(
  shares: readonly T[],
  keyOf: (share: T) => string,
): (FoldSummary & { readonly of: readonly T[] })[] {
  return groupBy(shares, keyOf).map(([key, group]) => {
    const errors = group.map(({ ownYear, observed }) => 100 * (ownYear - observed));
    const sorted = errors.map(Math.abs).sort((a, b) => a - b);
    return {
      ...{ key, shares: group.length, of: group },
      meanAbs: mean(sorted),
      p95Abs: sorted[Math.ceil(0.95 * sorted.length) - 1] as number,
      bias: mean(errors),
      referenceAbs: mean(
        group.map(({ referenceYear, observed }) => 100 * Math.abs(referenceYear - observed)),
      ),
    };
  });
}

/** Figures on populations and people for the summary. */
export function populationFigures({ calls, nhanes }: PopulationScoring) {
  const wrong = (at: number): number => {
    const { wrong: count, designs } = calls[at] as CaseCalls;
    return count / designs;
  };
  const unfitted = (shares: readonly (FoldJointShare | FoldLimitShare)[]): number => {
    const chosen = shares.filter(({ fitted }) => fitted === 'none');
    return 100 * meanAbs(chosen.map(({ ownYear, observed }) => ownYear - observed));
  };
  return {
    // Share of wrong calls of boundary cases on random designs, with the usual limits and with wider limits.
    caseCallsWrong: wrong(0),
    caseCallsWrongWider: wrong(LIMIT_RANGES.length - 1),
    // Mean |error| of shares, percentage points, for persons of NHANES 2007–2010, which the model is not fitted to.
    nhanesUnfittedJointPoints: unfitted(nhanes.joint),
    nhanesUnfittedSinglePoints: unfitted(nhanes.single),
  };
}

/** Share of people, in percent, whom the cases stand for. */
export const CASES_PERCENT = Math.round(100 * CASES_SHARE);
