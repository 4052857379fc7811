import { BoundedMap } from '../core/bounded-map.js';
import { editDistance } from '../core/edit-distance.js';
import { bodyQuantityNamed } from '../search/body-quantities.js';
import { countryNamed, countrySetNamed } from '../search/countries.js';
import { measurementNamed } from '../search/measurements.js';
import { findNotCovered, notCoveredText } from '../search/not-covered.js';
import { valueNamed } from '../search/values.js';
import { type ListName, listOf } from './fields.js';

/** Longer names are not compared with the measurements, because a spelling mistake is never so long. */
const LONGEST_SUGGESTED_CHARS = 40;
/** Country codes are too similar for an edit distance to be useful. Sets of countries have longer names. */
const SHORTEST_SIMILAR_CHARS = 4;
/** Hints remembered: programs repeat their mistakes. */
const REMEMBERED_MAX = 1000;

/** A name of a list, prepared for comparisons. */
interface Candidate {
  readonly name: string;
  readonly lower: string;
  /** One bit for each letter that the name has. */
  readonly letters: number;
}

/** A list of names, prepared once. */
interface Prepared {
  readonly list: ListName | undefined;
  readonly candidates: readonly Candidate[];
  readonly byLower: ReadonlyMap<string, string>;
  readonly remembered: BoundedMap<string, string | undefined>;
}

const prepared = new WeakMap<readonly string[], Prepared>();

/**
 * A sentence about an unknown name: that the service does not cover what it names, or which name of the list was
 * probably meant. Undefined if no name is near enough.
 */
export function nameHint(found: string, allowed: readonly string[]): string | undefined {
  if (found.length > LONGEST_SUGGESTED_CHARS) return undefined;
  const names = prepared.get(allowed) ?? prepare(allowed);
  if (names.remembered.has(found)) return names.remembered.get(found);
  const hint = hintOf(found.trim(), names);
  names.remembered.set(found, hint);
  return hint;
}

function hintOf(found: string, names: Prepared): string | undefined {
  const isKnown = names.byLower.has(found.toLowerCase());
  // A need that is not covered is often spelt like a dimension that is another one.
  const [missing] = OF_MEASUREMENTS.has(names.list) && !isKnown ? findNotCovered(found) : [];
  if (missing !== undefined) return notCoveredText(missing);
  const near = find(found, names);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

function prepare(allowed: readonly string[]): Prepared {
  const candidates = allowed.map((name) => {
    const lower = name.toLowerCase();
    return { name, lower, letters: lettersOf(lower) };
  });
  const byLower = new Map(candidates.map(({ name, lower }) => [lower, name]));
  const remembered = new BoundedMap<string, string | undefined>(REMEMBERED_MAX);
  const names = { list: listOf(allowed), candidates, byLower, remembered };
  prepared.set(allowed, names);
  return names;
}

/** Lists of measurements. Their names are long enough for an edit distance. */
const OF_MEASUREMENTS: ReadonlySet<ListName | undefined> = new Set([
  'measurements',
  'bodyMeasurements',
]);
function find(found: string, { list, candidates, byLower }: Prepared): string | undefined {
  const wanted = found.toLowerCase();
  const same = byLower.get(wanted);
  if (same !== undefined) return same;
  const ofMeasurements = OF_MEASUREMENTS.has(list);
  const known = ofMeasurements ? quantityNamed(found) : placeOrValue(found, byLower);
  if (known !== undefined && byLower.has(known.toLowerCase())) return known;
  // The codes of countries are too similar, and a message contains short lists completely.
  if (!ofMeasurements && (list !== undefined || wanted.length < SHORTEST_SIMILAR_CHARS)) {
    return undefined;
  }
  const letters = lettersOf(wanted);
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const { name, lower, letters: own } of candidates) {
    if (!ofMeasurements && lower.length < SHORTEST_SIMILAR_CHARS) continue;
    if (Math.abs(lower.length - wanted.length) >= least) continue;
    // Each edit adds at most one letter and removes at most one.
    if (Math.max(bits(letters & ~own), bits(own & ~letters)) >= least) continue;
    const away = editDistance(wanted, lower, least);
    if (away < least) [best, least] = [name, away];
  }
  return best;
}

/** The measurement, or the quantity of the whole body, that everyday words mean. */
function quantityNamed(found: string): string | undefined {
  return bodyQuantityNamed(found) ?? measurementNamed(found)?.name;
}

/** The country, the set of countries or the value of a short list that a word means. */
function placeOrValue(found: string, byLower: ReadonlyMap<string, string>): string | undefined {
  const isOfList = (name: string | undefined) =>
    name !== undefined && byLower.has(name.toLowerCase());
  return [
    valueNamed(found, [...byLower.values()]),
    countryNamed(found),
    countrySetNamed(found),
  ].find(isOfList);
}

function lettersOf(lower: string): number {
  let letters = 0;
  for (let i = 0; i < lower.length; i++) letters |= 1 << (lower.charCodeAt(i) & 31);
  return letters;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
