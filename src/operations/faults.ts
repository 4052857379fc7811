import {
  type ErrorCode,
  type Fault,
  fault,
  field,
  Problem,
  pointerTo,
  type Sentence,
  said,
  wrong,
} from '../core/errors.js';
import { isObject } from '../core/json-text.js';
import { FAULTS_LISTED_MAX, PERCENT_LIMITS, PERSON_PERCENT_LIMITS } from '../core/limits.js';
import { bodyQuantityNamed } from '../search/body-quantities.js';
import { countrySetNamed } from '../search/countries.js';
import { type ListName, listOf } from './fields.js';
import { nameHint } from './nearest-name.js';

export { pointerTo };

/** A rule of a schema that a value breaks, and the parameters of the rule. */
export interface Report {
  readonly keyword: string;
  readonly of: string | number | readonly string[] | readonly number[];
}

/**
 * A fault that was found. Its sentence is made only if the refusal lists it, because making it may require a search
 * for the name that was meant.
 */
export type FoundFault = (Fault | LateFault) & {
  /** The code of the refusal if all faults have this code. By default, `validation_error`. */
  readonly code?: ErrorCode;
};

interface LateFault {
  readonly pointer: string;
  readonly sentence: () => Sentence;
}

/** The faults of a request. All are counted, and the first ones are listed. */
export class FaultList {
  readonly #listed: FoundFault[] = [];
  #count = 0;
  #code: ErrorCode | undefined;

  add(fault: FoundFault): void {
    const { code = 'validation_error' } = fault;
    if (this.#count++ === 0) this.#code = code;
    else if (this.#code !== code) this.#code = 'validation_error';
    if (!this.isFull) this.#listed.push(fault);
  }

  /** Counts faults without listing them; for a list that is full. */
  omit(count: number): void {
    this.#count += count;
    if (count > 0) this.#code = 'validation_error';
  }

  /** Number of further faults that can be listed. */
  get room(): number {
    return FAULTS_LISTED_MAX - this.#listed.length;
  }

  get isFull(): boolean {
    return this.#listed.length === FAULTS_LISTED_MAX;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The code that all faults share, otherwise `validation_error`. */
  get code(): ErrorCode {
    return this.#code ?? 'validation_error';
  }

  /** The refusal with its list of faults. */
  problem(): Problem {
    const errors = this.#listed.map((one): Fault => {
      return 'sentence' in one ? { pointer: one.pointer, ...one.sentence() } : one;
    });
    const omitted = this.#count - errors.length;
    const extras = omitted === 0 ? { errors } : { errors, errorsOmitted: omitted };
    return new Problem(this.code, detail(errors, omitted), extras);
  }
}

function detail([first, ...others]: readonly Fault[], omitted: number): Sentence | string {
  if (first === undefined) return 'The body is not valid.';
  if (others.length === 0) return first;
  const rest = omitted === 0 ? '' : `, ${omitted} not listed`;
  return said`${first} (${others.length} more in errors${rest})`;
}

/** Codes of unknown names, by the list that should contain the name (specification, 2.1 and 2.2). */
const NAME_CODES: Readonly<Partial<Record<ListName, ErrorCode>>> = {
  measurements: 'unknown_measurement',
  bodyMeasurements: 'unknown_measurement',
  clothing: 'unknown_clothing',
  postures: 'unknown_posture',
};

/** Lists up to this length appear completely in a message. */
const LONGEST_LIST = 12;

/** A value with a fault, and its position in the body. */
export interface FaultyValue {
  /** JSON pointer of the value that breaks the rule. */
  readonly pointer: string;
  /** The value itself. */
  readonly value: unknown;
  /** Limits of the value. */
  readonly limits: Limits;
}

/** Converts a broken rule to a fault. Its sentence names the field and the remedy. */
export function explain(
  { keyword, of }: Report,
  { pointer, value, limits }: FaultyValue,
): FoundFault {
  if (keyword === 'enum') {
    const names = of as readonly string[];
    const list = listOf(names);
    const code = (list && NAME_CODES[list]) ?? 'validation_error';
    return { pointer, sentence: () => unknownName(pointer, String(value), names, list), code };
  }
  const sentence = () => {
    if (keyword === 'type') {
      const hint = of === 'array' ? listHint(value, limits) : monthsHint(pointer, value);
      return said`${field(pointer)} ${TYPE_REMEDIES[String(of)] ?? 'is of the wrong type.'}${hint}`;
    }
    const meant = LIMIT_KEYWORDS.has(keyword) ? numberMeant(value, limits) : undefined;
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    return said`${field(pointer)} ${remedy(keyword, of)}${hint}${rarePercentile(pointer, value, limits)}`;
  };
  return { pointer, sentence };
}

/**
 * The fault of a field that is missing.
 *
 * @param parent pointer of the object
 */
export function missingField(parent: string, name: string): FoundFault {
  return wrong(pointerTo(parent, name))`is required; add it.`;
}

/**
 * The fault of a field that the object cannot have.
 *
 * @param parent pointer of the object
 * @param allowed names of the object's fields
 */
export function unlistedField(
  parent: string,
  name: string,
  allowed: readonly string[],
): FoundFault {
  const owner = parent === '' ? 'this request' : field(parent);
  const months = /month/i.test(name) ? MONTHS : '';
  const sentence = () =>
    said`${shown(name)} is not a field of ${owner}; the fields are ${allowed.join(', ')}.${months}`;
  return { pointer: pointerTo(parent, name), sentence };
}

/** Where the ages of infants are asked. */
const MONTHS = said` The ages of a population are completed years; for months, call predict with an exact age such as 0.25.`;

/** Advice for a value that is a part of a year in a field of completed years. */
function monthsHint(pointer: string, value: unknown): Sentence | string {
  if (!/\/age(Min|Max)$/.test(pointer)) return '';
  const isPart = typeof value === 'number' || (typeof value === 'string' && /month/i.test(value));
  return isPart ? MONTHS : '';
}

/** Maximum length of a list that a message shows completely. */
const LIST_SHOWN_CHARS = 80;

/** How to send the list that was probably meant by another value: `["NL","JP"]` for `NL, JP`. */
function listHint(value: unknown, { items }: Limits): string {
  if (isObject(value)) return ' Send the object in brackets: [{…}].';
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const isOfNumbers = items?.type === 'number' || items?.type === 'integer';
  const list = String(value)
    .slice(0, LIST_SHOWN_CHARS + 1)
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => (isOfNumbers && Number.isFinite(Number(one)) ? Number(one) : one));
  const json = JSON.stringify(list);
  return json.length > LIST_SHOWN_CHARS || list.length === 0 ? '' : ` Send ${json}.`;
}

const LIMIT_KEYWORDS: ReadonlySet<string> = new Set(['minimum', 'maximum']);

const TYPE_REMEDIES: Readonly<Record<string, Sentence | string>> = {
  number: said`must be a finite JSON number, without quotes.`,
  integer: said`must be a whole JSON number, without quotes.`,
  boolean: 'must be true or false, without quotes.',
  string: 'must be a JSON string.',
  array: 'must be a JSON array.',
  object: 'must be a JSON object.',
};

function remedy(keyword: string, of: Report['of']): Sentence {
  const many = (word: string) => `${of} ${of === 1 ? word : `${word}s`}`;
  switch (keyword) {
    case 'minimum':
      return said`must be at least ${String(of)}.`;
    case 'maximum':
      return said`must be at most ${String(of)}.`;
    case 'exclusiveMinimum':
      return said`must be greater than ${String(of)}.`;
    case 'minLength':
      return said`must have at least ${many('character')}.`;
    case 'maxLength':
      return said`must have at most ${many('character')}.`;
    case 'minItems':
      return said`must have at least ${many('item')}.`;
    case 'maxItems':
      return said`must have at most ${many('item')}.`;
    case 'uniqueItems':
      return said`must not repeat an item; leave out ${repeated(of as readonly number[])}.`;
    default:
      return said`is not valid.`;
  }
}

function repeated(indices: readonly number[]): string {
  const words = indices.length === 1 ? 'the item' : 'the items';
  return `${words} at index ${indices.slice(0, 20).join(', ')}`;
}

/** Fields with a percentile of one dimension. */
const PERCENTILE_FIELD = /\/(percentile|percentiles\/\d+)$/;

/** Names the operation that accepts a percentile outside this operation's limits. Empty if there is none. */
function rarePercentile(pointer: string, value: unknown, { minimum, maximum }: Limits): string {
  const { minimum: least, maximum: most } = PERSON_PERCENT_LIMITS;
  const isNarrow = minimum === PERCENT_LIMITS.minimum && maximum === PERCENT_LIMITS.maximum;
  if (!isNarrow || !PERCENTILE_FIELD.test(pointer) || typeof value !== 'number') return '';
  const isRare = value >= least && value <= most && (value < minimum || value > maximum);
  return isRare ? ` population_percentiles answers percentiles from ${least} to ${most}.` : '';
}

/** Operations that offer the quantities of the whole body, in the order of the list of operations. */
const OF_WHOLE_BODIES = 'population_percentiles, population_share and complete_person';

/** Operations that take sets of countries, in the order of the list of operations. */
const OF_SETS = 'population_percentiles, population_share and the other tools about populations';

function unknownName(
  pointer: string,
  found: string,
  allowed: readonly string[],
  nameList: ListName | undefined,
): Sentence {
  const quantity = nameList === 'measurements' ? bodyQuantityNamed(found) : undefined;
  if (quantity !== undefined) {
    return said`${shown(found)} is not a valid value of ${field(pointer)}, which names lengths only. ${OF_WHOLE_BODIES} have ${quantity}.`;
  }
  const set = nameList === 'countries' ? countrySetNamed(found) : undefined;
  if (set !== undefined) {
    return said`${shown(found)} is a set of countries, and ${field(pointer)} takes one country. ${OF_SETS} take sets, such as ${set}, in population.groups[].countries.`;
  }
  const hint = nameHint(found, allowed);
  const list =
    allowed.length <= LONGEST_LIST
      ? said`use one of ${allowed.join(', ')}`
      : said`GET / lists the ${allowed.length} known ones`;
  return said`${shown(found)} is not a valid value of ${field(pointer)}; ${list}.${hint === undefined ? '' : ` ${hint}`}`;
}

/** A name as the caller wrote it, quoted and shortened for a message. */
function shown(name: string): Sentence | string {
  if (name === '') return said`""`;
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

/** Minimum and maximum value of a field, if it has them, and the kind of its items. */
export interface Limits {
  readonly items?: { readonly type?: string };
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** A field is in percent if its minimum is 1 or more, and its maximum above `LEAST_PERCENT_MAX` up to `PERCENT_MAX`. */
const LEAST_PERCENT_MAX = 90;
const PERCENT_MAX = 100;

/**
 * The value that was probably meant by a number outside its limits: 95 for 0.95 if the field is in percent, and 0.95
 * for 95 if the field is a share.
 */
export function numberMeant(value: unknown, limits: Limits): number | undefined {
  const { minimum, maximum } = limits;
  if (typeof value !== 'number' || minimum === undefined || maximum === undefined) return undefined;
  const isPercent = minimum >= 1 && maximum > LEAST_PERCENT_MAX && maximum <= PERCENT_MAX;
  const factor = isPercent ? PERCENT_MAX : maximum <= 1 ? 1 / PERCENT_MAX : 1;
  // Without the rounding 0.07 would be 7.000000000000001 percent.
  const meant = Number((value * factor).toPrecision(12));
  return factor !== 1 && meant >= minimum && meant <= maximum ? meant : undefined;
}

/** Faults of entries that name a measurement twice. */
export function repeatedMeasurements(
  list: string,
  entries: readonly { readonly measurement: string }[],
): FoundFault[] {
  return entries.flatMap(({ measurement }, i) => {
    const first = entries.findIndex((entry) => entry.measurement === measurement);
    if (first === i) return [];
    const [here, there] = [field(`${list}/${i}`), field(`${list}/${first}`)];
    const at = fault(`${list}/${i}/measurement`);
    return [
      at`${here} names ${measurement} again; ${there} has it already. Leave one of them out.`,
    ];
  });
}
