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
  clothing: 'unknown_clothing',
  postures: 'unknown_posture',
};

/** Lists up to this length appear completely in a message. */
const LONGEST_LIST = 12;

/**
 * Turns a report of the checker into sentences that name the field and the remedy, one for each
 * fault.
 *
 * @param allowed names of the operation's fields
 */
export function explain(
  report: SchemaReport,
  body: unknown,
  allowed: readonly string[],
): CodedFault[] {
  const { keyword, instancePath: pointer } = report;
  const params = report.params as Record<string, unknown>;
  const named = (name: unknown) => `${pointer}/${escapeToken(String(name))}`;
  const fault = (message: string, at = pointer, code: ErrorCode = 'validation_error') => ({
    pointer: at,
    message,
    code,
  });
  if (keyword === 'required') {
    const names = params.requiredProperties as string[];
    return names.map((name) => fault(`${name} is required; add it.`, named(name)));
  }
  if (keyword === 'boolean') {
    // Only fields that are not listed have the schema `false`.
    const message = `${shown(lastName(pointer))} is not a field of this request; the fields are ${allowed.join(', ')}.`;
    return [fault(message)];
  }
  // Unlisted fields also have one report each.
  if (keyword === 'additionalProperties') return [];
  if (keyword === 'enum') {
    const found = valueAt(body, pointer);
    if (typeof found !== 'string') return [];
    const names = params.allowedValues as string[];
    const message = unknownName(fieldOf(pointer), found, names);
    const list = listOf(names);
    return [fault(message, pointer, list && NAME_CODES[list])];
  }
  return [fault(`${fieldOf(pointer)} ${remedy(keyword, params)}`)];
}

const TYPE_REMEDIES: Readonly<Record<string, string>> = {
  number: 'must be a finite JSON number, without quotes.',
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
    case 'minItems':
      return `must have at least ${limit} item.`;
    case 'maxItems':
      return `must have at most ${limit} items.`;
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
export function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function lastName(pointer: string): string {
  const token = pointer.slice(pointer.lastIndexOf('/') + 1);
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Writes `/percentiles/2` as `percentiles[2]`. Only known fields come here, so nothing is escaped. */
function fieldOf(pointer: string): string {
  if (pointer === '') return 'The body';
  return pointer.slice(1).replace(/\/(\d+)$/, '[$1]');
}

function valueAt(body: unknown, pointer: string): unknown {
  let value = body;
  for (const name of pointer.split('/').slice(1)) value = (value as Record<string, unknown>)[name];
  return value;
}
