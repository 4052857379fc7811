import { curveInverse, curveSlope } from '../lookup/cell.js';
import { choleskyInPlace, lowerTriangle, squareDistance, symmetric } from './box-probability.js';
import {
  type Cohort,
  CohortCurves,
  type PeopleModel,
  type WeightedCohorts,
} from './people-model.js';

/** Share of independent variance in each quantity. Without it, quantities that repeat each other would dominate. */
const INDEPENDENT = 0.02;

/**
 * For each point, the most probable cohort of a person with these values. This cohort has the largest weight × density
 * (Bayes' theorem under the normal copula of each cohort).
 *
 * @param points values of the quantities, nude and erect, in mm, kg/m² or kg; [point][quantity]
 * @throws Error for a quantity without a model in a cohort
 */
export function likeliestCohorts(
  { peopleModel, cohorts, weights }: WeightedCohorts & { readonly peopleModel: PeopleModel },
  quantities: readonly number[],
  points: readonly (readonly number[])[],
): Cohort[] {
  const curves = new CohortCurves(peopleModel);
  const factors = new Map<string, { factor: Float64Array; logRoot: number }>();
  const k = quantities.length;
  const scores = new Float64Array(k);
  const likeliest = points.map(() => ({ cohort: cohorts[0], most: -Infinity }));
  cohorts.forEach((cohort, c) => {
    curves.at(cohort);
    const key = `${cohort.gender}|${cohort.ageYears}`;
    const known = factors.get(key) ?? factorOf(peopleModel, cohort, quantities);
    factors.set(key, known);
    points.forEach((point, p) => {
      let log = Math.log(weights[c]) - known.logRoot;
      quantities.forEach((quantity, j) => {
        const knots = curves.of(quantity);
        if (knots === undefined) throw new Error(`no model of ${peopleModel.names[quantity]}`);
        const score = curveInverse(knots, point[j]);
        scores[j] = score;
        log -= Math.log(curveSlope(knots, score));
      });
      log -= squareDistance(known.factor, scores) / 2;
      const best = likeliest[p] as { cohort: Cohort | undefined; most: number };
      if (log > best.most) likeliest[p] = { cohort, most: log };
    });
  });
  return likeliest.map(({ cohort }) => cohort);
}

/** Cholesky factor of the correlations in a cohort, and the logarithm of its determinant. */
function factorOf(
  peopleModel: PeopleModel,
  { gender, ageYears }: Cohort,
  quantities: readonly number[],
) {
  const k = quantities.length;
  const factor = lowerTriangle(k, (i, j) => {
    const [a, b] = [quantities[i], quantities[j]];
    return i === j ? 1 : (1 - INDEPENDENT) * peopleModel.rho(gender, ageYears, a, b);
  });
  choleskyInPlace(factor, k);
  const logRoot = quantities.reduce((sum, _, i) => sum + Math.log(symmetric(factor, i, i)), 0);
  return { factor, logRoot };
}
