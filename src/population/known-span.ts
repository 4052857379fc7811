import type { JointBodies } from './joint.js';

/** Coefficients below this are rounding errors. */
const ZERO = 1e-9;

/** A sum of coefficient × value, by index of the value, plus a constant in mm. */
export interface Sum {
  readonly of: ReadonlyMap<number, number>;
  readonly constantMm: number;
}

/** A length as a sum of free lengths. The deepest place of the trunk counts as free. */
export function freeSum(joint: JointBodies, quantity: number, sizeRatio: number): Sum {
  const terms = joint.derivedOf.get(quantity);
  if (terms === undefined) return { of: new Map([[quantity, 1]]), constantMm: 0 };
  let sum: Sum = { of: new Map(), constantMm: 0 };
  for (const { coefficient, of } of terms) {
    const term = of < 0 ? { of: new Map(), constantMm: sizeRatio } : freeSum(joint, of, sizeRatio);
    sum = plus(sum, coefficient, term);
  }
  return sum;
}

/** sum + factor × other. */
export function plus(sum: Sum, factor: number, other: Sum): Sum {
  const of = new Map(sum.of);
  for (const [index, coefficient] of other.of) {
    const total = (of.get(index) ?? 0) + factor * coefficient;
    if (Math.abs(total) < ZERO) of.delete(index);
    else of.set(index, total);
  }
  return { of, constantMm: sum.constantMm + factor * other.constantMm };
}

/** Finds lengths that follow from known lengths, by Gaussian elimination of their free parts. */
export class KnownSpan {
  private readonly rows: {
    readonly pivot: number;
    readonly free: Sum;
    readonly known: Sum;
  }[] = [];

  /** Number of known lengths that do not follow from each other. */
  get rank(): number {
    return this.rows.length;
  }

  /**
   * Adds known length `index`.
   *
   * @returns if the length follows from earlier ones: the sum of known lengths that is 0 in every person
   */
  add(index: number, free: Sum): Sum | undefined {
    const { rest, known } = this.reduce(free);
    const own = plus({ of: new Map([[index, 1]]), constantMm: 0 }, -1, known);
    const [pivot] = rest.of.keys();
    if (pivot === undefined) return plus(own, -1, { of: new Map(), constantMm: rest.constantMm });
    this.rows.push({ pivot, free: rest, known: own });
    return undefined;
  }

  /** A sum of free lengths as a sum of known lengths; undefined if these do not determine it. */
  inKnown(free: Sum): Sum | undefined {
    const { rest, known } = this.reduce(free);
    if (rest.of.size > 0) return undefined;
    return { of: known.of, constantMm: known.constantMm + rest.constantMm };
  }

  /** Splits a sum of free lengths: rest + known. */
  private reduce(free: Sum): { readonly rest: Sum; readonly known: Sum } {
    let rest = free;
    let known: Sum = { of: new Map(), constantMm: 0 };
    for (const row of this.rows) {
      const coefficient = rest.of.get(row.pivot);
      if (coefficient === undefined) continue;
      const factor = coefficient / (row.free.of.get(row.pivot) as number);
      rest = plus(rest, -factor, row.free);
      known = plus(known, factor, row.known);
    }
    return { rest, known };
  }
}
