import type { ErrorCode, Fault } from '../core/errors.js';
import { type ListName, listOf } from './fields.js';
import { nearestName } from './nearest-name.js';

/** One report of the schema checker, in the form of Ajv. */
export interface SchemaReport {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
}

/** A fault with the code of the refusal if all faults are of this kind. */
export interface CodedFault extends Fault {
  readonly code: ErrorCode;
}

/** Codes of unknown names, by the list they should be in (specification, 2.1 and 2.2). */
const NAME_CODES: Readonly<Partial<Record<ListName, ErrorCode>>> = {
  measurements: 'unknown_measurement',
  bodyMeasurements: 'unknown_measurement',
  clothing: 'unknown_clothing',
  postures: 'unknown_posture',
};

/** Lists up to this length appear completely in a message. */
const LONGEST_LIST = 12;

/** A value with a fault, and its place in the body. */
export interface FaultyValue {
  /** JSON pointer of what the report is about. */
  readonly pointer: string;
  /** The value that the checker was given. */
  readonly value: unknown;
  /** Limits of the value, or of the items of a list. */
  readonly limits: Limits;
}

/**
 * Turns a report of the checker about a scalar or a list into sentences that name the field and the
 * remedy, one for each fault.
 */
export function explain(
  report: SchemaReport,
  { pointer, value, limits }: FaultyValue,
): CodedFault[] {
  const { keyword, instancePath } = report;
  const params = report.params as Record<string, unknown>;
  if (keyword === 'enum') {
    const found = valueAt(value, instancePath);
    if (typeof found !== 'string') return [];
    const names = params.allowedValues as string[];
    const message = unknownName(fieldOf(pointer), found, names);
    const list = listOf(names);
    return [{ pointer, message, code: (list && NAME_CODES[list]) ?? 'validation_error' }];
  }
  const meant = LIMIT_KEYWORDS.has(keyword)
    ? numberMeant(valueAt(value, instancePath), limits)
    : undefined;
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const message = `${fieldOf(pointer)} ${remedy(keyword, params)}${hint}`;
  return [{ pointer, message, code: 'validation_error' }];
}

/**
 * The fault of a field that is missing.
 *
 * @param parent pointer of the object
 */
export function missingField(parent: string, name: string): CodedFault {
  const pointer = `${parent}/${escapeToken(name)}`;
  const message = `${fieldOf(pointer)} is required; add it.`;
  return { pointer, message, code: 'validation_error' };
}

/**
 * The fault of a field that an object does not have.
 *
 * @param parent pointer of the object
 * @param allowed names of its fields
 */
export function unlistedField(
  parent: string,
  name: string,
  allowed: readonly string[],
): CodedFault {
  const pointer = `${parent}/${escapeToken(name)}`;
  const owner = parent === '' ? 'this request' : fieldOf(parent);
  const message = `${shown(name)} is not a field of ${owner}; the fields are ${allowed.join(', ')}.`;
  return { pointer, message, code: 'validation_error' };
}

const LIMIT_KEYWORDS: ReadonlySet<string> = new Set(['minimum', 'maximum']);

const TYPE_REMEDIES: Readonly<Record<string, string>> = {
  number: 'must be a finite JSON number, without quotes.',
  integer: 'must be a whole JSON number, without quotes.',
  boolean: 'must be true or false, without quotes.',
  string: 'must be a JSON string.',
  array: 'must be a JSON array.',
  object: 'must be a JSON object.',
};

function remedy(keyword: string, params: Record<string, unknown>): string {
  const limit = String(params.limit);
  switch (keyword) {
    case 'type':
      return TYPE_REMEDIES[String(params.type)] ?? 'is of the wrong type.';
    case 'minimum':
      return `must be at least ${limit}.`;
    case 'maximum':
      return `must be at most ${limit}.`;
    case 'exclusiveMinimum':
      return `must be greater than ${limit}.`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}.`;
    case 'minLength':
      return `must have at least ${limit} ${limit === '1' ? 'character' : 'characters'}.`;
    case 'maxLength':
      return `must have at most ${limit} ${limit === '1' ? 'character' : 'characters'}.`;
    case 'minItems':
      return `must have at least ${limit} ${limit === '1' ? 'item' : 'items'}.`;
    case 'maxItems':
      return `must have at most ${limit} ${limit === '1' ? 'item' : 'items'}.`;
    case 'uniqueItems':
      return `must not repeat an item; leave out ${repeated(params.duplicateItems)}.`;
    default:
      return 'is not valid.';
  }
}

function repeated(indices: unknown): string {
  const list = Array.isArray(indices) ? indices : [];
  return `the ${list.length === 1 ? 'item' : 'items'} at index ${list.slice(0, 20).join(', ')}`;
}

function unknownName(field: string, found: string, allowed: readonly string[]): string {
  const near = nearestName(found, allowed);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  const list =
    allowed.length <= LONGEST_LIST
      ? `use one of ${allowed.join(', ')}`
      : `GET / lists the ${allowed.length} known ones`;
  return `${shown(found)} is not a valid value of ${field}; ${list}.${meant}`;
}

/** A name as the caller wrote it, quoted and shortened for a message. */
function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

/** Writes `~` and `/` in a name as `~0` and `~1` (RFC 6901, 3). */
function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Writes `/population/groups/0/ageMin` as `population.groups[0].ageMin`. Only known fields come here,
 * so nothing is escaped.
 */
function fieldOf(pointer: string): string {
  if (pointer === '') return 'The body';
  return pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const name of pointer.split('/').slice(1)) value = (value as Record<string, unknown>)[name];
  return value;
}

/** Smallest and largest value that a field takes, if it has them. */
export interface Limits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Fields in percent begin at 1 or more, and end between these. */
const LEAST_PERCENT_MAX = 90;
const PERCENT_MAX = 100;

/**
 * The value that was probably meant by a number out of its limits: 95 for 0.95 in percent, and 0.95 for
 * 95 where a share is asked for.
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
