import type { Cohort } from './bodies.js';
import type { Market } from './market.js';

/** Of more cohorts than this, a sample stands for all while a search is under way. */
const MANY_COHORTS = 2000;

/**
 * The cohorts of a population, or a sample of them where they are very many: those at even steps of the
 * cumulative weight (systematic sampling; Cochran 1977, Sampling Techniques, chapter 8).
 */
export function sampleCohorts(
  market: Pick<Market, 'cohorts' | 'weights'>,
): Pick<Market, 'cohorts' | 'weights'> {
  const { cohorts, weights } = market;
  if (cohorts.length <= MANY_COHORTS) return market;
  const sampled: Cohort[] = [];
  let reached = 0;
  cohorts.forEach((cohort, c) => {
    reached += weights[c] as number;
    while (sampled.length < MANY_COHORTS && (sampled.length + 0.5) / MANY_COHORTS <= reached) {
      sampled.push(cohort);
    }
  });
  const equal = new Float64Array(sampled.length).fill(1 / sampled.length);
  return { cohorts: sampled, weights: equal };
}
