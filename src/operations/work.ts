import { COUNTRY_CODES } from '../core/countries.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { agesWithin } from '../core/years-of-age.js';
import type { Operation, Work } from './operation.js';
import { countriesOf, type PopulationInput } from './population-request.js';

// Work of a request: an estimate in ms of one core. It is made from the request alone, so that every machine refuses
// the same requests. The constants were fitted to processor times of one core of a server of 2023. `npm run bench --
// --only computations` compares them with times on the present machine.

/** Maximum estimate for one request, in ms. A computation is ended after 20 s of processor time, on any machine. */
export const WORK_MS_MAX = 5000;
/** Maximum estimate for an answer that is computed and sent in parts, in ms. */
export const STREAM_WORK_MS_MAX = 20_000;
/** A computation with a smaller estimate, in ms, is short and need not wait behind longer computations. */
export const SHORT_WORK_MS = 250;

/** Estimated work of a validated request, in ms of one core. It is 0 for operations that compute almost nothing. */
export function estimatedWorkMs({ work }: Pick<Operation, 'work'>, input: object): number {
  const known = ESTIMATES.get(input);
  if (known !== undefined) return known;
  const ms = work?.ms(input as never) ?? 0;
  ESTIMATES.set(input, ms);
  return ms;
}

/**
 * Estimates of requests in progress. They are stored, because the estimate of a batch takes as long as its validation.
 */
const ESTIMATES = new WeakMap<object, number>();

/** @throws Problem `computation_too_large` */
export function checkWork(operation: Pick<Operation, 'work'>, input: object): void {
  const { work } = operation;
  if (work === undefined) return;
  const ms = estimatedWorkMs(operation, input);
  if (ms > (work.mostMs ?? WORK_MS_MAX)) throw tooLarge(ms, work);
}

/** The refusal of a request with too much work, in ms. */
export function tooLarge(
  ms: number,
  { mostMs = WORK_MS_MAX, less }: Omit<Work<never>, 'ms'>,
): Problem {
  const thousands = (count: number) => Math.ceil(count).toLocaleString('en');
  const message = `This request needs about ${thousands(ms)} ms of computing; at most ${thousands(mostMs)} are allowed. Ask for ${less}.`;
  return new Problem('computation_too_large', message);
}

/** The cells (country, gender and exact age) of a population. A year of childhood has several exact ages. */
export interface CellCount {
  /** Number of different cells. */
  readonly cells: number;
  /** Number of cells of all groups. Identical groups count once. */
  readonly parts: number;
}

/** Number of 32-bit words that hold a bit for each year of age. */
const WORDS = 4;

const INDICES = new Map(COUNTRY_CODES.map((code, index) => [code, index]));

/** Number of exact ages of each completed age. */
const AGES_WITHIN = Int32Array.from({ length: 32 * WORDS }, (_, age) => agesWithin(age).length);

/** Counts the cells of a population. The years of age of each country and gender are bits. */
export function cellsOf({ groups }: Pick<PopulationInput, 'groups'>): CellCount {
  const bits = new Int32Array(COUNTRY_CODES.length * GENDERS.length * WORDS);
  const known = new Set<string>();
  let parts = 0;
  const places = new Map<string, { indices: Int32Array; key: string }>();
  for (const { countries, gender, ageMin, ageMax } of groups) {
    const named = countries.join();
    let place = places.get(named);
    if (place === undefined) {
      const codes = new Set(countries.flatMap((name) => countriesOf(name) ?? []));
      const indices = Int32Array.from(codes, (code) => INDICES.get(code) as number).sort();
      place = { indices, key: indices.join() };
      places.set(named, place);
    }
    const { indices } = place;
    const key = [place.key, gender, ageMin, ageMax].join('|');
    if (known.has(key)) continue;
    known.add(key);
    const genders = gender === undefined ? [0, 1] : [GENDERS.indexOf(gender)];
    const exact = AGES_WITHIN.subarray(ageMin, ageMax + 1).reduce((sum, count) => sum + count, 0);
    parts += indices.length * genders.length * exact;
    const ages = Int32Array.from({ length: WORDS }, (_, word) =>
      bitsBetween(ageMin - 32 * word, ageMax - 32 * word),
    );
    for (const country of indices) {
      for (const one of genders) {
        const at = (country * GENDERS.length + one) * WORDS;
        for (let word = 0; word < WORDS; word++) {
          bits[at + word] = (bits[at + word] as number) | (ages[word] as number);
        }
      }
    }
  }
  // The years of one group do not overlap.
  return { cells: known.size === 1 ? parts : cellsIn(bits), parts };
}

/** Number of cells of the years of age whose bits are set. */
function cellsIn(words: Int32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    const first = 32 * (at % WORDS);
    for (let rest = words[at] as number; rest !== 0; rest &= rest - 1) {
      count += AGES_WITHIN[first + 31 - Math.clz32(rest & -rest)] as number;
    }
  }
  return count;
}

/** The bits from one position to another, both included. Positions outside 0 to 31 are left out. */
function bitsBetween(from: number, to: number): number {
  const [first, last] = [Math.max(0, from), Math.min(31, to)];
  if (first > last) return 0;
  return ((0xffffffff >>> (31 - (last - first))) << first) | 0;
}

/** The parts of a request that determine how long one curve of its population takes to compute. */
interface ProfiledPopulation {
  readonly population: PopulationInput;
  readonly clothing?: string;
  readonly posture?: string;
}

/** The sizes that determine the time of a computation, and the times of its steps in ms. */
export interface Steps {
  readonly cells: number;
  /** Number of cells in a search. If there are very many cells, it uses a sample. */
  readonly sampled: number;
  readonly conditions: number;
  /** Resolving the groups, and finding who meets the conditions. */
  readonly populationMs: number;
  /** Reading one curve of one cell. */
  readonly curveMs: number;
}

/** Cells with which a search is made (`people-model.ts`). */
const SAMPLED_CELLS = 2000;
/** Time to read a curve of the reference year, in ms. In another year, it takes `OTHER_YEAR` times as long. */
const CURVE_MS = 3.5e-4;
const OTHER_YEAR = 10;
/** The factor for people with clothing or a posture. */
const PROFILES = 1.5;

/** The steps of a computation on a population. */
export function stepsOf({ population, clothing, posture }: ProfiledPopulation): Steps {
  const { cells, parts } = cellsOf(population);
  const conditions = population.keep?.length ?? 0;
  const nudeMs = CURVE_MS * (population.year === undefined ? 1 : OTHER_YEAR);
  const hasProfiles = clothing !== undefined || posture !== undefined;
  const meeting = conditions === 0 ? 0 : 2.5 * cells * conditions * nudeMs;
  return {
    ...{ cells, conditions },
    sampled: Math.min(cells, SAMPLED_CELLS),
    populationMs:
      0.3 + 3e-5 * parts + 1e-4 * cells + meeting + (conditions > 0 ? boxMs(cells, conditions) : 0),
    curveMs: nudeMs * (hasProfiles ? PROFILES : 1),
  };
}

/** Time to integrate over the limits of some quantities in cells (`limits.ts`), in ms. */
export function boxMs(cells: number, quantities: number): number {
  // One quantity needs no points.
  return 5e-4 * cells + 9e-4 * (6000 + cells) * Math.max(0, quantities - 1);
}

/** Time to find how well the medians of one quantity are known (`median-errors.ts`), in ms. */
export function evidenceMs({ sampled }: Pick<Steps, 'sampled'>): number {
  return 1e-3 * sampled;
}

/** Time to make the distribution of one quantity (`distribution.ts`) and to compute values of it, in ms. */
export function distributionMs(steps: Steps, values: number): number {
  const { cells, conditions, curveMs } = steps;
  // With conditions, 2,048 to 8,192 points are read instead of the cells.
  const curves = conditions > 0 ? 3 + 6000 * curveMs : cells * curveMs;
  const joined = Math.min(cells, 400);
  return 0.03 + curves + joined * (2 + values) * (conditions > 0 ? 6e-4 : 1.2e-4);
}
