/** A random number generator with a seed (mulberry32), so that a failed run can be repeated. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  unit(): number;
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** @param seed any whole number */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(unit() * end);
  return {
    unit,
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('There is nothing to pick from.');
      return item;
    },
  };
}
