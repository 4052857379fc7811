import { MM_PER_UNIT, type Unit } from './units.js';

/** From this length on, lengths are shown to 1 mm or 0.1 in. Shorter lengths get one digit more. */
const COARSE_FROM_MM = 100;

/**
 * A limit rounded to its safe side for display: down for a maximum, up for a minimum. If someone then enters
 * the shown number, no person is lost.
 */
export function roundedSafely(valueMm: number, side: 'down' | 'up', unit: Unit | 'ft-in'): number {
  const [perUnit, more] = unit === 'mm' ? [1, 0] : [MM_PER_UNIT[unit === 'ft-in' ? 'in' : unit], 1];
  const rounded = (likeMm: number) =>
    toStep(valueMm, perUnit / 10 ** (lengthDigits(likeMm) + more), side);
  const first = rounded(valueMm);
  // Where rounding crosses 100 mm, the length is shown with other digits, so these count.
  const other = rounded(first);
  return lengthDigits(other) === lengthDigits(first) ? other : first;
}

/** The next whole number of steps on a side, rounded to 0.001. */
export function toStep(value: number, step: number, side: 'down' | 'up'): number {
  const steps = value / step;
  const whole = side === 'down' ? Math.floor(steps + 1e-9) : Math.ceil(steps - 1e-9);
  return Math.round(whole * step * 1000) / 1000;
}

/** Digits after the point of a length in mm. */
export function lengthDigits(valueMm: number): number {
  return Math.abs(valueMm) >= COARSE_FROM_MM ? 0 : 1;
}

/**
 * Whole pieces of each size of an order, which sum to the total (largest remainder method; Balinski and Young 2001, Fair
 * Representation).
 *
 * @param shares share of each size, 0 to 1
 */
export function piecesOf(shares: readonly number[], total: number): readonly number[] {
  const exact = shares.map((share) => share * total);
  const pieces = exact.map(Math.floor);
  const left = total - pieces.reduce((sum, number) => sum + number, 0);
  const byRest = exact.map((_, s) => s);
  byRest.sort((a, b) => ((exact[b] as number) % 1) - ((exact[a] as number) % 1));
  for (const s of byRest.slice(0, Math.max(0, left))) pieces[s] = (pieces[s] as number) + 1;
  return pieces;
}
