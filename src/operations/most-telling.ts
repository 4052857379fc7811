import { GENDERS, type Gender } from '../core/genders.js';
import type { PeopleModel } from '../population/people-model.js';

/** Variance of the error of a measurement, as a share of its variance between people. */
const ERROR_VARIANCE = 0.02;

/**
 * Orders measurements by how much they say about others. Each next one reduces the sum of the variances of
 * `targets` most, given those before it, in the joint distribution of people of this gender and age.
 *
 * @param names measurements that are known, each once
 * @param targets measurements to be estimated
 */
export function mostTelling(
  names: readonly string[],
  targets: readonly string[],
  { gender, age }: { readonly gender: Gender; readonly age: number },
  peopleModel: PeopleModel,
): string[] {
  const all = [...new Set([...names, ...targets])];
  const quantities = all.map((name) => peopleModel.indexOf(name));
  const aims = targets.map((name) => all.indexOf(name));
  // Covariances of the standard scores, given the chosen measurements.
  const covariances = quantities.map((a) =>
    Float64Array.from(quantities, (b) => {
      const rho = peopleModel.rho(GENDERS.indexOf(gender), age, a, b);
      return Number.isNaN(rho) ? 0 : rho;
    }),
  );
  const gainOf = (i: number): number => {
    const row = covariances[i];
    const sum = aims.reduce((gain, aim) => gain + row[aim] ** 2, 0);
    return sum / (row[i] + ERROR_VARIANCE);
  };
  const left = new Set(names.keys());
  const order: string[] = [];
  while (left.size > 0) {
    const gains = [...left].map((i) => [i, gainOf(i)] as const);
    const [next] = gains.reduce((most, one) => (one[1] > most[1] ? one : most));
    left.delete(next);
    order.push(names[next]);
    const chosen = Float64Array.from(covariances[next]);
    const variance = chosen[next] + ERROR_VARIANCE;
    for (const [i, row] of covariances.entries()) {
      const share = chosen[i] / variance;
      for (let j = 0; j < row.length; j++) row[j] -= share * chosen[j];
    }
  }
  return order;
}
