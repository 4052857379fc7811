import { FREE_NAMES } from './joint-plan.js';
import { drawNames, PERSON_NAMES, uniformNumbers } from './limit-sets.js';

/** Number of pairs of quantities. Two samples are distinguished by the ranks of their people in the pairs. */
export const PAIRS = 300;
/** Bounds of the bins of a rank (0 to 1). Each tail is a bin of its own. */
const BIN_BOUNDS = [0.1, 0.3, 0.7, 0.9] as const;
const BINS = BIN_BOUNDS.length + 1;
/** Number of cells of a pair. A cell is the first quantity’s bin × `BINS` + the second quantity’s bin. */
export const CELLS = BINS * BINS;
/** Each sample is divided at random: a classifier learns from one half and is tested on the other. */
export const HALVES = 2;
const PAIR_SEED = 1982;
const HALF_SEED = 1983;

/** Bin of a rank. */
export function binOf(rank: number): number {
  return BIN_BOUNDS.filter((bound) => rank >= bound).length;
}

/**
 * Random pairs of quantities that no other quantities of a person determine. No pair comes twice, and every
 * run has the same pairs.
 */
export function personPairs(): (readonly [a: string, b: string])[] {
  const random = uniformNumbers(PAIR_SEED);
  const names = PERSON_NAMES.filter((name) => (FREE_NAMES as readonly string[]).includes(name));
  const all = names.flatMap((a, i) => names.slice(i + 1).map((b) => `${a} ${b}`));
  const drawn = drawNames(all, PAIRS, random).sort();
  return drawn.map((pair) => pair.split(' ') as [string, string]);
}

/** Assigns each person of a sample to a half. Every run assigns the same halves. */
export function halvesOf(people: number): Uint8Array {
  const random = uniformNumbers(HALF_SEED);
  return Uint8Array.from({ length: people }, () => Math.floor(HALVES * random()));
}

/**
 * Counts the people of each half in the cells of a pair, by their ranks among the people of the half. Ranks
 * among all people would make the halves opposites: an excess in one would be a lack in the other.
 *
 * @param a ranks of the people in the first quantity, 0 to 1, all different
 * @param b ranks of the people in the second quantity, likewise
 * @returns counts by half and cell
 */
export function countCells(a: Float64Array, b: Float64Array, halves: Uint8Array): number[][] {
  return Array.from({ length: HALVES }, (_, half) => {
    const [binsA, binsB] = [binsWithin(a, halves, half), binsWithin(b, halves, half)];
    const counts = new Array<number>(CELLS).fill(0);
    binsA.forEach((bin, i) => {
      const cell = BINS * bin + (binsB[i] as number);
      counts[cell] = (counts[cell] as number) + 1;
    });
    return counts;
  });
}

/** Bin of each person of a half, in their order. */
function binsWithin(ranks: Float64Array, halves: Uint8Array, half: number): number[] {
  const own = ranks.filter((_, i) => halves[i] === half);
  const order = [...own.keys()].sort((x, y) => (own[x] as number) - (own[y] as number));
  const bins = new Array<number>(own.length).fill(0);
  order.forEach((person, rank) => {
    bins[person] = binOf((rank + 0.5) / own.length);
  });
  return bins;
}

/**
 * Hides counts of few people. If the hidden cells have few people together, the next smallest cell is
 * hidden too, so that their number does not follow from the total.
 *
 * @param minimum minimum number of people in a cell, and in the hidden cells together
 * @returns the counts; a hidden count is undefined
 */
export function hideSmall(counts: readonly number[], minimum: number): (number | undefined)[] {
  const order = counts.map((_, cell) => cell).sort((x, y) => at(x) - at(y) || x - y);
  function at(cell: number): number {
    return counts[cell] as number;
  }
  const hidden = new Set<number>();
  let together = 0;
  for (const cell of order) {
    if (at(cell) >= minimum && (hidden.size === 0 || together >= minimum)) break;
    hidden.add(cell);
    together += at(cell);
  }
  return counts.map((count, cell) => (hidden.has(cell) ? undefined : count));
}
