import { type MeasurementName, measurementIndex } from '../../src/core/measurements.js';
import type { Formula } from './plan.js';

/**
 * One term of a formula: a coefficient times a dimension's median, or a length in mm at the reference
 * stature.
 */
export interface Term {
  readonly coefficient: number;
  readonly of?: MeasurementName;
}

const TERM = /^(?:(\d+(?:\.\d+)?)\s*)?([A-Z]\w*)?$/;

/**
 * Reads the terms of a formula such as `ShoulderHeight - 0.48 HandLength - 50`.
 *
 * @throws Error for any other text
 */
export function parseFormula(formula: Formula): Term[] {
  const parts = formula.split(/\s+([+-])\s+/);
  const terms: Term[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const sign = i > 0 && parts[i - 1] === '-' ? -1 : 1;
    const match = TERM.exec((parts[i] ?? '').trim());
    const [, number, name] = match ?? [];
    if (match === null || (number === undefined && name === undefined)) {
      throw new Error(`cannot read the formula ${formula}`);
    }
    if (name !== undefined && measurementIndex(name) === undefined) {
      throw new Error(`unknown dimension ${name} in ${formula}`);
    }
    const coefficient = sign * Number(number ?? 1);
    terms.push(name === undefined ? { coefficient } : { coefficient, of: name as MeasurementName });
  }
  return terms;
}

/** Value of a formula in mm. Lone numbers scale with `sizeRatio` (stature ÷ reference stature). */
export function evaluate(
  terms: readonly Term[],
  medianMm: (name: MeasurementName) => number,
  sizeRatio: number,
): number {
  return terms.reduce(
    (sum, { coefficient, of }) => sum + coefficient * (of === undefined ? sizeRatio : medianMm(of)),
    0,
  );
}
