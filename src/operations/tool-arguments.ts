import type { TSchema } from 'typebox';
import { isObject, parseBody } from '../core/json-text.js';
import { isDecimal } from '../core/typed-values.js';
import { batchForm, type Operation, toolForm } from './operation.js';
import type { Composite } from './schema-faults.js';

// Arguments of tools as agents send them. Strict functions must send every field, so they send null for an optional
// one. Some models send lists and objects as JSON text, and numbers as text.

/** The arguments of a call as the schema of the operation has them. */
export interface ReadArguments {
  readonly input: unknown;
  /** A sentence for each list or object that was sent as text. */
  readonly notes: readonly string[];
}

/**
 * Reads the arguments of a tool. Null and empty text for an optional field are as if it were left out. Numbers and
 * truth values may be text, lists and objects JSON text. All other faults stay for the check of the request.
 *
 * @param operations the operations that a batch may name
 */
export function readArguments(
  operation: Operation,
  given: unknown,
  operations: readonly Operation[],
): ReadArguments {
  const notes: string[] = [];
  const input = readValue(toolForm(operation).request, given, '', notes);
  if (operation.name !== 'batch' || !isObject(input) || !Array.isArray(input.requests)) {
    return { input, notes };
  }
  const requests = input.requests.map((entry: unknown, i) => {
    const named = isObject(entry) ? operations.find(({ name }) => name === entry.operation) : null;
    if (!named || !isObject(entry)) return entry;
    const place = `requests[${i}].input`;
    return { ...entry, input: readValue(batchForm(named).request, entry.input, place, notes) };
  });
  return { input: { ...input, requests }, notes };
}

/** The keywords that decide how a value is read. */
type Composites = Partial<Composite> & { readonly type?: string };

/** Reads the arguments of a tool that is no operation. */
export function readObject(schema: TSchema, given: unknown): unknown {
  return readValue(schema, given, '', []);
}

const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** @param place of the value in the arguments, such as `population.groups[0]` */
function readValue(schema: TSchema, given: unknown, place: string, notes: string[]): unknown {
  const { type, properties, items, required = [], additionalProperties } = schema as Composites;
  const value = typeof given === 'string' ? fromText(schema, given, place, notes) : given;
  if (type === 'array' && items !== undefined && Array.isArray(value)) {
    return value.map((item, i) => readValue(items, item, `${place}[${i}]`, notes));
  }
  if (type !== 'object' || !isObject(value)) return value;
  const others = typeof additionalProperties === 'object' ? (additionalProperties as TSchema) : {};
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const isKnown = Object.hasOwn(properties ?? {}, name);
    const isOptional = isKnown ? !required.includes(name) : 'type' in others;
    if (isOptional && (field === null || field === '')) return [];
    const inner = (isKnown ? properties?.[name] : others) as TSchema;
    const path = place === '' ? name : `${place}.${name}`;
    return [[name, readValue(inner, field, path, notes)]];
  });
  return Object.fromEntries(fields);
}

function fromText(schema: TSchema, text: string, place: string, notes: string[]): unknown {
  const { type, properties, items } = schema as Composites;
  const trimmed = text.trim();
  if (type === 'number' || type === 'integer') return isDecimal(trimmed) ? +trimmed : text;
  if (type === 'boolean') return TRUTH.get(trimmed.toLowerCase()) ?? text;
  if (type !== 'array' && type !== 'object') return text;
  const value = parsed(trimmed);
  if (type === 'array' ? !Array.isArray(value) : !isObject(value)) return text;
  // The list of tools asks for text where it cannot list the fields.
  const isAsked = items === undefined && Object.keys(properties ?? {}).length === 0;
  if (!isAsked) {
    const what = type === 'array' ? 'a list' : 'an object';
    notes.push(`${place} came as JSON text and was read as ${what}; send ${what}.`);
  }
  return value;
}

/** The value of a JSON text; undefined for other texts, and for those that name a field twice. */
function parsed(text: string): unknown {
  try {
    return parseBody(text);
  } catch {
    return undefined;
  }
}
