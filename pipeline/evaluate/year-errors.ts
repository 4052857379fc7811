import { mean } from '../numerics/numbers.js';
import { groupBy, meanAbs } from './metrics.js';

/** Errors in SD: of the model in the year of a survey, and of the model in the reference year. */
export interface YearError {
  /** Who was measured. */
  readonly people: string;
  /** What is compared. */
  readonly quantity: string;
  readonly ownYear: number;
  readonly referenceYear: number;
}

/** Mean absolute errors and biases of one quantity in one group of people. */
export interface YearScore {
  readonly people: string;
  readonly quantity: string;
  readonly rows: number;
  readonly ownYearAbs: number;
  readonly referenceYearAbs: number;
  readonly ownYearBias: number;
  readonly referenceYearBias: number;
}

/** Scores by people and quantity, in the order in which they first appear. */
export function scoreYears(errors: readonly YearError[]): YearScore[] {
  const order = [...new Set(errors.map(({ people, quantity }) => `${people}|${quantity}`))];
  const groups = new Map(groupBy(errors, ({ people, quantity }) => `${people}|${quantity}`));
  return order.map((key) => {
    const of = groups.get(key) as YearError[];
    const own = of.map(({ ownYear }) => ownYear);
    const reference = of.map(({ referenceYear }) => referenceYear);
    const [people, quantity] = key.split('|') as [string, string];
    return {
      people,
      quantity,
      rows: of.length,
      ownYearAbs: meanAbs(own),
      referenceYearAbs: meanAbs(reference),
      ownYearBias: mean(own),
      referenceYearBias: mean(reference),
    };
  });
}
