import { nonDecreasing } from '../../src/numerics/isotonic.js';

/** Relative weight of the grown value, which growth must reach and must not move. */
const GROWN_WEIGHT = 1e9;
/** Rounds of alternating projections. Few rounds suffice, because the constraints seldom meet. */
const ROUNDS = 40;

/** A constraint: `sign` × value + offset must not fall from one age to the next. */
export interface Rise {
  readonly sign: 1 | -1;
  readonly offset?: readonly number[];
}

/**
 * The nearest values that satisfy every rise. The method is Dykstra's alternating projections (Boyle and
 * Dykstra 1986, Lecture Notes in Statistics 37:28), one rise at a time. The last value is that of grown
 * people and is nearly fixed.
 */
export function growthCurve(values: readonly number[], rises: readonly Rise[]): number[] {
  const weights = values.map((_, i) => (i === values.length - 1 ? GROWN_WEIGHT : 1));
  let curve = [...values];
  const corrections = rises.map(() => values.map(() => 0));
  for (let round = 0; round < ROUNDS; round++) {
    let moved = false;
    rises.forEach(({ sign, offset }, r) => {
      const correction = corrections[r];
      const from = curve.map((value, i) => value + correction[i]);
      const signed = from.map((value, i) => sign * value + (offset?.[i] ?? 0));
      const kept = nonDecreasing(signed, weights);
      const next = kept.map((value, i) => sign * (value - (offset?.[i] ?? 0)));
      corrections[r] = from.map((value, i) => value - next[i]);
      moved ||= next.some((value, i) => Math.abs(value - curve[i]) > 1e-9);
      curve = next;
    });
    if (!moved) break;
  }
  return curve;
}
