import { Matrix, solve } from 'ml-matrix';

/** Step of the derivatives. */
const STEP = 1e-4;
/** Maximum number of rounds, and the largest move of an unknown in one of them. */
const ROUNDS = 60;
const LARGEST_MOVE = 0.1;
/** The search ends when no unknown moves by more than this. */
const SOLVED = 1e-7;

const sumOfSquares = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value ** 2, 0);

/**
 * Minimises a sum of squares by the method of Gauss and Newton. A move is limited, and halved until the sum falls. With
 * as many residuals as unknowns, it solves the equations.
 *
 * @returns the best values that were found
 */
export function leastSquares(
  residuals: (x: readonly number[]) => readonly number[],
  start: readonly number[],
): readonly number[] {
  let x = start;
  let at = residuals(x);
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = x.map((_, i) =>
      residuals(x.map((value, k) => (k === i ? value + STEP : value))).map(
        (value, row) => (value - at[row]) / STEP,
      ),
    );
    if (!slopes.flat().every(Number.isFinite)) return x;
    const moves = solve(new Matrix(slopes).transpose(), Matrix.columnVector([...at])).to1DArray();
    const largest = Math.max(...moves.map(Math.abs));
    for (let share = Math.min(1, LARGEST_MOVE / largest); ; share /= 2) {
      if (!(share * largest > SOLVED)) return x;
      const next = x.map((value, i) => value - share * moves[i]);
      const then = residuals(next);
      if (!(sumOfSquares(then) < sumOfSquares(at))) continue;
      [x, at] = [next, then];
      break;
    }
  }
  return x;
}
