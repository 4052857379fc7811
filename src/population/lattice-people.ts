import { curveValue } from '../lookup/cell.js';
import { BoxPoints, shifts } from './box-probability.js';
import { Factors, type KeptPeople } from './limits.js';
import { type Cohort, CohortCurves, type Profiles } from './people-model.js';

/** People of a lattice who meet conditions. */
export interface LatticePeople {
  readonly count: number;
  /** Values of each quantity in mm, kg/m² or kg. Each array has `count` values. */
  readonly values: readonly Float64Array[];
  /** Share of the population that each person represents. The shares sum to 1. */
  readonly weights: Float64Array;
}

/**
 * Makes people of a population with a few quantities, under the normal copula of the artifact. Their cohorts are at
 * equal steps of the cumulative weight. Their scores are points of a shifted lattice (Richtmyer 1951) inside the
 * conditions. Shares of these people therefore have smaller errors than shares of randomly drawn people, and their
 * number is exact.
 *
 * @param quantities all different; together with those of the conditions at most `BOX_VARIABLES_MAX`
 * @param profiles of the values
 * @param count number of people
 * @param seed lattices of two seeds are independent
 * @throws Error for a quantity without a model in a cohort
 */
export function latticePeople(
  { peopleModel, cohorts, weights, kept, conditions }: KeptPeople,
  quantities: readonly number[],
  profiles: Profiles,
  count: number,
  seed: number,
): LatticePeople {
  const limited = conditions.quantities;
  const all = [...new Set([...limited, ...quantities])];
  const column = quantities.map((quantity) => all.indexOf(quantity));
  const factors = new Factors(peopleModel, all);
  const source = new BoxPoints(all.length, limited.length);
  source.move(shifts(seed));
  const values = quantities.map(() => new Float64Array(count));
  const shares = new Float64Array(count);
  const curves = new CohortCurves(peopleModel, profiles);
  let [point, reached, total] = [0, 0, 0];
  cohorts.forEach((cohort: Cohort, c) => {
    reached += weights[c];
    const last = c + 1 === cohorts.length;
    const from = point;
    while (point < count && (last || (point + 0.5) / count <= reached)) point++;
    if (point === from) return;
    source.at(factors.of(cohort), conditions, c);
    curves.at(cohort);
    for (let i = from; i < point; i++) {
      shares[i] = source.draw(i + 1) / kept[c];
      total += shares[i];
      quantities.forEach((quantity, q) => {
        const knots = curves.of(quantity);
        if (knots === undefined) throw new Error(`no model of ${peopleModel.names[quantity]}`);
        const score = source.scores[column[q]];
        (values[q] as Float64Array)[i] = curveValue(knots, score);
      });
    }
  });
  return { count, values, weights: shares.map((share) => share / total) };
}
