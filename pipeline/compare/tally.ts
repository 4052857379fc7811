import type { Movement, Movements } from './comparison.js';

const KEYS = ['p5', 'p50', 'p95'] as const;

/** Sums the movements of P5, P50 and P95 over cells. */
export class Tally {
  #cells = 0;
  readonly #sums = KEYS.map(() => ({ sd: 0, absSd: 0, absMm: 0, maxAbsSd: 0 }));

  /**
   * Adds a cell.
   *
   * @param mm movements of its percentiles in mm
   * @param sdMm its SD in mm
   */
  add(mm: readonly [number, number, number], sdMm: number): void {
    this.#cells += 1;
    this.#sums.forEach((sums, i) => {
      const moved = mm[i];
      sums.sd += moved / sdMm;
      sums.absSd += Math.abs(moved) / sdMm;
      sums.absMm += Math.abs(moved);
      sums.maxAbsSd = Math.max(sums.maxAbsSd, Math.abs(moved) / sdMm);
    });
  }

  /** The movements so far. They are zeros if no cell was added. */
  movements(): Movements {
    const cells = Math.max(1, this.#cells);
    const entries = this.#sums.map(({ sd, absSd, absMm, maxAbsSd }, i) => {
      const movement: Movement = {
        meanSd: round(sd / cells),
        meanAbsSd: round(absSd / cells),
        meanAbsMm: round(absMm / cells),
        maxAbsSd: round(maxAbsSd),
      };
      return [KEYS[i], movement] as const;
    });
    return Object.fromEntries(entries) as unknown as Movements;
  }
}

/** Rounds to the four decimals of the report. This removes rounding errors of sums. */
export function round(value: number): number {
  return Number(value.toFixed(4)) + 0;
}
