import { groups } from 'd3-array';
import { mean } from '../numerics/numbers.js';
import { meanAbs } from './metrics.js';

/** Errors in SD: of the model in the year of a survey, and of the model in the reference year. */
export interface YearError {
  /** Who was measured. */
  readonly people: string;
  /** What is compared. */
  readonly quantity: string;
  readonly ownYear: number;
  readonly referenceYear: number;
}

/** Mean absolute errors and biases by people and quantity, in the order in which they first appear. */
export function scoreYears(errors: readonly YearError[]) {
  return groups(errors, ({ people, quantity }) => `${people}|${quantity}`).map(([key, of]) => {
    const own = of.map(({ ownYear }) => ownYear);
    const reference = of.map(({ referenceYear }) => referenceYear);
    const [people, quantity] = key.split('|') as [string, string];
    return {
      ...{ people, quantity, rows: of.length },
      ...{ ownYearAbs: meanAbs(own), referenceYearAbs: meanAbs(reference) },
      ...{ ownYearBias: mean(own), referenceYearBias: mean(reference) },
    };
  });
}
