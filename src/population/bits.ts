/** Bits of a number in a set of bits. */
export const WORD_BITS = 32;

/** Number of bits that are set (Warren 2013, Hacker's Delight, figure 5-2). */
export function bitCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Position of the lowest bit that is set, 0 to 31. */
export function lowestBit(word: number): number {
  return WORD_BITS - 1 - Math.clz32(word & -word);
}
