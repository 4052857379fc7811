import { curveValue } from '../lookup/quantile-curve.js';
import type { Bodies } from './bodies.js';
import { type Cohort, CohortCurves, type Dress } from './bodies.js';
import { latticeScores } from './box-probability.js';
import { type Limit, scoreLimits } from './limits.js';
import type { Market } from './market.js';
import { Factors, shifts } from './share.js';

/** Most people drawn where conditions leave few of them. */
const DRAWN_MAX = 400_000;

/** People of a lattice who meet conditions; each stands for the same share of them. */
export interface LatticePeople {
  readonly count: number;
  /** Values of each quantity in mm, kg/m² or kg, one array of `count` for each. */
  readonly values: readonly Float64Array[];
}

/**
 * People of a population who meet conditions, with a few quantities of each, under the normal copula of
 * the artifact. Their cohorts stand at even steps of the cumulative weight; their scores are points of a
 * shifted lattice (Richtmyer 1951). So shares of them have less error than those of people drawn at
 * random.
 *
 * @param keep conditions
 * @param keptShare share of the population that meets them, 0 to 1
 * @param quantities no two alike; with those of the conditions at most `BOX_VARIABLES_MAX`
 * @param dress of the values
 * @param wanted number of people, about
 * @param seed lattices of two seeds are independent
 * @throws Error for a quantity without a model in a cohort
 */
export function latticePeople(
  { bodies, market, keep, keptShare }: LatticeSource,
  quantities: readonly number[],
  dress: Dress,
  wanted: number,
  seed: number,
): LatticePeople {
  const drawn = Math.min(DRAWN_MAX, Math.ceil(wanted / keptShare));
  const all = [...new Set([...quantities, ...keep.map(({ quantity }) => quantity)])];
  const factors = new Factors(bodies, all);
  const random = shifts(seed);
  const [place, scores] = [new Float64Array(all.length).map(random), new Float64Array(all.length)];
  const columns = quantities.map(() => new Float64Array(drawn));
  const curves = new CohortCurves(bodies, dress);
  let count = 0;
  let point = 0;
  let reached = 0;
  market.cohorts.forEach((cohort, c) => {
    reached += market.weights[c] as number;
    const last = c + 1 === market.cohorts.length;
    const from = point;
    while (point < drawn && (last || (point + 0.5) / drawn <= reached)) point++;
    if (point === from) return;
    const meets = conditionsOf(bodies, cohort, keep, all);
    const factor = factors.of(cohort);
    curves.at(cohort);
    for (let i = from + 1; i <= point; i++) {
      latticeScores(factor, place, i, scores);
      if (!meets(scores)) continue;
      quantities.forEach((quantity, q) => {
        const knots = curves.of(quantity);
        if (knots === undefined) throw new Error(`no model of ${bodies.names[quantity]}`);
        (columns[q] as Float64Array)[count] = curveValue(knots, scores[q] as number);
      });
      count++;
    }
  });
  return { count, values: columns.map((column) => column.subarray(0, count)) };
}

/** The population that lattices are drawn from. */
export interface LatticeSource {
  readonly bodies: Bodies;
  readonly market: Pick<Market, 'cohorts' | 'weights'>;
  readonly keep: readonly Limit[];
  readonly keptShare: number;
}

/** Whether the scores of a person of a cohort meet the conditions. */
function conditionsOf(
  bodies: Bodies,
  cohort: Cohort,
  keep: readonly Limit[],
  quantities: readonly number[],
): (scores: Float64Array) => boolean {
  if (keep.length === 0) return () => true;
  const limits = scoreLimits(bodies, { cohorts: [cohort] }, keep);
  const columns = limits.quantities.map((quantity) => quantities.indexOf(quantity));
  return (scores) =>
    columns.every((column, i) => {
      const score = scores[column] as number;
      return score >= (limits.low[i] as number) && score <= (limits.high[i] as number);
    });
}
