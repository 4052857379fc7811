/** A random number generator with a seed (SplitMix, Steele et al. 2014). It gives the same numbers in every run. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  unit(): number;
  /** A normal number with mean 0 and SD 1 (Box–Muller). */
  normal(): number;
  /** A whole number from 0 to `end`, without `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** @param seed any whole number */
export function seeded(seed: number): Random {
  let state = seed;
  const unit = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(unit() * end);
  return {
    unit,
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('There is nothing to pick from.');
      return item;
    },
  };
}
