import { CASES_SHARE, type CaseCalls, LIMIT_RANGES } from './boundary-calls.js';
import { meanAbs } from './metrics.js';
import type { FoldJointShare, FoldLimitShare, NhanesPersons } from './nhanes-persons.js';
import type { SampledPeople } from './sampled-people.js';

/** Answers on populations and people, compared with the United States of the artifact. */
export interface PopulationScoring {
  readonly calls: readonly CaseCalls[];
  readonly sampled: SampledPeople;
  readonly nhanes: NhanesPersons;
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
