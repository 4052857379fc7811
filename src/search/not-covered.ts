import type { MeasurementName } from '../core/measurements.js';
import table from './needs.json' with { type: 'json' };
import { wordsOf } from './terms.js';

// Needs of designers that this service does not cover. A search for such a need would find nothing, or dimensions that
// share a word with it. The answer names the nearest dimensions instead.

/** A need that the service does not cover. */
export interface NotCovered {
  /** The need that the text asks for. */
  readonly need: string;
  /** The nearest measurement, or a statement that there is none. */
  readonly nearest: string;
}

/** A row of `needs.json`. */
interface NeedRow extends NotCovered {
  /** A regular expression of whole words. */
  readonly words: string;
  /** The nearest dimensions. They replace those that the words of the need find. */
  readonly measurements: readonly MeasurementName[];
  /** Whether the results for the words answer a part of the need, such as the width of a wheelchair's seat. */
  readonly keepsFound?: boolean;
}

type Need = Omit<NeedRow, 'words'> & { readonly words: RegExp };

/** The needs that the service does not cover. */
export const NEEDS: readonly Need[] = (table as readonly NeedRow[]).map(({ words, ...row }) => ({
  ...row,
  words: new RegExp(`\\b(${words})\\b`),
}));

/** The needs in a text that the service does not cover. */
export function findNotCovered(text: string): readonly NotCovered[] {
  return needsIn(text).map(({ need, nearest }) => ({ need, nearest }));
}

/** Such a need as sentences. */
export function notCoveredText({ need, nearest }: NotCovered): string {
  return `Not covered: ${need}. ${nearest}`;
}

/** The dimensions to show for a text: those found, or the nearest ones if the need is not covered. */
export function orNearest<Found extends { readonly name: string }>(
  text: string,
  found: readonly Found[],
  all: readonly Found[],
): readonly Found[] {
  const needs = needsIn(text);
  if (needs.length === 0 || needs.some(({ keepsFound }) => keepsFound)) return found;
  const names = needs.flatMap(({ measurements }): readonly string[] => measurements);
  return all.filter(({ name }) => names.includes(name));
}

function needsIn(text: string): readonly Need[] {
  const wanted = wordsOf(text);
  return NEEDS.filter(({ words }) => words.test(wanted));
}
